package submesh

import (
	"fmt"
	"testing"

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
