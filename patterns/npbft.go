package patterns

// ft is NAS FT, a three-dimensional FFT of 16-byte complex numbers. Up to nz processes
// divide the grid along z, and its transpose is an all-to-all of all processes. More
// processes form a grid of nz x n/nz with an all-to-all along each of its sides. Each
// iteration does one FFT and adds up a checksum of 16 bytes at process 0. A process
// computes before each all-to-all.
type ft struct {
	traffic
	points int64 // of the grid
	p1, p2 Rank  // the process grid: process r is at (r / p2, r mod p2)
}

// newFT makes FT.
func newFT(t traffic) (Code, error) {
	size := ofClass(&t, ftGrids[:])
	if err := t.checkPower(size[2] * min(size[0], size[1])); err != nil {
		return nil, err
	}
	f := ft{traffic: t, points: size[0] * size[1] * size[2], p1: 1, p2: t.n}
	if nz := Rank(size[2]); t.n > nz {
		f.p1, f.p2 = nz, t.n/nz
	}
	return f, nil
}

func (f ft) Parts() int { return int(f.p1) + int(f.p2) - 2 + 1 }

func (f ft) Messages() int64 {
	n, exchanges := int64(f.n), int64(f.p1)+int64(f.p2)-2
	return n*exchanges + n - 1
}

func (f ft) steps() int64 { return max(1, int64(min(1, f.p1-1)+min(1, f.p2-1))) }

func (f ft) Part(dst []Operation, r Rank, k int) []Operation {
	each := 16 * f.points / int64(f.n) // bytes of the grid at each process
	along, across := int(f.p1)-1, int(f.p2)-1
	switch {
	case k < along:
		return f.pairwise(dst, r, k, f.p2, each/int64(f.p1))
	case k < along+across:
		return f.pairwise(dst, r, k-along, 1, each/int64(f.p2))
	}
	return f.reduce(dst, r, 16)
}

// pairwise appends step k of an all-to-all among processes that are stride apart. Each
// process exchanges with the process whose number in the group differs in the bits of
// k+1 (Thakur et al., IJHPCA 19(1), 2005, sec. 4.3: pairwise exchange).
func (t *traffic) pairwise(dst []Operation, r Rank, k int, stride Rank, bytes int64) []Operation {
	if k == 0 {
		dst = t.compute(dst)
	}
	return t.exchange(dst, r, r^(Rank(k+1)*stride), bytes)
}

// is is NAS IS, a bucket sort of 4-byte integers. Each iteration adds up the sizes of
// the buckets (and five test values) at all processes, tells every process how many
// keys it gets, and sends the keys. The benchmark deals out the buckets so that all
// processes get about the same number of keys. Here every process sends exactly the
// same number to each. A process computes at the beginning of an iteration and before
// it sends the keys.
type is struct {
	traffic
	keys, buckets int64
}

// newIS makes IS.
func newIS(t traffic) (Code, error) {
	size := ofClass(&t, isSizes[:])
	if err := t.checkPower(size.buckets); err != nil { // a process has at least one bucket
		return nil, err
	}
	return is{t, size.keys, size.buckets}, nil
}

func (s is) Parts() int { return 1 + 2*max(0, int(s.n)-1) }

func (s is) Messages() int64 {
	n := int64(s.n)
	return n*int64(log2(s.n)) + 2*n*(n-1)
}

func (s is) steps() int64 { return int64(1 + min(1, s.n-1)) }

func (s is) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		return s.doubling(s.compute(dst), r, 4*(s.buckets+5))
	}
	if k--; k < int(s.n)-1 {
		return s.exchange(dst, r, r^Rank(k+1), 4)
	}
	n := int64(s.n)
	return s.pairwise(dst, r, k-int(s.n)+1, 1, max(4, 4*s.keys/(n*n)))
}
