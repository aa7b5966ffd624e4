package patterns

import (
	"math/bits"
	"slices"
)

// Multigrid is the communication of a multigrid V-cycle on a grid of processes
// (Lo et al., CIS-TR-94-11, sec. 4.2, after the NAS benchmark): at level l the
// processes whose coordinates are all multiples of 2^l exchange with their
// neighbours at stride 2^l, the boundaries open.
//
// The levels are visited down, 0, 1, ..., the coarsest, and up again, ..., 1,
// 0, the coarsest once: 2·levels-1 phases. A grid has as many levels as there
// are strides that join two processes, ceil(log2 of its longest side); levels
// 0, or more than those, takes them all. In a phase a process sends to the
// lower, then the higher neighbour along x, then along y, ...
func Multigrid(dims []int, levels int, flits int32) Pattern {
	g := newGrid(dims, flits)
	most := 0
	if len(dims) > 0 {
		most = bits.Len(uint(slices.Max(dims) - 1))
	}
	if levels < 0 {
		panic("patterns: a multigrid has no negative number of levels")
	}
	if levels == 0 || levels > most {
		levels = most
	}
	return multigrid{g, levels}
}

type multigrid struct {
	grid
	levels int
}

func (p multigrid) Phases() int { return max(0, 2*p.levels-1) }

func (p multigrid) Messages() int64 {
	sum := int64(0)
	for k := range p.Phases() {
		sum += p.exchanges(p.stride(k))
	}
	return sum
}

func (p multigrid) Phase(dst []Message, k int) []Message {
	return p.exchange(dst, p.stride(k))
}

// stride returns the distance of the neighbours of phase k.
func (p multigrid) stride(k int) int { return 1 << min(k, 2*(p.levels-1)-k) }
