package order

import "math/bits"

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

// orient chooses the edge along which the curve crosses a cube, from the corner entry to
// the other end, so that it ends on the face towards the next cube. far is the bit in
// which that end differs from the entry of the next cube.
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
