package patterns

import (
	"math"
	"math/bits"
	"slices"
)

// NearSquare returns the most nearly square grid of exactly n processes: h rows of w,
// where w is the smallest divisor of n that is at least its square root. A prime number
// of processes forms a line.
func NearSquare(n int) (w, h int) {
	if n < 1 {
		panic("patterns: a grid has at least one process")
	}
	for h = int(math.Sqrt(float64(n))); n%h != 0; h-- {
	}
	return n / h, h
}

// NearCube returns the most nearly cubic grid of exactly n processes, with the shortest
// side first. x is the greatest divisor of n that is at most its cube root, and y and z
// are the sides of NearSquare of n/x. Powers of two are divided as in the NAS benchmark
// MG.
func NearCube(n int) (x, y, z int) {
	if n < 1 {
		panic("patterns: a grid has at least one process")
	}
	for x = int(math.Cbrt(float64(n)) + 1e-9); n%x != 0; x-- {
	}
	z, y = NearSquare(n / x)
	return x, y, z
}

// grid is a group arranged in any number of dimensions, with the first dimension
// fastest: in a grid of width w process i is at (i mod w, i/w). Its boundaries are
// open.
type grid struct {
	group
	sides []int // processes along each dimension; their product is n
}

// exchange appends a message in both directions between all pairs of neighbours of the
// coarse grid of the given stride. The coarse grid consists of the processes whose
// coordinates are all multiples of the stride. Each process sends to the lower and then
// the higher neighbour along the first dimension, then along the second, and so on.
func (g grid) exchange(dst []Message, stride int) []Message {
	for i := range int(g.n) {
		if !g.coarse(i, stride) {
			continue
		}
		unit := 1
		for _, extent := range g.sides {
			x := i / unit % extent
			if x >= stride {
				dst = g.send(dst, Rank(i), Rank(i-stride*unit))
			}
			if x+stride < extent {
				dst = g.send(dst, Rank(i), Rank(i+stride*unit))
			}
			unit *= extent
		}
	}
	return dst
}

// exchangeRound appends a message in both directions between all pairs of neighbours
// along one dimension of the coarse grid of the given stride. The dimension is closed
// to a ring. In a ring of two processes one message goes each way. Each process sends
// to the lower and then the higher neighbour.
func (g grid) exchangeRound(dst []Message, stride, dimension int) []Message {
	unit := 1
	for _, extent := range g.sides[:dimension] {
		unit *= extent
	}
	extent := g.sides[dimension]
	points := g.points(dimension, stride)
	for i := range int(g.n) {
		if points == 1 || !g.coarse(i, stride) {
			continue
		}
		x := i / unit % extent
		at := x / stride
		lower := (at + points - 1) % points
		dst = g.send(dst, Rank(i), Rank(i+(lower*stride-x)*unit))
		if points > 2 {
			higher := (at + 1) % points
			dst = g.send(dst, Rank(i), Rank(i+(higher*stride-x)*unit))
		}
	}
	return dst
}

// exchangesRound returns the number of messages that exchangeRound appends for all
// dimensions together.
func (g grid) exchangesRound(stride int) int64 {
	all, each := int64(1), int64(0)
	for d := range g.sides {
		points := g.points(d, stride)
		all *= int64(points)
		each += int64(min(points-1, 2))
	}
	return all * each
}

// points returns the number of processes of the coarse grid of a stride along a
// dimension.
func (g grid) points(dimension, stride int) int { return (g.sides[dimension]-1)/stride + 1 }

// coarse reports whether process i is part of the grid of the given stride.
func (g grid) coarse(i, stride int) bool {
	for _, extent := range g.sides {
		if i%extent%stride != 0 {
			return false
		}
		i /= extent
	}
	return true
}

// exchanges returns the number of messages that exchange appends: two for each pair.
func (g grid) exchanges(stride int) int64 {
	sum := int64(0)
	for d := range g.sides {
		pairs := int64(1)
		for e := range g.sides {
			points := int64(g.points(e, stride))
			if e == d {
				points--
			}
			pairs *= points
		}
		sum += 2 * pairs
	}
	return sum
}

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

// multigridByDimension makes a multigrid in which the processes of a level exchange along one
// dimension after the other. The boundaries are periodic. In a ring of two processes one message
// goes each way. The finest level is exchanged once, at the end: the levels are 1, 2, ..., the
// coarsest, ..., 1, 0, with one phase for each dimension. With one level only the finest is
// exchanged.
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
