package order

import (
	"fmt"
	"slices"
	"testing"
)

// boxesOf lists all boxes of up to the given numbers of dimensions and cells whose
// sides pass a test.
func boxesOf(dims, cells int, side func(int) bool) [][]int {
	all := [][]int{{}}
	var out [][]int
	for len(all) > 0 {
		box := all[0]
		all = all[1:]
		for n := 1; n*volume(box) <= cells && len(box) < dims; n++ {
			if side(n) {
				longer := append(slices.Clone(box), n)
				all = append(all, longer)
				out = append(out, longer)
			}
		}
	}
	return out
}

func anySide(int) bool { return true }

func powerOfTwo(side int) bool { return side&(side-1) == 0 }

// curvesFor lists the possible curves of a box.
func curvesFor(sides []int) []string {
	return []string{RowMajor, ShuffledRowMajor, Snake, ShuffledSnake, Hilbert}
}

// manhattan returns the L1 distance of two cells and the square of the Euclidean
// distance.
func manhattan(a, b int, sides []int) (l1, l2 int) {
	p, q := make([]int, len(sides)), make([]int, len(sides))
	locate(p, a, sides)
	locate(q, b, sides)
	for d := range sides {
		gap := max(p[d]-q[d], q[d]-p[d])
		l1, l2 = l1+gap, l2+gap*gap
	}
	return l1, l2
}

func draw(t testing.TB, name string, sides ...int) []int {
	t.Helper()
	c, ok := CurveByName(name)
	if !ok {
		t.Fatalf("no curve %q", name)
	}
	return c(sides)
}

// Every curve visits every cell of every box once.
func TestCurvesArePermutations(t *testing.T) {
	for _, sides := range boxesOf(4, 60, anySide) {
		for _, name := range curvesFor(sides) {
			cells := draw(t, name, sides...)
			slices.Sort(cells)
			if !slices.Equal(cells, rowMajor(sides)) {
				t.Fatalf("%s in %v: sorted cells are %v", name, sides, cells)
			}
		}
	}
}

// Consecutive cells of Hilbert's curve are neighbours in every box whose sides are
// powers of two. Those of the snake are neighbours in every box.
func TestCurvesOfNeighbours(t *testing.T) {
	for _, c := range []struct {
		name  string
		boxes [][]int
	}{
		{Hilbert, boxesOf(6, 256, powerOfTwo)},
		{Hilbert, [][]int{{64, 64}, {16, 16, 16}, {128, 32}, {8, 32, 16}}},
		{Snake, boxesOf(4, 100, anySide)},
	} {
		for _, sides := range c.boxes {
			cells := draw(t, c.name, sides...)
			for i := 1; i < len(cells); i++ {
				if l1, _ := manhattan(cells[i-1], cells[i], sides); l1 != 1 {
					t.Fatalf("%s in %v: from cell %d to %d it jumps by %d", c.name, sides,
						cells[i-1], cells[i], l1)
				}
			}
		}
	}
}

// A box so long in one dimension that the interleaved bits of all dimensions would not
// fit in a word.
func TestShuffledOrdersOfALongBox(t *testing.T) {
	sides := []int{1 << 17, 2, 1, 2, 2}
	for _, name := range []string{ShuffledRowMajor, ShuffledSnake} {
		cells := draw(t, name, sides...)
		if first, last := cells[:16], cells[len(cells)-16:]; slices.Max(first)%(1<<17) > 1 ||
			slices.Min(last)%(1<<17) < 1<<17-2 {
			t.Errorf("%s of %v: begins with %v, ends with %v", name, sides, first, last)
		}
	}
}

// The distance of cells whose ranks differ by d, as the squares of the distances over d. Hilbert's
// curve stays within 6 (Euclidean) and 9 (Manhattan) in two dimensions [Niedermeier, Reinhardt,
// Sanders 1997]. Both bounds are nearly reached.
func TestLocality(t *testing.T) {
	sides := []int{32, 32}
	cells := draw(t, Hilbert, sides...)
	maxL1, maxL2 := 0.0, 0.0
	for i := range cells {
		for j := range i {
			l1, l2 := manhattan(cells[i], cells[j], sides)
			maxL1, maxL2 = max(maxL1, float64(l1*l1)/float64(i-j)), max(maxL2, float64(l2)/float64(i-j))
		}
	}
	if maxL2 > 6 || maxL2 < 0.85*6 || maxL1 > 9 || maxL1 < 0.85*9 {
		t.Errorf("distances squared over difference in rank reach %.2f (Euclidean, bound 6) and %.2f "+
			"(Manhattan, bound 9)", maxL2, maxL1)
	}
}

// A box whose sides are not powers of two has the curve of the enclosing box without
// the cells outside.
func TestEnclosingCurve(t *testing.T) {
	for _, c := range []struct {
		name             string
		sides, enclosing []int
	}{
		{Hilbert, []int{8, 8, 5}, []int{8, 8, 8}}, {Hilbert, []int{10, 10}, []int{16, 16}},
		{Hilbert, []int{12, 3}, []int{16, 4}},
		{ShuffledRowMajor, []int{5, 3}, []int{8, 8}},
		{ShuffledSnake, []int{5, 3, 2}, []int{8, 8, 8}}, {ShuffledSnake, []int{2, 7, 3}, []int{8, 8, 8}},
		{ShuffledRowMajor, []int{3, 1, 9}, []int{16, 16, 16}},
	} {
		t.Run(fmt.Sprint(c.name, c.sides), func(t *testing.T) {
			var want []int
			at := make([]int, len(c.sides))
			for _, cell := range draw(t, c.name, c.enclosing...) {
				if locate(at, cell, c.enclosing); inside(at, c.sides) {
					want = append(want, cellAt(at, c.sides))
				}
			}
			if got := draw(t, c.name, c.sides...); !slices.Equal(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
		})
	}
}
