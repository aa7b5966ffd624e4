package order

import (
	"cmp"
	"slices"
)

// A Curve lists the cells of a box of the given sides, each cell once. Cell (x, y, z,
// ...) has the number x + X·(y + Y·(z + ...)), with x fastest. The same curves put
// processors and pages in order.
type Curve func(sides []int) []int

// CurveByName returns the curve of an order of nodes. The shuffled ones and Hilbert's are defined
// on powers of two. Another box uses the curve of an enclosing box without the cells outside.
func CurveByName(name string) (Curve, bool) {
	switch name {
	case "", RowMajor:
		return rowMajor, true
	case ShuffledRowMajor:
		return sorted(morton), true
	case Snake:
		return sorted(snake), true
	case ShuffledSnake:
		return sorted(shuffledSnake), true
	case MiddleOut:
		return sorted(middleOut), true
	case Hilbert:
		return hilbertCurve, true
	}
	return nil, false
}

// rowMajor lists the cells of a box by number.
func rowMajor(sides []int) []int {
	cells := make([]int, volume(sides))
	for i := range cells {
		cells[i] = i
	}
	return cells
}

// sorted makes a curve from a key, which orders the cells. Only the comparison of two
// keys is meaningful.
func sorted(key func(at, sides []int) uint64) Curve {
	return func(sides []int) []int {
		cells, at := rowMajor(sides), make([]int, len(sides))
		keys := make([]uint64, len(cells))
		for cell := range cells {
			locate(at, cell, sides)
			keys[cell] = key(at, sides)
		}
		slices.SortFunc(cells, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		return cells
	}
}

// middleOut visits the rows from the lowest one. It visits each row from its middle,
// alternating between both sides at equal distances.
func middleOut(at, sides []int) uint64 {
	x, width, row := at[0], sides[0], 0
	for d := len(sides) - 1; d > 0; d-- {
		row = row*sides[d] + at[d]
	}
	position := 2 * (width/2 - 1 - x) // 0, 2, 4, ... leftward
	if x >= width/2 {
		position = 2*(x-width/2) + 1 // 1, 3, 5, ... rightward
	}
	return uint64(row*(width+1) + position) // the odd one out is the last of its row
}

// snake visits the rows from the lowest one, odd rows from the right, and the planes
// likewise. A dimension runs backward if the sum of the coordinates above it is odd, so
// consecutive cells are always neighbours.
func snake(at, sides []int) uint64 {
	key, odd := uint64(0), 0
	for d := len(at) - 1; d >= 0; d-- {
		x := at[d]
		if odd&1 == 1 {
			x = sides[d] - 1 - x
		}
		key = key*uint64(sides[d]) + uint64(x)
		odd += at[d]
	}
	return key
}

// morton interleaves the bits of all coordinates (Morton 1966). Among bits of the same
// weight those of the last dimension come highest. In two dimensions it is the shuffled
// row-major order of [Lo et al. 1994, Fig. 2b].
//
// Bits that are zero for all cells are left out. So the size of the enclosing box has
// no effect, and the key of the longest box fits in a word.
func morton(at, sides []int) uint64 {
	key, weight, longest := uint64(0), uint64(1), slices.Max(sides)
	for bit := 0; 1<<bit < longest; bit++ {
		for d, side := range sides {
			if 1<<bit < side {
				key |= uint64(at[d]>>bit&1) * weight
				weight <<= 1
			}
		}
	}
	return key
}

// shuffledSnake applies the snake at every level of bits: it counts a bit from the far
// end if the bits above it of the same weight have an odd sum. The paper gives the
// order in two dimensions and only as a figure [Lo et al. 1994, Fig. 2d]. Bits that
// morton leaves out of the reflected coordinates follow from those above.
func shuffledSnake(at, sides []int) uint64 {
	reflected, above := make([]int, len(at)), 0
	for d := len(at) - 1; d >= 0; d-- {
		reflected[d] = at[d] ^ above
		above ^= at[d]
	}
	return morton(reflected, sides)
}

// locate sets at to the coordinates of a cell.
func locate(at []int, cell int, sides []int) {
	for d, side := range sides {
		at[d] = cell % side
		cell /= side
	}
}

// cellAt returns the number of the cell at the coordinates.
func cellAt(at, sides []int) int {
	cell := 0
	for d := len(at) - 1; d >= 0; d-- {
		cell = cell*sides[d] + at[d]
	}
	return cell
}

// volume returns the number of cells of a box.
func volume(sides []int) int {
	v := 1
	for _, side := range sides {
		v *= side
	}
	return v
}
