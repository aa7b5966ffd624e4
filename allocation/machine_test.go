package allocation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/netsim/topology"

	"pgregory.net/rapid"
)

// mesh returns a machine of the given sides.
func mesh(t testing.TB, dims ...int) *topology.Cube {
	t.Helper()
	cube, err := topology.NewCube(topology.CubeConfig{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	return cube
}

// makeAllocator makes an allocator from its short form, random with a fixed seed.
func makeAllocator(t testing.TB, short string, machine topology.Topology) Allocator {
	t.Helper()
	c, err := Parse(short)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(c, machine, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shortForms lists allocators that a width x height mesh admits.
func shortForms(width, height int) []string {
	forms := []string{"random", "mbs", "first-fit", "best-fit", "frame-sliding",
		"first-fit:rotate", "best-fit:rotate", "frame-sliding:rotate"}
	for page := 0; width%(1<<page) == 0 && height%(1<<page) == 0; page++ {
		for _, order := range Orders() {
			forms = append(forms, fmt.Sprintf("paging:%d,%s", page, order.Name))
		}
	}
	if width == height && width&(width-1) == 0 {
		forms = append(forms, "buddy2d")
	}
	return forms
}

// requests lists all requests that make sense for a machine: every size
// without a shape, and every shape, up to one too large in each direction.
func requests(width, height int) []Request {
	var all []Request
	for size := 1; size <= width*height+1; size++ {
		all = append(all, Request{Size: size})
	}
	for h := 1; h <= height+1; h++ {
		for w := 1; w <= width+1; w++ {
			all = append(all, Request{Size: w * h, Shape: []int{w, h}})
		}
	}
	return all
}

// freeSet makes a FreeSet of exactly the nodes marked.
func freeSet(free []bool) *FreeSet {
	f := NewFreeSet(len(free))
	for n, yes := range free {
		if !yes {
			f.Take([]topology.Node{topology.Node(n)})
		}
	}
	return f
}

// drawFree draws a set of free nodes, by rectangles as well as single nodes, so that large free areas come up too.
func drawFree(rt *rapid.T, width, height int) []bool {
	free := make([]bool, width*height)
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 8).Draw(rt, "rectangles") {
		x := rapid.IntRange(0, width-1).Draw(rt, "x")
		y := rapid.IntRange(0, height-1).Draw(rt, "y")
		w := rapid.IntRange(1, width-x).Draw(rt, "w")
		h := rapid.IntRange(1, height-y).Draw(rt, "h")
		set := rapid.Bool().Draw(rt, "set")
		for j := y; j < y+h; j++ {
			for i := x; i < x+w; i++ {
				free[i+width*j] = set
			}
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, width*height-1), 0, 6).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}

func drawRequest(rt *rapid.T, width, height int) Request {
	if rapid.Bool().Draw(rt, "shaped") {
		w := rapid.IntRange(1, width+1).Draw(rt, "width")
		h := rapid.IntRange(1, height+1).Draw(rt, "height")
		return Request{Size: w * h, Shape: []int{w, h}}
	}
	return Request{Size: rapid.IntRange(1, width*height+1).Draw(rt, "size")}
}
