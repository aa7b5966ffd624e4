package patterns

import (
	"math"
	"slices"
)

// NearSquare returns the most nearly square grid of exactly n processes: h
// rows of w, w the smallest divisor of n that is at least its square root. A
// prime number of processes makes a line.
func NearSquare(n int) (w, h int) {
	if n < 1 {
		panic("patterns: a grid has at least one process")
	}
	for h = int(math.Sqrt(float64(n))); n%h != 0; h-- {
	}
	return n / h, h
}

// grid is a group arranged in any number of dimensions, the first fastest: in
// a grid of width w process i is at (i mod w, i/w). Its boundaries are open.
type grid struct {
	group
	dims []int
}

// newGrid checks the extents and keeps a copy of them.
func newGrid(dims []int, flits int32) grid {
	n := 1
	for _, d := range dims {
		if d < 1 || d > MaxProcesses/n {
			panic("patterns: a grid has extents of at least 1 and at most MaxProcesses processes")
		}
		n *= d
	}
	return grid{newGroup(n, flits), slices.Clone(dims)}
}

// exchange appends a message in both directions between all pairs of
// neighbours of the coarse grid of the given stride: the processes whose
// coordinates are all multiples of it. Each sends to the lower, then the
// higher neighbour along the first dimension, then along the second, ...
func (g grid) exchange(dst []Message, stride int) []Message {
	for i := range int(g.n) {
		if !g.coarse(i, stride) {
			continue
		}
		unit := 1
		for _, extent := range g.dims {
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

// coarse reports whether process i is part of the grid of the given stride.
func (g grid) coarse(i, stride int) bool {
	for _, extent := range g.dims {
		if i%extent%stride != 0 {
			return false
		}
		i /= extent
	}
	return true
}

// exchanges returns how many messages exchange appends: two for each pair.
func (g grid) exchanges(stride int) int64 {
	sum := int64(0)
	for d := range g.dims {
		pairs := int64(1)
		for e, extent := range g.dims {
			points := int64(extent-1)/int64(stride) + 1
			if e == d {
				points--
			}
			pairs *= points
		}
		sum += 2 * pairs
	}
	return sum
}
