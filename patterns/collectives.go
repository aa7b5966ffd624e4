package patterns

import "math/bits"

// inSequence returns a maker of a code that runs the codes of makers one after another. An
// all-reduce is a reduce-scatter followed by an all-gather: by halving and doubling in 2 log2 n
// steps if n is a power of two (Rabenseifner's algorithm), or direct in two steps.
//
// An all-reduce leaves the sum of all vectors at every process, by the algorithms of MPICH (Thakur,
// Rabenseifner and Gropp, IJHPCA 19(1), 2005, sec. 4.4). The whole vector has Config.Bytes bytes.
// Only the first code computes, at the beginning of an iteration.
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

// fold reduces n processes to the greatest power of two of at most n. Among the first 2·rest
// processes, each even process gives its data to the next process and sits out. The processes that
// take part are numbered from 0 to power-1.
type fold struct {
	power Rank // number of processes that take part
	rest  Rank // number of processes that sit out
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

// process returns the process that has number r among those that take part. It is the inverse of
// numberOf.
func (f fold) process(r Rank) Rank {
	if r < f.rest {
		return 2*r + 1
	}
	return r + f.rest
}

// foldIn appends the computation of process r and the first step of a collective on the fold. In
// this step a process that sits out sends its vector to the next process and waits for its result.
// foldIn returns the number of r among the processes that take part, and false if r sits out.
func (t *traffic) foldIn(dst []Operation, f fold, r Rank) ([]Operation, Rank, bool) {
	dst = t.compute(dst)
	me, takesPart := f.numberOf(r)
	switch {
	case !takesPart:
		dst = t.exchange(dst, r, r+1, t.bytes)
	case r < 2*f.rest:
		dst = t.add(dst, r-1)
	}
	return dst, me, takesPart
}

// messages returns the number of messages of a recursive halving or doubling, including those of
// the steps before and after it.
func (f fold) messages() int64 {
	return 2*int64(f.rest) + int64(f.power)*int64(log2(f.power))
}

// allReduceDoubling makes exchanges of the whole vector at distance 1, 2, 4, ... in log2 n steps.
// If n is not a power of two, fold adds a first step, and a last step that returns the result.
func allReduceDoubling(t traffic) (Code, error) {
	t.busy = t.Overhead
	f := newFold(t.n)
	return onePart(f.messages(), func(dst []Operation, r Rank) []Operation {
		dst, me, takesPart := t.foldIn(dst, f, r)
		if !takesPart {
			return dst
		}
		for d := Rank(1); d < f.power; d *= 2 {
			peer := f.process(me ^ d)
			dst = t.add(t.sendPart(dst, peer, t.whole()), peer)
		}
		if r < 2*f.rest {
			dst = t.send(dst, r-1, t.bytes)
		}
		return dst
	}), nil
}

// allReduceTree sends the whole vector up a binomial tree to process 0 and down again. It takes 2
// ceil(log2 n) steps and 2(n-1) messages, for any number of processes.
func allReduceTree(t traffic) (Code, error) {
	return onePart(2*(int64(t.n)-1), func(dst []Operation, r Rank) []Operation {
		return t.broadcast(t.reduce(t.compute(dst), r, t.bytes), r, t.bytes)
	}), nil
}

// Broadcast returns the code of a broadcast of Config.Bytes bytes from process 0 down a binomial
// tree. It has no name in New: process 0 waits for no message, so it would send all iterations at
// once.
func Broadcast(c Config, n int) (Code, error) {
	t, err := c.traffic(n)
	return onePart(int64(n)-1, func(dst []Operation, r Rank) []Operation {
		return t.broadcast(t.compute(dst), r, t.bytes)
	}), err
}

// span is a part of the vector of a collective: its first byte and its length.
type span struct{ first, bytes int64 }

// part returns part i of a span in several parts. The lengths differ by at most one byte, the
// longer parts first.
func (s span) part(parts, i int64) span {
	each, more := s.bytes/parts, s.bytes%parts
	p := span{s.first + i*each + min(i, more), each}
	if i < more {
		p.bytes++
	}
	return p
}

// whole returns the whole vector.
func (t *traffic) whole() span { return span{0, t.bytes} }

// blocks returns the blocks first to last-1 of a vector.
//
// Block i belongs to process i. All blocks together have Config.Bytes bytes. Their sizes differ by
// at most one byte, with the larger blocks first. Collectives move blocks as in MPICH (Thakur,
// Rabenseifner and Gropp, IJHPCA 19(1), 2005, sec. 4.1 and 4.3).
func (t *traffic) blocks(first, last Rank) span {
	each, more := t.bytes/int64(t.n), t.bytes%int64(t.n)
	begin := int64(first)*each + min(int64(first), more)
	return span{begin, int64(last)*each + min(int64(last), more) - begin}
}

// sendPart appends a message with a part of the vector.
func (t *traffic) sendPart(dst []Operation, to Rank, part span) []Operation {
	if dst = t.send(dst, to, part.bytes); part.bytes > 0 {
		dst[len(dst)-1].first = part.first
	} else {
		dst[len(dst)-1].first = nothing
	}
	return dst
}

// add appends a wait for the next message from a process, whose part of the vector is added to the
// receiver's.
func (t *traffic) add(dst []Operation, from Rank) []Operation {
	dst = t.receive(dst, from)
	dst[len(dst)-1].adds = true
	return dst
}

// reduceScatterHalving exchanges half of the vector with the process half-way round, a quarter with
// the process a quarter away, and so on, in log2 n steps. If n is not a power of two, fold adds a
// first step, in which the processes that sit out send their whole vectors, and a last step, in
// which they receive their blocks.
func reduceScatterHalving(t traffic) (Code, error) {
	f := newFold(t.n)
	return onePart(f.messages(), func(dst []Operation, r Rank) []Operation {
		dst, me, takesPart := t.foldIn(dst, f, r)
		if !takesPart {
			return dst
		}
		first := Rank(0) // first block that this process still adds up, in the folded numbering
		for half := f.power / 2; half > 0; half /= 2 {
			given := first
			if me&half == 0 {
				given += half
			} else {
				first += half
			}
			peer := f.process(me ^ half)
			dst = t.sendPart(dst, peer, t.blocks(f.firstBlock(given), f.firstBlock(given+half)))
			dst = t.add(dst, peer)
		}
		if r < 2*f.rest {
			dst = t.sendPart(dst, r-1, t.blocks(r-1, r))
		}
		return dst
	}), nil
}

// firstBlock returns the first block of participant r. One of the first rest participants has two
// blocks, the block of the process that sits out for it and then its own. The others have their own
// block.
func (f fold) firstBlock(r Rank) Rank {
	if r < f.rest {
		return 2 * r
	}
	return r + f.rest
}

// allGatherDoubling exchanges all blocks of a process with the process at distance 1, 2, 4, ... in
// log2 n steps. If n is not a power of two, some processes have no partner in a step. The processes
// with a partner then forward the received blocks to them by recursive halving, as MPICH does.
func allGatherDoubling(t traffic) (Code, error) {
	messages := int64(0)
	var part []Operation
	for r := range t.n {
		part = t.doubleBlocks(part[:0], r)
		for _, o := range part {
			if o.kind == sendOperation {
				messages++
			}
		}
	}
	return onePart(messages, t.doubleBlocks), nil
}

// doubleBlocks appends the operations of process r in an all-gather by doubling.
func (t traffic) doubleBlocks(dst []Operation, r Rank) []Operation {
	dst = t.compute(dst)
	for d := Rank(1); d < t.n; d *= 2 {
		mine := r &^ (d - 1) // first of the at most d blocks of this process
		if peer := r ^ d; peer < t.n {
			dst = t.receive(t.sendPart(dst, peer, t.blocks(mine, min(mine+d, t.n))), peer)
		}
		if others := mine ^ d; others > mine && others+d > t.n {
			dst = t.passOn(dst, r, d)
		}
	}
	return dst
}

// passOn appends the transfer of the blocks of the d processes above to the processes that have no
// partner among them, because some of the d do not exist. At first only the lowest few of the d
// processes here have these blocks, where few is the number of existing processes above. In the
// first step each of them sends the blocks to the process at the same place in the upper half,
// unless that process has them. Then the lowest few processes of each half have the blocks, and the
// step is repeated in quarters, and so on.
func (t traffic) passOn(dst []Operation, r Rank, d Rank) []Operation {
	above := r&^(d-1) + d
	few := t.n - above
	for half := d / 2; half > 0 && few > 0; half /= 2 {
		base := r &^ (2*half - 1)
		lower, upper := r&^half, r|half
		if lower < base+few && upper >= base+few {
			if r == lower {
				dst = t.sendPart(dst, upper, t.blocks(above, t.n))
			} else {
				dst = t.receive(dst, lower)
			}
		}
	}
	return dst
}

// allGatherDirect makes a code in which each process sends its own block to all others at once.
func allGatherDirect(t traffic) (Code, error) {
	return t.direct(func(from, to Rank) Rank { return from }, t.receive), nil
}

// allToAllDirect makes a code in which each process sends a different block to each of the others:
// an all-to-all or a reduce-scatter.
func allToAllDirect(t traffic) (Code, error) {
	return t.direct(func(from, to Rank) Rank { return to }, t.add), nil
}

// directCode is a code in which all messages are sent at once.
type directCode struct{ Code }

// direct makes a code in which each process sends a block to each of the others at once, round the
// ring from the next process on, and then receives their blocks in the opposite order: the
// all-to-all of Thakur, Rabenseifner and Gropp (IJHPCA 19(1), 2005, sec. 4.2) for medium messages.
func (t traffic) direct(
	blockOf func(from, to Rank) Rank, receive func(dst []Operation, from Rank) []Operation,
) Code {
	n := int64(t.n)
	return directCode{onePart(n*(n-1), func(dst []Operation, r Rank) []Operation {
		dst = t.compute(dst)
		for d := Rank(1); d < t.n; d++ {
			to := (r + d) % t.n
			block := blockOf(r, to)
			dst = t.sendPart(dst, to, t.blocks(block, block+1))
		}
		for d := Rank(1); d < t.n; d++ {
			dst = receive(dst, (r+t.n-d)%t.n)
		}
		return dst
	})}
}

// share returns the size of part i, from 0, of a whole in several parts. The sizes differ by at
// most 1, larger parts first.
func share(whole int64, parts, i Rank) int64 {
	each, more := whole/int64(parts), whole%int64(parts)
	if int64(i) < more {
		each++
	}
	return each
}

// log2 returns the logarithm of n to base 2. n is a power of two.
func log2(n Rank) int { return bits.Len32(uint32(n)) - 1 }
