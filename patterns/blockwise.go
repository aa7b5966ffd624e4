package patterns

import "math/bits"

// These collectives move blocks of a vector, as MPICH implements them (Thakur,
// Rabenseifner and Gropp, IJHPCA 19(1), 2005, sec. 4.1 and 4.3). Block i belongs to
// process i. All blocks together have Config.Bytes bytes. They are as equal as whole
// bytes allow, with the larger blocks first.

// blocks returns the number of bytes of the blocks first to last-1.
func (t *traffic) blocks(first, last Rank) int64 {
	each, more := t.bytes/int64(t.n), t.bytes%int64(t.n)
	return int64(last-first)*each + min(int64(last), more) - min(int64(first), more)
}

// pass appends a step round the ring: process r sends a block to the next process and
// receives one from the previous process. The block belongs to the process back places
// before r.
func (t *traffic) pass(dst []Operation, r Rank, back Rank) []Operation {
	block := (r - back + 2*t.n) % t.n
	dst = t.send(dst, (r+1)%t.n, t.blocks(block, block+1))
	return t.receive(dst, (r+t.n-1)%t.n)
}

// allGatherRing passes the blocks round the ring in n-1 steps. In step s each process
// passes on the block of the process s places before it. It runs on any number of
// processes.
type allGatherRing struct{ traffic }

func (a allGatherRing) Parts() int      { return max(1, int(a.n)-1) }
func (a allGatherRing) Messages() int64 { return int64(a.n) * (int64(a.n) - 1) }

func (a allGatherRing) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		dst = a.compute(dst)
	}
	if a.n == 1 {
		return dst
	}
	return a.pass(dst, r, Rank(k))
}

// reduceScatterRing adds up the blocks on their way round the ring. After n-1 steps
// each block arrives at its process. It runs on any number of processes.
type reduceScatterRing struct{ traffic }

func (a reduceScatterRing) Parts() int      { return max(1, int(a.n)-1) }
func (a reduceScatterRing) Messages() int64 { return int64(a.n) * (int64(a.n) - 1) }

func (a reduceScatterRing) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		dst = a.compute(dst)
	}
	if a.n == 1 {
		return dst
	}
	return a.pass(dst, r, Rank(k)+1)
}

// reduceScatterHalving exchanges half of the vector with the process half-way round, a
// quarter with the one a quarter away, and so on, in log2 n steps. If n is not a power
// of two, fold adds a step before that gives whole vectors, and one after that gives
// blocks to the processes that sat out.
type reduceScatterHalving struct{ traffic }

func (a reduceScatterHalving) Parts() int      { return 1 }
func (a reduceScatterHalving) Messages() int64 { return allReduceDoubling(a).Messages() }

func (a reduceScatterHalving) Part(dst []Operation, r Rank, _ int) []Operation {
	f := newFold(a.n)
	dst, me, takesPart := a.foldIn(dst, f, r)
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
		dst = a.exchange(dst, r, f.out(me^half), a.blocks(f.begin(given), f.begin(given+half)))
	}
	if r < 2*f.rest {
		dst = a.send(dst, r-1, a.blocks(r-1, r))
	}
	return dst
}

// begin returns the first block that process r of the folded numbering handles: its
// own, or that of the process it represents.
func (f fold) begin(r Rank) Rank {
	if r < f.rest {
		return 2 * r
	}
	return r + f.rest
}

// allGatherDoubling exchanges all blocks of a process with the process at distance 1,
// 2, 4, ... in log2 n steps. If n is not a power of two, some processes have no partner
// in a step. The processes with a partner then pass on what it sent, by recursive
// halving, as MPICH does.
type allGatherDoubling struct {
	traffic
	messages int64
}

func newAllGatherDoubling(t traffic) allGatherDoubling {
	a := allGatherDoubling{traffic: t}
	var part []Operation
	for r := range t.n {
		part = a.Part(part[:0], r, 0)
		a.messages += sends(part)
	}
	return a
}

// sends returns the number of messages sent.
func sends(part []Operation) (count int64) {
	for _, o := range part {
		if o.kind == sendOperation {
			count++
		}
	}
	return count
}

func (a allGatherDoubling) Parts() int      { return 1 }
func (a allGatherDoubling) Messages() int64 { return a.messages }

func (a allGatherDoubling) Part(dst []Operation, r Rank, _ int) []Operation {
	dst = a.compute(dst)
	for d := Rank(1); d < a.n; d *= 2 {
		mine := r &^ (d - 1) // first of the at most d blocks of this process
		if peer := r ^ d; peer < a.n {
			dst = a.exchange(dst, r, peer, a.blocks(mine, min(mine+d, a.n)))
		}
		if others := mine ^ d; others > mine && others+d > a.n {
			dst = a.passOn(dst, r, d)
		}
	}
	return dst
}

// passOn appends the transfer of blocks of the d processes above, some of which do not
// exist. The blocks go from the processes here that have a partner to those that have
// none. At first the lowest few of the d have the blocks; then the lowest few in every
// half have them.
func (a allGatherDoubling) passOn(dst []Operation, r Rank, d Rank) []Operation {
	above := r&^(d-1) + d
	few := a.n - above
	for half := d / 2; half > 0 && few > 0; half /= 2 {
		base := r &^ (2*half - 1)
		lower, upper := r&^half, r|half
		if lower < base+few && upper >= base+few {
			if r == lower {
				dst = a.send(dst, upper, a.blocks(above, a.n))
			} else {
				dst = a.receive(dst, lower)
			}
		}
	}
	return dst
}

// share returns the i-th of parts that are as equal as whole numbers allow, the larger ones first.
func share(whole int64, parts, i Rank) int64 {
	each, more := whole/int64(parts), whole%int64(parts)
	if int64(i) < more {
		each++
	}
	return each
}

// log2 returns the logarithm of a power of two.
func log2(n Rank) int { return bits.Len32(uint32(n)) - 1 }
