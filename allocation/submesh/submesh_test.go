package submesh

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology/topologytest"
)

// checkDecision compares one decision with the reference.
func checkDecision(t rapid.TB, short string, a allocation.Allocator, width, height int, free []bool,
	f *allocation.FreeSet, req allocation.Request) {
	t.Helper()
	want, placed := reference{width, height, free}.allocate(parseForm(short), req)
	allocationtest.Compare(t, short, a, free, f, req, want, placed)
}

// Every free set of small machines, every request, every allocator.
func TestExhaustive(t *testing.T) {
	for _, dims := range [][2]int{{2, 4}, {4, 2}, {3, 3}, {1, 5}, {5, 1}} {
		width, height := dims[0], dims[1]
		for _, short := range submeshForms(width, height) {
			a := makeForm(t, short, topologytest.Mesh(t, width, height))
			for free, f := range allocationtest.EveryFreeSet(width*height, 1) {
				for _, req := range allocationtest.Requests(width, height) {
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
			made := map[string]allocation.Allocator{}
			for _, short := range submeshForms(width, height) {
				made[short] = makeForm(t, short, topologytest.Mesh(t, width, height))
			}
			rapid.Check(t, func(rt *rapid.T) {
				free := allocationtest.DrawFree(rt, width, height)
				f := allocationtest.FreeSet(free)
				req := allocationtest.DrawRequest(rt, width, height)
				for _, short := range submeshForms(width, height) {
					checkDecision(rt, short, made[short], width, height, free, f, req)
				}
			})
		})
	}
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct {
		short, want string
		req         allocation.Request
		dims        []int
	}{
		{"first-fit", "asks for 17x4 processors; the 16x16 mesh has no such submesh",
			allocation.Request{Size: 68, Shape: []int{17, 4}}, []int{16, 16}},
		{"buddy2d", "asks for 17x4 processors; the 16x16 mesh has no such submesh",
			allocation.Request{Size: 68, Shape: []int{17, 4}}, []int{16, 16}},
		{"mbs", "asks for 300 processors; the machine has 256", allocation.Request{Size: 300,
			Shape: nil}, []int{16, 16}},
		{"mbs", "asks for 0 processors; a job needs at least one", allocation.Request{}, []int{16, 16}},
		{"paging:1", "asks for 5 processors in a submesh of 3x2, which has 6",
			allocation.Request{Size: 5, Shape: []int{3, 2}}, []int{16, 16}},
		{"mbs", "asks for a submesh of -2x-2 processors; each side must be at least 1",
			allocation.Request{Size: 4, Shape: []int{-2, -2}}, []int{16, 16}},
		{"first-fit", "asks for 2x2x2 processors; the 16x16 mesh has only two dimensions",
			allocation.Request{Size: 8, Shape: []int{2, 2, 2}}, []int{16, 16}},
		{"frame-sliding", "asks for 4x17 processors; the 20x8 mesh has no such submesh, but one of " +
			"17x4: ask for that, or use frame-sliding:rotate", allocation.Request{Size: 68, Shape: []int{4,
			17}}, []int{20, 8}},
		{"best-fit:rotate", "", allocation.Request{Size: 68, Shape: []int{4, 17}}, []int{20, 8}},
		{"first-fit", "", allocation.Request{Size: 13, Shape: nil}, []int{10, 10}},
	} {
		got := ""
		if err := makeForm(t, c.short, topologytest.Mesh(t, c.dims...)).Check(c.req); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %v: (-want +got)\n%s", c.short, c.req, diff)
		}
	}
}

// On a torus the allocators of submeshes use the mesh that it contains.
func TestTorusIsItsMesh(t *testing.T) {
	torus := topologytest.Torus(t, []int{6, 6}, true, true)
	free := make([]bool, 36)
	for y := range 6 { // columns 0 and 5 are free: 2 wide around the end, not across
		free[6*y], free[6*y+5] = true, true
	}
	for _, short := range []string{"first-fit", "best-fit", "frame-sliding"} {
		if nodes, ok := makeForm(t, short, torus).Allocate(nil, allocationtest.FreeSet(free),
			allocation.Request{Size: 4, Shape: []int{2, 2}}); ok {
			t.Errorf("%s took %v", short, nodes)
		}
	}
}
