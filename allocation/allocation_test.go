package allocation

import (
	"slices"
	"testing"
)

// The rule of NearSquare compared with its definition, for all sizes on all machines up
// to 9x9.
func TestNearSquare(t *testing.T) {
	for width := 1; width <= 9; width++ {
		for height := 1; height <= 9; height++ {
			for size := 1; size <= width*height; size++ {
				wantW, wantH := plainNearSquare(size, width, height)
				w, h, ok := NearSquare(size, width, height)
				if !ok || w != wantW || h != wantH {
					t.Errorf("%d on %dx%d: %dx%d %v, want %dx%d", size, width, height, w, h, ok, wantW, wantH)
				}
			}
			if w, h, ok := NearSquare(width*height+1, width, height); ok {
				t.Errorf("%d on %dx%d: %dx%d", width*height+1, width, height, w, h)
			}
		}
	}
}

// plainNearSquare tries every width.
func plainNearSquare(size, machineWidth, machineHeight int) (width, height int) {
	for w := machineWidth; w >= 1; w-- {
		h := (size + w - 1) / w
		if h <= machineHeight && (width == 0 || max(w-h, h-w) < max(width-height, height-width)) {
			width, height = w, h
		}
	}
	return width, height
}

// NearCube is NearSquare on two dimensions. On more it fits the machine, has room for the size but
// not with a row less, and a cube gets a cube.
func TestNearCube(t *testing.T) {
	for _, machine := range [][]int{{9}, {5, 7}, {4, 4, 4}, {6, 2, 5}, {2, 3, 2, 4}, {3, 1, 1, 5}} {
		nodes := volume(machine)
		for size := 1; size <= nodes; size++ {
			sides, ok := NearCube(nil, size, machine)
			if !ok || len(sides) != len(machine) || volume(sides) < size {
				t.Fatalf("%d on %v: %v %v", size, machine, sides, ok)
			}
			for d, side := range sides {
				if side < 1 || side > machine[d] || d == 1 && volume(sides)/side*(side-1) >= size {
					t.Errorf("%d on %v: %v", size, machine, sides)
				}
			}
			if w, h, _ := NearSquare(size, machine[0], nodes/machine[0]); len(machine) == 2 &&
				!slices.Equal(sides, []int{w, h}) {
				t.Errorf("%d on %v: %v, want %dx%d", size, machine, sides, w, h)
			}
		}
		if sides, ok := NearCube(nil, nodes+1, machine); ok {
			t.Errorf("%d on %v: %v", nodes+1, machine, sides)
		}
	}
	for dims := 1; dims <= 4; dims++ {
		for side := 1; side <= 4; side++ {
			cube := slices.Repeat([]int{side}, dims)
			got, _ := NearCube(nil, volume(cube), slices.Repeat([]int{5}, dims))
			if dims > 1 && !slices.Equal(got, cube) {
				t.Errorf("%v became %v", cube, got)
			}
		}
	}
}

func volume(sides []int) int {
	v := 1
	for _, side := range sides {
		v *= side
	}
	return v
}
