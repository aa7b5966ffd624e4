package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// checkDecision compares one decision with the rules of all allocators and, if there is
// one, with the reference.
func checkDecision(t rapid.TB, short string, a Allocator, width, height int, free []bool,
	f *FreeSet, req Request) {
	t.Helper()
	c, err := Parse(short)
	if err != nil {
		t.Fatal(err)
	}
	where := func() string {
		return fmt.Sprintf("%s, %dx%d, %v of free %v", short, width, height, req, free)
	}
	before := slices.Clone(f.words)
	prefix := []topology.Node{-7, -8}
	got, ok := a.Allocate(prefix, f, req)
	if !slices.Equal(before, f.words) {
		t.Fatalf("%s: the free set changed", where())
	}
	if !slices.Equal(got[:2], prefix) {
		t.Fatalf("%s: dst was overwritten: %v", where(), got[:2])
	}
	got = got[2:]
	if !ok && len(got) != 0 {
		t.Fatalf("%s: refused, but appended %v", where(), got)
	}
	if ok && len(got) < req.Size {
		t.Fatalf("%s: only %d nodes", where(), len(got))
	}
	// By Corollary 1 of [Lo et al. 1994], and by construction for the center-based
	// allocators.
	nonContiguous := c.Name == "random" || c.Name == "mbs" || c.Name == "paging" && c.Page == 0 ||
		isCentered(c.Name) && len(req.Shape) <= 2
	exact := nonContiguous || c.Name != "buddy2d" && c.Name != "paging" && req.Shape != nil
	if ok && exact && len(got) != req.Size {
		t.Fatalf("%s: %d nodes where exactly %d were due", where(), len(got), req.Size)
	}
	seen := map[topology.Node]bool{}
	for _, n := range got {
		if seen[n] || !free[n] {
			t.Fatalf("%s: node %d twice or not free", where(), n)
		}
		seen[n] = true
	}
	if nonContiguous {
		if enough := req.Size <= f.Count(); ok != enough {
			t.Fatalf("%s: placed %v with %d free", where(), ok, f.Count())
		}
	}
	if ok && a.Check(req) != nil {
		t.Fatalf("%s: placed what Check refuses: %v", where(), a.Check(req))
	}
	if c.Name == "random" || c.Name == "optimal" {
		return
	}
	want, placed := reference{width, height, free}.allocate(c, req)
	if !placed {
		want = nil
	}
	if ok != placed || !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v %v\nwant %v %v", where(), got, ok, want, placed)
	}
}

// Every free set of small machines, every request, every allocator.
func TestExhaustive(t *testing.T) {
	for _, dims := range [][2]int{{2, 4}, {4, 2}, {3, 3}, {1, 5}, {5, 1}} {
		width, height := dims[0], dims[1]
		for _, short := range shortForms(width, height) {
			a := makeAllocator(t, short, mesh(t, width, height))
			for set := range 1 << (width * height) {
				free := make([]bool, width*height)
				for n := range free {
					free[n] = set>>n&1 == 1
				}
				f := freeSet(free)
				for _, req := range requests(width, height) {
					checkDecision(t, short, a, width, height, free, f, req)
				}
			}
		}
	}
}

// Random free sets of machines of all kinds: powers of two and others, some longer than
// a word. One draw serves every allocator.
func TestAgainstReferences(t *testing.T) {
	for _, dims := range [][2]int{{5, 4}, {8, 8}, {10, 10}, {12, 10}, {7, 3}, {1, 9}, {16, 16},
		{66, 5}, {3, 70}, {128, 4}} {
		width, height := dims[0], dims[1]
		t.Run(fmt.Sprintf("%dx%d", width, height), func(t *testing.T) {
			made := map[string]Allocator{}
			for _, short := range shortForms(width, height) {
				made[short] = makeAllocator(t, short, mesh(t, width, height))
			}
			rapid.Check(t, func(rt *rapid.T) {
				free := drawFree(rt, width, height)
				f := freeSet(free)
				req := drawRequest(rt, width, height)
				for _, short := range shortForms(width, height) {
					checkDecision(rt, short, made[short], width, height, free, f, req)
				}
			})
		})
	}
}

// Many more free sets from the plain generator: nodes free with a random density, then
// random rectangles made free or busy. The last machine has blocks, and so shifts, of
// more than a word.
func TestThousandsOfFreeSets(t *testing.T) {
	for _, c := range []struct{ width, height, sets int }{{5, 4, 3000}, {8, 8, 3000}, {10, 10, 3000},
		{130, 129, 12}} {
		t.Run(fmt.Sprintf("%dx%d", c.width, c.height), func(t *testing.T) {
			stream := rand.New(rand.NewPCG(3, uint64(c.width)))
			made := map[string]Allocator{}
			for _, short := range shortForms(c.width, c.height) {
				made[short] = makeAllocator(t, short, mesh(t, c.width, c.height))
			}
			free := make([]bool, c.width*c.height)
			for range c.sets {
				scatter(stream, free, c.width, c.height)
				f := freeSet(free)
				w, h := 1+stream.IntN(c.width), 1+stream.IntN(c.height)
				shaped := Request{w * h, []int{w, h}}
				for _, short := range shortForms(c.width, c.height) {
					checkDecision(t, short, made[short], c.width, c.height, free, f, shaped)
					checkDecision(t, short, made[short], c.width, c.height, free, f,
						Request{Size: 1 + stream.IntN(1+f.Count())})
				}
			}
		})
	}
}

func scatter(stream *rand.Rand, free []bool, width, height int) {
	density := stream.Float64()
	for n := range free {
		free[n] = stream.Float64() < density
	}
	for range stream.IntN(6) {
		x, y, set := stream.IntN(width), stream.IntN(height), stream.IntN(3) > 0
		w, h := 1+stream.IntN(width-x), 1+stream.IntN(height-y)
		for j := y; j < y+h; j++ {
			for i := x; i < x+w; i++ {
				free[i+width*j] = set
			}
		}
	}
}

// Check accepts a request exactly if the empty machine can serve it.
func TestCheckIsTheEmptyMachine(t *testing.T) {
	for _, dims := range [][2]int{{4, 4}, {8, 8}, {5, 4}, {7, 3}, {1, 6}, {6, 1}} {
		width, height := dims[0], dims[1]
		f := NewFreeSet(width * height)
		for _, short := range slices.Concat(shortForms(width, height), centerForms(),
			[]string{"optimal:100"}) {
			a := makeAllocator(t, short, mesh(t, width, height))
			all := append(requests(width, height), Request{Size: 4, Shape: []int{2, 1, 2}},
				Request{Size: 1, Shape: []int{1}})
			for _, req := range all {
				_, ok := a.Allocate(nil, f, req)
				if err := a.Check(req); ok != (err == nil) {
					t.Errorf("%s on %dx%d, %v: placed %v, check says %v", short, width, height, req, ok, err)
				}
			}
		}
	}
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct {
		short, want string
		req         Request
		dims        []int
	}{
		{"first-fit", "asks for 17x4 processors; the 16x16 mesh has no such submesh",
			Request{68, []int{17, 4}}, []int{16, 16}},
		{"buddy2d", "asks for 17x4 processors; the 16x16 mesh has no such submesh",
			Request{68, []int{17, 4}}, []int{16, 16}},
		{"mbs", "asks for 300 processors; the machine has 256", Request{300, nil}, []int{16, 16}},
		{"random", "asks for 0 processors; a job needs at least one", Request{}, []int{16, 16}},
		{"paging:1", "asks for 5 processors in a submesh of 3x2, which has 6",
			Request{5, []int{3, 2}}, []int{16, 16}},
		{"mbs", "asks for a submesh of -2x-2 processors; each side must be at least 1",
			Request{4, []int{-2, -2}}, []int{16, 16}},
		{"first-fit", "asks for 2x2x2 processors; the 16x16 mesh has only two dimensions",
			Request{8, []int{2, 2, 2}}, []int{16, 16}},
		{"frame-sliding", "asks for 4x17 processors; the 20x8 mesh has no such submesh, but one of " +
			"17x4: ask for that, or use frame-sliding:rotate", Request{68, []int{4, 17}}, []int{20, 8}},
		{"best-fit:rotate", "", Request{68, []int{4, 17}}, []int{20, 8}},
		{"first-fit", "", Request{13, nil}, []int{10, 10}},
	} {
		got := ""
		if err := makeAllocator(t, c.short, mesh(t, c.dims...)).Check(c.req); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %v: (-want +got)\n%s", c.short, c.req, diff)
		}
	}
}

func TestPanicsOnSenselessRequest(t *testing.T) {
	for _, short := range slices.Concat(shortForms(8, 8), centerForms(), []string{"optimal"}) {
		a := makeAllocator(t, short, mesh(t, 8, 8))
		for _, req := range []Request{{}, {Size: -1}, {Size: 7, Shape: []int{2, 3}}} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s takes %v", short, req)
					}
				}()
				a.Allocate(nil, NewFreeSet(64), req)
			}()
		}
	}
}

// Once its buffers have grown no allocator allocates memory.
func TestNoMemoryInSteadyState(t *testing.T) {
	machine := mesh(t, 32, 32)
	f := halfFull(t, machine)
	for _, short := range slices.Concat(shortForms(32, 32), centerForms(), []string{"optimal:10"}) {
		a := makeAllocator(t, short, machine)
		dst := make([]topology.Node, 0, machine.Nodes())
		for _, req := range []Request{{Size: 64}, {Size: 64, Shape: []int{8, 8}},
			{Size: 24, Shape: []int{8, 3}}, {Size: 1000}} {
			if n := testing.AllocsPerRun(20, func() { a.Allocate(dst, f, req) }); n != 0 {
				t.Errorf("%s, %v: %v allocations a decision", short, req, n)
			}
		}
	}
}

// On a torus the allocators of submeshes use the mesh that it contains.
func TestTorusIsItsMesh(t *testing.T) {
	torus, err := topology.NewCube(topology.CubeConfig{Dims: []int{6, 6}, Wrap: []bool{true, true}})
	if err != nil {
		t.Fatal(err)
	}
	free := make([]bool, 36)
	for y := range 6 { // columns 0 and 5 are free: 2 wide around the end, not across
		free[6*y], free[6*y+5] = true, true
	}
	for _, short := range []string{"first-fit", "best-fit", "frame-sliding"} {
		if nodes, ok := makeAllocator(t, short, torus).Allocate(nil, freeSet(free),
			Request{4, []int{2, 2}}); ok {
			t.Errorf("%s took %v", short, nodes)
		}
	}
}

// halfFull returns a free set as under load: first fit fills the machine with jobs of
// sides 1 to 8, and random ones end until half is free.
func halfFull(t testing.TB, machine *topology.Cube) *FreeSet {
	stream := rand.New(rand.NewPCG(7, 7))
	running := newRunningJobs(machine.Nodes())
	a := makeAllocator(t, "first-fit", machine)
	for misses := 0; misses < 20; {
		w, h := 1+stream.IntN(8), 1+stream.IntN(8)
		nodes, ok := a.Allocate(nil, running.set, Request{w * h, []int{w, h}})
		if !ok {
			misses++
			continue
		}
		running.start(nodes)
	}
	return running.finishHalf(stream)
}
