package patterns

import (
	"math/bits"
	"slices"
)

// nearNeighbour makes the exchange of a stencil computation. Each process of a grid sends
// to its neighbours along every dimension; the boundaries are open. It has one phase. A
// process sends to the lower and then the higher neighbour along x, then along y, and
// so on. A grid of w x h has 2(w-1)h + 2w(h-1) messages.
func nearNeighbour(s setting) Pattern {
	g := grid{s.group, s.sides}
	return onePhase(g.exchanges(1), func(dst []Message) []Message { return g.exchange(dst, 1) })
}

// multigrid makes the communication of a multigrid V-cycle on a grid of processes (Lo et
// al., CIS-TR-94-11, sec. 4.2, after the NAS benchmark). At level l the processes whose
// coordinates are all multiples of 2^l exchange with their neighbours at stride 2^l.
// The boundaries are open.
//
// The V-cycle visits the levels down, 0, 1, ..., the coarsest, and up again, ..., 1, 0.
// It visits the coarsest level once, so there are 2·levels-1 phases. In a phase a process sends to
// the lower and then the higher neighbour along x, then along y, and so on.
func multigrid(s setting) Pattern {
	g, strides := grid{s.group, s.sides}, vCycle(s.sides, s.Levels)
	if s.Cycle == "by-dimension" {
		return multigridByDimension(g, strides)
	}
	messages := int64(0)
	for _, stride := range strides {
		messages += g.exchanges(stride)
	}
	return phased{len(strides), messages, func(dst []Message, k int) []Message {
		return g.exchange(dst, strides[k])
	}}
}

// vCycle returns the strides of the phases of a V-cycle. A grid has one level for each stride that
// joins two processes, ceil(log2 of its longest side) in all. The argument levels limits them; 0
// takes all.
func vCycle(sides []int, levels int) (strides []int) {
	all := bits.Len(uint(slices.Max(sides) - 1))
	if levels == 0 || levels > all {
		levels = all
	}
	for l := range 2*levels - 1 {
		strides = append(strides, 1<<min(l, 2*(levels-1)-l))
	}
	return strides
}

// multigridByDimension makes a multigrid in which the processes of a level exchange along
// one dimension after the other. The boundaries are closed. In a ring of two processes
// one message goes each way. The finest level is exchanged once, at the end: the levels
// are 1, 2, ..., the coarsest, ..., 1, 0, with one phase for each dimension. With one
// level only the finest is exchanged.
//
// This reading of Lo et al.'s multigrid fits their figures best. It differs from the
// order of the NAS benchmark MG (see npb-mg), which exchanges each level three times on
// the way up and sends two messages each way in a ring of two.
func multigridByDimension(g grid, strides []int) Pattern {
	if len(strides) > 1 {
		strides = strides[1:]
	}
	sides, messages := len(g.sides), int64(0)
	for _, stride := range strides {
		messages += g.exchangesRound(stride)
	}
	return phased{len(strides) * sides, messages, func(dst []Message, k int) []Message {
		return g.exchangeRound(dst, strides[k/sides], k%sides)
	}}
}
