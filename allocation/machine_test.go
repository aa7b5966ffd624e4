package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim/topology"
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

// makeAllocator returns an allocator from its short form, random with a fixed seed.
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

// shortForms lists the allocators that work on a width x height mesh.
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

// requests lists all valid requests on a machine: every size without a shape and every
// shape, up to one too large in each direction.
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

// freeSet returns a FreeSet of exactly the marked nodes.
func freeSet(free []bool) *FreeSet {
	f := NewFreeSet(len(free))
	for n, yes := range free {
		if !yes {
			f.Take([]topology.Node{topology.Node(n)})
		}
	}
	return f
}

// drawFree draws a set of free nodes. It draws rectangles as well as single nodes, so
// that large free areas occur too.
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

// graph is a machine of any shape: routers with lists of neighbours, and nodes on the
// listed routers.
type graph struct {
	next  [][]int
	homes []int // router of each node
}

func (g graph) Nodes() int { return len(g.homes) }

func (g graph) Routers() int { return len(g.next) }

func (g graph) Ports() int {
	most := 0
	for _, next := range g.next {
		most = max(most, len(next))
	}
	return most + len(g.homes)
}

func (g graph) Attach(n topology.Node) (topology.Router, topology.Port) {
	return topology.Router(g.homes[n]), topology.Port(g.Ports() - len(g.homes) + int(n))
}

func (g graph) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	if int(p) >= len(g.next[r]) {
		return 0, 0, false
	}
	to := g.next[r][p]
	return topology.Router(to), topology.Port(slices.Index(g.next[to], int(r))), true
}

// irregular returns a connected graph: a random tree with more channels, a third of its
// routers without nodes, the others with up to three.
func irregular(routers int) graph {
	stream := rand.New(rand.NewPCG(4, uint64(routers)))
	g := graph{next: make([][]int, routers)}
	join := func(a, b int) {
		if a != b && !slices.Contains(g.next[a], b) {
			g.next[a], g.next[b] = append(g.next[a], b), append(g.next[b], a)
		}
	}
	for r := 1; r < routers; r++ {
		join(r, stream.IntN(r))
	}
	for range routers / 2 {
		join(stream.IntN(routers), stream.IntN(routers))
	}
	for r := range routers {
		for range stream.IntN(4) * stream.IntN(2) {
			g.homes = append(g.homes, r)
		}
	}
	return g
}

func cube(t testing.TB, c topology.CubeConfig) *topology.Cube {
	t.Helper()
	machine, err := topology.NewCube(c)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// cplant returns the machine of [Leung et al. 2002, sec. 4]: an 8x8 torus of routers,
// four rows of which have four processors on each. The paper does not say which rows.
func cplant(t testing.TB) *topology.Cube {
	return cube(t, topology.CubeConfig{Dims: []int{8, 8}, Wrap: []bool{true, true}, Concentration: 4,
		ServiceRows: []int{4, 5, 6, 7}})
}
