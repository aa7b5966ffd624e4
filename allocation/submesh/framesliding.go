package submesh

import (
	"contend/allocation"
	"contend/router/topology"
)

// frameSliding starts with the frame whose lowest corner is the lowest leftmost free processor: the
// first in row-major order. It moves by multiples of the frame's sides along each dimension. It
// takes the first free frame, by rows from below and in each row from the left [Chuang and Tzeng
// 1991]. So it misses frames between its strides and may refuse where first fit would not.
//
// The search for the start skips processors so near to a far border that the frame would not fit.
// Starting at one of them (free) costs far more than Frame Sliding loses in [Lo et al. 1994,
// Table 1].
//
// Along a dimension that wraps, strides begin at the start and go round once.
type frameSliding struct {
	grid *grid
	free bool
}

// choose takes the first base that lies whole strides from the start.
func (a *frameSliding) choose(free *allocation.FreeSet, bases *rows, sides []int) (topology.Node,
	bool) {
	start, ok := a.start(free, sides)
	if !ok {
		return 0, false
	}
	return a.slide(bases, sides, start, len(sides)-1, 0)
}

// slide goes along dimension d and those below it. offset is that of the coordinates chosen in the
// dimensions above.
func (a *frameSliding) slide(bases *rows, sides []int, start topology.Node, d, offset int) (
	topology.Node, bool) {
	all, side := a.grid.sides[d], sides[d]
	from := a.grid.at(start, d)
	end := from + all
	if !a.grid.wraps[d] {
		end = all - side + 1
		if d < len(sides)-1 {
			from %= side // in the start's row no frame to the left is free; further up one may be
		}
	}
	row := offset / a.grid.sides[0] * bases.per
	for x := from; x < end; x += side {
		at := x
		if x >= all {
			at -= all
		}
		if d == 0 {
			if bases.words[row+at>>6]>>(at&63)&1 != 0 {
				return topology.Node(offset + at), true
			}
			continue
		}
		n, ok := a.slide(bases, sides, start, d-1, offset+at*a.grid.stride[d])
		if ok {
			return n, true
		}
	}
	return 0, false
}

// start returns the first free processor at which a frame lies in the machine.
func (a *frameSliding) start(free *allocation.FreeSet, sides []int) (topology.Node, bool) {
	n, ok := free.Next(0)
	for ok && !a.free {
		d := a.out(n, sides)
		if d < 0 {
			break
		}
		step := a.grid.stride[d+1]
		n, ok = free.Next(topology.Node((int(n)/step + 1) * step))
	}
	return n, ok
}

// out returns the last dimension in which a frame at a node is not in the machine, or -1.
func (a *frameSliding) out(n topology.Node, sides []int) int {
	for d := len(sides) - 1; d >= 0; d-- {
		if !a.grid.wraps[d] && a.grid.at(n, d)+sides[d] > a.grid.sides[d] {
			return d
		}
	}
	return -1
}
