package patterns

import "math/bits"

// The all-reduce algorithms leave the sum of all vectors at every process, as MPICH
// implements them (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005, sec. 4.4). The
// ring is that of Patarasuk and Yuan (JPDC 69(2), 2009). The whole vector has
// Config.Bytes bytes. Each process computes once, at the beginning of an iteration.

// allReduceRing is a reduce-scatter round the ring, followed by an all-gather. It takes
// 2(n-1) steps of one block each and runs on any number of processes.
func allReduceRing(t traffic) Code {
	s := reduceScatterRing{t}
	t.computeCycles = 0
	return sequence{[]Code{s, allGatherRing{t}}}
}

// allReduceHalving is a reduce-scatter by recursive halving, followed by an all-gather by
// recursive doubling: Rabenseifner's algorithm, in 2 log2 n steps if n is a power of two.
func allReduceHalving(t traffic) Code {
	s := reduceScatterHalving{t}
	t.computeCycles = 0
	return sequence{[]Code{s, newAllGatherDoubling(t)}}
}

// allReduceDirect is a direct reduce-scatter, followed by a direct all-gather: two steps in
// which every process sends a block to every other.
func allReduceDirect(t traffic) Code {
	s := direct{traffic: t}
	t.computeCycles = 0
	return sequence{[]Code{s, direct{t, true}}}
}

// sequence runs one code after the other.
type sequence struct{ codes []Code }

func (s sequence) Parts() int {
	sum := 0
	for _, c := range s.codes {
		sum += c.Parts()
	}
	return sum
}

func (s sequence) Messages() int64 {
	sum := int64(0)
	for _, c := range s.codes {
		sum += c.Messages()
	}
	return sum
}

func (s sequence) Part(dst []Operation, r Rank, k int) []Operation {
	for _, c := range s.codes {
		if k < c.Parts() {
			return c.Part(dst, r, k)
		}
		k -= c.Parts()
	}
	panic("patterns: a code has no such part")
}

// fold reduces a number of processes to a power of two. Among the first 2·rest
// processes, each even one gives its data to the next and sits out. The others get
// numbers below power.
type fold struct{ power, rest Rank }

func newFold(n Rank) fold {
	power := Rank(1) << (bits.Len32(uint32(n)) - 1)
	return fold{power, n - power}
}

// in returns the number of process r among the participants. It reports false if r sits
// out.
func (f fold) in(r Rank) (Rank, bool) {
	if r >= 2*f.rest {
		return r - f.rest, true
	}
	return r / 2, r%2 == 1
}

// out is the inverse of in.
func (f fold) out(r Rank) Rank {
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
	me, takesPart := f.in(r)
	switch {
	case !takesPart:
		dst = t.exchange(dst, r, r+1, t.bytes)
	case r < 2*f.rest:
		dst = t.receive(dst, r-1)
	}
	return dst, me, takesPart
}

// allReduceDoubling exchanges the whole vector at distance 1, 2, 4, ... in log2 n
// steps. If n is not a power of two, fold adds a step before, and one after that
// returns the result.
type allReduceDoubling struct{ traffic }

func (a allReduceDoubling) Parts() int { return 1 }

func (a allReduceDoubling) Messages() int64 {
	f := newFold(a.n)
	return 2*int64(f.rest) + int64(f.power)*int64(bits.Len32(uint32(f.power))-1)
}

func (a allReduceDoubling) Part(dst []Operation, r Rank, _ int) []Operation {
	f := newFold(a.n)
	dst, me, takesPart := a.foldIn(dst, f, r)
	if !takesPart {
		return dst
	}
	for d := Rank(1); d < f.power; d *= 2 {
		dst = a.exchange(dst, r, f.out(me^d), a.bytes)
	}
	if r < 2*f.rest {
		dst = a.send(dst, r-1, a.bytes)
	}
	return dst
}

// allReduceTree sends the whole vector up a binomial tree to process 0 and down again.
// It takes 2 ceil(log2 n) steps and 2(n-1) messages and runs on any number of
// processes.
type allReduceTree struct{ traffic }

func (a allReduceTree) Parts() int      { return 1 }
func (a allReduceTree) Messages() int64 { return 2 * (int64(a.n) - 1) }

func (a allReduceTree) Part(dst []Operation, r Rank, _ int) []Operation {
	return a.broadcast(a.reduce(a.compute(dst), r, a.bytes), r, a.bytes)
}
