package patterns

import "math"

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
