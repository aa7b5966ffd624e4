package order

import (
	"cmp"
	"math/bits"
	"slices"
)

// A curve lists the cells of a box of the given sides, each cell once. Cell (x, y, z,
// ...) has the number x + X·(y + Y·(z + ...)), with x fastest. The same curves put
// processors and pages in order.
type Curve func(sides []int) []int

// CurveByName returns the curve of an order of nodes. The shuffled curves, Hilbert's and H-indexing
// are defined on boxes whose sides are powers of two. Any other box uses the curve of an enclosing
// box, without the cells outside.
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
	case HIndex:
		return hIndexCurve, true
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

// sorted makes a curve that lists the cells in the order of their keys. Only the order of keys is
// meaningful.
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

// snake visits the rows from the lowest one, odd rows from the right, and the planes in the same
// manner. A dimension runs backward if the sum of the coordinates above it is odd, so consecutive
// cells are always neighbours.
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
// Bits that are zero for all cells are left out. So the key does not depend on the size of the
// enclosing box, and the key of the longest box fits in a word.
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

// shuffledSnake applies the snake at every level of bits: it counts a bit from the far end if the
// bits above it of the same weight have an odd sum. The paper shows the order in a figure, in two
// dimensions [Lo et al. 1994, Fig. 2d]. Bits that morton leaves out of the reflected coordinates
// follow from those above.
func shuffledSnake(at, sides []int) uint64 {
	reflected, above := make([]int, len(at)), 0
	for d := len(at) - 1; d >= 0; d-- {
		reflected[d] = at[d] ^ above
		above ^= at[d]
	}
	return morton(reflected, sides)
}

// hIndexCurve is H-indexing [Niedermeier, Reinhardt, Sanders 1997], a closed curve through a square
// of side 2^n in the manner of Sierpinski's. The Euclidean distance of two cells is below 2·sqrt(d)
// if their ranks differ by d; on Hilbert's curve it reaches sqrt(6·d). It begins in the corner (0,
// 0) and goes up.
func hIndexCurve(sides []int) []int {
	side := 1
	for side < max(sides[0], sides[1]) {
		side *= 2
	}
	start := hIndex(0, 0, side)
	whole := make([]int, side*side)
	for i := range whole {
		whole[i] = -1
	}
	for y := range sides[1] {
		for x := range sides[0] {
			back := start - hIndex(x, y, side) // counted against the direction of hIndex
			whole[(back+side*side)%(side*side)] = x + sides[0]*y
		}
	}
	return slices.DeleteFunc(whole, func(cell int) bool { return cell < 0 })
}

// hIndex returns the position of a cell on the closed curve of a square,
// counter-clockwise.
//
// The curve visits the quadrants in turn. In each quadrant it is the curve of half the
// side, cut open beside the cell nearest to the centre of the square, on the side of
// the row. The right and upper quadrants are mirror images, and each reflection
// reverses the direction. For a square of 2 the curve is the square itself, for one of
// 4 the outline of an H.
func hIndex(x, y, side int) int {
	if side == 1 {
		return 0
	}
	half := side / 2
	quadrant, mirrored := 0, false
	if x >= half {
		x, quadrant, mirrored = side-1-x, 1, true
	}
	if y >= half {
		y, quadrant, mirrored = side-1-y, 3-quadrant, !mirrored
	}
	// The curve of half the side is opened at the cell left of its upper right corner.
	// That cell is 5/8 round the curve, and in a square of 2 it is the last.
	cells := half * half
	open := (5*cells + 4) / 8
	position := (hIndex(x, y, half) - open + 2*cells) % cells
	if mirrored {
		position = cells - 1 - position
	}
	return quadrant*cells + position
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

// hilbertCurve is Hilbert's curve [Hilbert 1891] in any number of dimensions, as
// defined by Hamilton and Rau-Chaplin (Compact Hilbert indices, 2007, sec. 2). It
// begins in the corner (0, 0, ...). In a square it ends in the corner with the largest
// x.
//
// A box whose sides are powers of two is cut into the largest equal cubes. The curve
// visits them along the Hilbert curve of the box of cubes. Each cube is turned so that
// it ends next to the following one. So consecutive cells are neighbours in every such
// box, cubic or not. Any other box uses the curve of the smallest such box that holds
// it.
func hilbertCurve(sides []int) []int {
	enclosing := make([]int, len(sides))
	for d, side := range sides {
		enclosing[d] = 1 << bits.Len(uint(side-1))
	}
	at := make([]int, len(sides))
	cells := make([]int, 0, volume(sides))
	for _, cell := range hilbertBox(enclosing) {
		locate(at, cell, enclosing)
		if inside(at, sides) {
			cells = append(cells, cellAt(at, sides))
		}
	}
	return cells
}

// inside reports whether coordinates lie in a box.
func inside(at, sides []int) bool {
	for d, x := range at {
		if x >= sides[d] {
			return false
		}
	}
	return true
}

// hilbertBox lists the cells of a box whose sides are powers of two.
func hilbertBox(sides []int) []int {
	var axes []int
	side := 0 // side of the cubes, as a power of two
	for d, length := range sides {
		if length > 1 {
			axes = append(axes, d)
			if side == 0 || length < side {
				side = length
			}
		}
	}
	if len(axes) < 2 {
		return rowMajor(sides)
	}
	cubes := make([]int, len(sides))
	for d, length := range sides {
		cubes[d] = max(1, length/side)
	}
	h := hilbertCube{axes: axes, sides: sides, corner: make([]int, len(sides))}
	at, next := make([]int, len(sides)), make([]int, len(sides))
	path, entry := hilbertBox(cubes), 0
	for i, cube := range path {
		locate(at, cube, cubes)
		locate(next, path[min(i+1, len(path)-1)], cubes)
		leave, far := h.orient(at, next, entry)
		for _, d := range axes {
			h.corner[d] = at[d] * side
		}
		h.visit(side, entry, leave)
		entry = entry ^ 1<<leave ^ far
	}
	return h.cells
}

// hilbertCube lists the cells of cubes within a box. A corner of a cube is a word with
// a bit for each axis, which is set at the far end.
type hilbertCube struct {
	axes   []int // dimensions that a cube extends in
	sides  []int // sides of the box
	corner []int // cell of the cube nearest to the origin
	cells  []int
}

// orient chooses the edge along which the curve crosses a cube, from the corner entry to another
// corner on the face towards the next cube. far is the bit in which that corner differs from the
// entry of the next cube.
func (h *hilbertCube) orient(at, next []int, entry int) (leave, far int) {
	for i, d := range h.axes {
		if at[d] == next[d] {
			continue
		}
		face := 0
		if next[d] > at[d] {
			face = 1
		}
		if entry>>i&1 == face { // already at that face: cross another way
			return (i + 1) % len(h.axes), 1 << i
		}
		return i, 1 << i
	}
	return 0, 0 // the last cube
}

// visit appends the cells of a cube, from the corner entry to the corner at the other
// end of its edge along the axis leave. It visits 2^n smaller cubes in the order of the
// Gray code, turned to that edge.
func (h *hilbertCube) visit(side, entry, leave int) {
	if side == 1 {
		h.cells = append(h.cells, cellAt(h.corner, h.sides))
		return
	}
	n, half := len(h.axes), side/2
	for i := range 1 << n {
		corner := rotateBits(gray(i), leave+1, n) ^ entry
		h.shift(corner, half)
		h.visit(half, entry^rotateBits(subEntry(i), leave+1, n), (leave+subLeave(i, n)+1)%n)
		h.shift(corner, -half)
	}
}

// shift moves the cube towards a corner.
func (h *hilbertCube) shift(corner, by int) {
	for i, d := range h.axes {
		h.corner[d] += by * (corner >> i & 1)
	}
}

// gray returns the i-th code of the Gray code.
func gray(i int) int { return i ^ i>>1 }

// subEntry returns the corner at which the curve enters the i-th smaller cube, if the
// whole runs from the origin along the last axis (their Theorem 2.10).
func subEntry(i int) int {
	if i == 0 {
		return 0
	}
	return gray((i - 1) / 2 * 2)
}

// subLeave returns the axis along which the curve crosses the i-th smaller cube (their
// Lemma 2.8).
func subLeave(i, n int) int {
	switch {
	case i == 0:
		return 0
	case i&1 == 0:
		return bits.TrailingZeros(^uint(i-1)) % n
	}
	return bits.TrailingZeros(^uint(i)) % n
}

// rotateBits rotates the n low bits of a word to the left.
func rotateBits(word, by, n int) int {
	by %= n
	return (word<<by | word>>(n-by)) & (1<<n - 1)
}
