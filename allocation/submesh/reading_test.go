package submesh

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// freed returns a 6x6 machine on which the places marked # are busy. The last line is
// row 0.
func freed(t *testing.T, picture ...string) (topology.Topology, *allocation.FreeSet) {
	t.Helper()
	m := machinetest.Mesh(t, 6, 6)
	f := allocation.NewFreeSet(m.Nodes())
	for i, line := range picture {
		for x, mark := range line {
			if mark == '#' {
				f.Take([]topology.Node{topology.Node((len(picture)-1-i)*6 + x)})
			}
		}
	}
	return m, f
}

// corner returns the lowest processor of the frame that an allocator takes, or -1 if it
// refuses.
func corner(t *testing.T, short string, m topology.Topology, f *allocation.FreeSet,
	width, height int) topology.Node {
	t.Helper()
	nodes, ok := makeForm(t, short, m).Allocate(nil, f,
		allocation.Request{Size: width * height, Shape: []int{width, height}})
	if !ok {
		return -1
	}
	return slices.Min(nodes)
}

// Best fit by boundary takes the frame with the most closed places along its sides,
// which is not always the one with the most closed sides.
func TestBestFitScores(t *testing.T) {
	m := machinetest.Mesh(t, 6, 6)
	sides, boundary := 0, 0
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		f := allocation.NewFreeSet(m.Nodes())
		for n := range topology.Node(m.Nodes()) {
			if rng.IntN(4) == 0 {
				f.Take([]topology.Node{n})
			}
		}
		a, b := corner(t, "best-fit", m, f, 2, 2), corner(t, "best-fit:boundary", m, f, 2, 2)
		if b != longest(f, 2, 2) {
			t.Fatalf("by boundary: %d, want %d", b, longest(f, 2, 2))
		}
		if a == b {
			sides++
		} else {
			boundary++
		}
	}
	if boundary < 20 {
		t.Errorf("the scores differ in %d of %d decisions", boundary, sides+boundary)
	}
}

// longest returns the frame of a 6x6 mesh with the longest closed boundary.
func longest(f *allocation.FreeSet, width, height int) topology.Node {
	free := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < 6 && y < 6 && f.Free(topology.Node(y*6+x))
	}
	best, most := topology.Node(-1), -1
	for y := 0; y+height <= 6; y++ {
	next:
		for x := 0; x+width <= 6; x++ {
			closed := 0
			for v := y - 1; v <= y+height; v++ {
				for u := x - 1; u <= x+width; u++ {
					across, along := u == x-1 || u == x+width, v == y-1 || v == y+height
					switch {
					case !across && !along && !free(u, v):
						continue next
					case across != along && !free(u, v):
						closed++
					}
				}
			}
			if closed > most {
				best, most = topology.Node(y*6+x), closed
			}
		}
	}
	return best
}

// Frame sliding from any free processor starts at the lower right corner, where a frame
// does not fit. It misses what a start further up finds.
func TestFrameSlidingStarts(t *testing.T) {
	m, f := freed(t,
		"######",
		"######",
		"##..##",
		"##..##",
		"######",
		"#####.")
	if got := corner(t, "frame-sliding", m, f, 2, 2); got != 14 {
		t.Errorf("from where it fits: %d, want 14", got)
	}
	if got := corner(t, "frame-sliding:free", m, f, 2, 2); got != -1 {
		t.Errorf("from any free processor: %d, want none", got)
	}
}
