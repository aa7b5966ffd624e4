package patterns

import (
	"math/bits"
	"slices"
)

// Multigrid is the communication of a multigrid V-cycle on a grid of processes (Lo et
// al., CIS-TR-94-11, sec. 4.2, after the NAS benchmark). At level l the processes whose
// coordinates are all multiples of 2^l exchange with their neighbours at stride 2^l.
// The boundaries are open.
//
// The V-cycle visits the levels down, 0, 1, ..., the coarsest, and up again, ..., 1, 0.
// It visits the coarsest level once, so there are 2·levels-1 phases. A grid has one
// level for each stride that joins two processes, ceil(log2 of its longest side) in
// all. The argument levels limits them; 0 takes all. In a phase a process sends to the
// lower and then the higher neighbour along x, then along y, and so on.
func Multigrid(dims []int, levels int, flits int32) Pattern {
	return newMultigrid(dims, levels, flits)
}

type multigrid struct {
	grid
	levels int
}

// newMultigrid checks the grid and the number of levels.
func newMultigrid(dims []int, levels int, flits int32) multigrid {
	g := newGrid(dims, flits)
	all := 0
	if len(dims) > 0 {
		all = bits.Len(uint(slices.Max(dims) - 1))
	}
	if levels < 0 {
		panic("patterns: a multigrid has no negative number of levels")
	}
	if levels == 0 || levels > all {
		levels = all
	}
	return multigrid{g, levels}
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

// MultigridByDimension is multigrid in which the processes of a level exchange along
// one dimension after the other. The boundaries are closed. In a ring of two processes
// one message goes each way. The finest level is exchanged once, at the end: the levels
// are 1, 2, ..., the coarsest, ..., 1, 0, with one phase for each dimension. With one
// level only the finest is exchanged.
//
// This reading of Lo et al.'s multigrid fits their figures best. It differs from the
// order of the NAS benchmark MG (see npb-mg), which exchanges each level three times on
// the way up and sends two messages each way in a ring of two.
func MultigridByDimension(dims []int, levels int, flits int32) Pattern {
	return byDimension{newMultigrid(dims, levels, flits)}
}

type byDimension struct{ multigrid }

// steps returns the number of exchanges of a level in an iteration.
func (p byDimension) steps() int {
	if p.levels < 2 {
		return p.levels
	}
	return 2 * (p.levels - 1)
}

// stride returns the distance of the neighbours of a step.
func (p byDimension) stride(step int) int {
	if p.levels < 2 {
		return 1
	}
	return p.multigrid.stride(step + 1)
}

func (p byDimension) Phases() int { return p.steps() * len(p.dims) }

func (p byDimension) Messages() int64 {
	sum := int64(0)
	for step := range p.steps() {
		sum += p.exchangesRound(p.stride(step))
	}
	return sum
}

func (p byDimension) Phase(dst []Message, k int) []Message {
	return p.exchangeRound(dst, p.stride(k/len(p.dims)), k%len(p.dims))
}
