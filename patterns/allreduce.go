package patterns

import "math/bits"

// inSequence returns a maker of a code that runs the codes of makers one after the other. An
// all-reduce is a reduce-scatter followed by an all-gather: round the ring in 2(n-1) steps of one
// block; by halving and doubling in 2 log2 n steps if n is a power of two (Rabenseifner's
// algorithm); or direct in two steps.
//
// An all-reduce leaves the sum of all vectors at every process, by the algorithms of MPICH
// (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005, sec. 4.4); the ring is that of Patarasuk
// and Yuan (JPDC 69(2), 2009). The whole vector has Config.Bytes bytes. Each process computes
// once, at the beginning of an iteration.
func inSequence(makers ...func(traffic) (Code, error)) func(traffic) (Code, error) {
	return func(t traffic) (Code, error) {
		var all coded
		var codes []Code
		for _, newCode := range makers {
			c, err := newCode(t)
			if err != nil {
				return nil, err
			}
			codes = append(codes, c)
			all.parts, all.messages = all.parts+c.Parts(), all.messages+c.Messages()
			t.computeCycles = 0 // the first one has computed
		}
		all.part = func(dst []Operation, r Rank, k int) []Operation {
			for _, c := range codes {
				if k < c.Parts() {
					return c.Part(dst, r, k)
				}
				k -= c.Parts()
			}
			panic("patterns: a code has no such part")
		}
		return all, nil
	}
}

// fold reduces a number of processes to a power of two. Among the first 2·rest
// processes, each even one gives its data to the next and sits out. The others get
// numbers below power.
type fold struct {
	power Rank // processes that take part
	rest  Rank // processes that sit out
}

// newFold returns the fold of n processes.
func newFold(n Rank) fold {
	power := Rank(1) << (bits.Len32(uint32(n)) - 1)
	return fold{power, n - power}
}

// numberOf returns the number of process r among those that take part. It reports false if r sits
// out.
func (f fold) numberOf(r Rank) (Rank, bool) {
	if r >= 2*f.rest {
		return r - f.rest, true
	}
	return r / 2, r%2 == 1
}

// process is the inverse of numberOf.
func (f fold) process(r Rank) Rank {
	if r < f.rest {
		return 2*r + 1
	}
	return r + f.rest
}

// foldIn appends the computation of process r and the step before those among a power
// of two of processes. It returns the number of r among the participants. A process that
// sits out gives its vector and waits for its result.
func (t *traffic) foldIn(dst []Operation, f fold, r Rank) ([]Operation, Rank, bool) {
	dst = t.compute(dst)
	me, takesPart := f.numberOf(r)
	switch {
	case !takesPart:
		dst = t.exchange(dst, r, r+1, t.bytes)
	case r < 2*f.rest:
		dst = t.receive(dst, r-1)
	}
	return dst, me, takesPart
}

// messages returns the number of messages of a recursive halving or doubling, with the steps before
// and after it.
func (f fold) messages() int64 {
	return 2*int64(f.rest) + int64(f.power)*int64(log2(f.power))
}

// allReduceDoubling makes exchanges of the whole vector at distance 1, 2, 4, ... in log2 n
// steps. If n is not a power of two, fold adds a step before, and one after that
// returns the result.
func allReduceDoubling(t traffic) (Code, error) {
	f := newFold(t.n)
	return onePart(f.messages(), func(dst []Operation, r Rank) []Operation {
		dst, me, takesPart := t.foldIn(dst, f, r)
		if !takesPart {
			return dst
		}
		for d := Rank(1); d < f.power; d *= 2 {
			dst = t.exchange(dst, r, f.process(me^d), t.bytes)
		}
		if r < 2*f.rest {
			dst = t.send(dst, r-1, t.bytes)
		}
		return dst
	}), nil
}

// allReduceTree sends the whole vector up a binomial tree to process 0 and down again.
// It takes 2 ceil(log2 n) steps and 2(n-1) messages and runs on any number of
// processes.
func allReduceTree(t traffic) (Code, error) {
	return onePart(2*(int64(t.n)-1), func(dst []Operation, r Rank) []Operation {
		return t.broadcast(t.reduce(t.compute(dst), r, t.bytes), r, t.bytes)
	}), nil
}

// Broadcast returns the code of a broadcast of Config.Bytes bytes from process 0 down a
// binomial tree. It has no name in New: process 0 waits for nobody, so it would send all
// iterations at once.
func Broadcast(c Config, n int) (Code, error) {
	t, err := c.traffic(n)
	return onePart(int64(n)-1, func(dst []Operation, r Rank) []Operation {
		return t.broadcast(t.compute(dst), r, t.bytes)
	}), err
}
