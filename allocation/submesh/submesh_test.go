package submesh

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/order"
	"contend/internal/call"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// checkDecision compares one decision with the reference.
func checkDecision(t rapid.TB, short string, a allocation.Allocator, machine *topology.Cube,
	free []bool, f *allocation.FreeSet, req allocation.Request) {
	t.Helper()
	plain, c := reference{sides: machine.Dims(), free: free}, parseForm(short)
	if c.wrap {
		plain.wraps = machine.Wrap()
	}
	want, placed := plain.allocate(c, req)
	allocationtest.Compare(t, short, a, free, f, req, want, placed)
}

// Every free set of small machines, or one in five without the tag long, every request, every
// allocator.
func TestExhaustive(t *testing.T) {
	step := 19
	if allocationtest.Long {
		step = 1
	}
	for _, machine := range []*topology.Cube{mesh(t, 2, 4), mesh(t, 4, 2), mesh(t, 3, 3),
		mesh(t, 1, 5), mesh(t, 5, 1), mesh(t, 2, 2, 2), mesh(t, 1, 3, 2), torus(t, 3, 3),
		torus(t, 4, 2), torus(t, 1, 5)} {
		for _, short := range submeshForms(machine) {
			a := makeForm(t, short, machine)
			for free, f := range allocationtest.EveryFreeSet(machine.Nodes(), step) {
				for _, req := range allocationtest.Requests(machine.Dims()...) {
					checkDecision(t, short, a, machine, free, f, req)
				}
			}
		}
	}
}

func mesh(t testing.TB, dims ...int) *topology.Cube { return topologytest.Mesh(t, dims...) }

// torus returns a torus of which every dimension wraps that can.
func torus(t testing.TB, dims ...int) *topology.Cube {
	wrap := make([]bool, len(dims))
	for d := range wrap {
		wrap[d] = true
	}
	return topologytest.Torus(t, dims, wrap...)
}

// Random free sets of machines of all kinds: powers of two and others, some longer than
// a word. One draw serves every allocator.
func TestAgainstReferences(t *testing.T) {
	for _, machine := range []*topology.Cube{mesh(t, 5, 4), mesh(t, 8, 8), mesh(t, 10, 10),
		mesh(t, 12, 10), mesh(t, 7, 3), mesh(t, 1, 9), mesh(t, 16, 16), mesh(t, 66, 5), mesh(t, 3, 70),
		mesh(t, 128, 4), mesh(t, 4, 4, 4), mesh(t, 5, 3, 4), mesh(t, 6, 4, 2), mesh(t, 66, 2, 2),
		mesh(t, 2, 2, 2, 2, 2, 2), mesh(t, 3, 4, 2, 3), torus(t, 6, 5),
		torus(t, 64, 3), torus(t, 70, 3), torus(t, 130, 1), torus(t, 4, 4, 4), torus(t, 5, 3, 4),
		torus(t, 3, 4, 2, 3), topologytest.Torus(t, []int{5, 4, 3}, true, false, true),
		topologytest.Torus(t, []int{5, 6}, false, true)} {
		t.Run(fmt.Sprint(machine.Dims(), machine.Wrap()), func(t *testing.T) {
			made, forms := map[string]allocation.Allocator{}, submeshForms(machine)
			for _, short := range forms {
				made[short] = makeForm(t, short, machine)
			}
			rapid.Check(t, func(rt *rapid.T) {
				free := allocationtest.DrawFree(rt, machine.Dims()...)
				f := allocationtest.FreeSet(free)
				req := allocationtest.DrawRequest(rt, machine.Dims()...)
				for _, short := range forms {
					checkDecision(rt, short, made[short], machine, free, f, req)
				}
			})
		})
	}
}

// form is an allocator of this package with its parameters.
type form struct {
	name, order, score, start string
	page                      int
	rotate, wrap              bool
}

// parseForm reads a call of an allocator of this package.
func parseForm(text string) form {
	i := slices.IndexFunc(Allocators(), func(e allocation.Entry) bool {
		return e.Name == call.Name(text)
	})
	v, _ := call.Parse(text, Allocators()[i].Parameters)
	f := form{name: v.Owner(), order: v.TextOf("order"), score: v.TextOf("score"),
		start: v.TextOf("start"), rotate: v.TextOf("rotate") == "true",
		wrap: v.TextOf("wrap") == "true"}
	if v.Has("page") {
		f.page = v.Int("page")
	}
	return f
}

// makeForm makes the allocator of a call.
func makeForm(t testing.TB, text string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	return allocationtest.Make(t, Allocators(), text, machine)
}

// submeshForms lists the allocators that work on a mesh or torus of some sides.
func submeshForms(machine *topology.Cube) []string {
	dims := machine.Dims()
	forms := []string{"first-fit", "best-fit", "frame-sliding", "best-fit:boundary",
		"frame-sliding:free", "first-fit:rotate", "best-fit:rotate", "frame-sliding:rotate"}
	if slices.Contains(machine.Wrap(), true) {
		for i := range forms {
			separator := ":"
			if strings.Contains(forms[i], ":") {
				separator = ","
			}
			forms = append(forms, forms[i]+separator+"wrap=true")
		}
	}
	forms = append(forms, "mbs", "anca")
	if len(dims) == 2 {
		forms = append(forms, "gabl")
	}
	divides := func(page int) bool {
		return !slices.ContainsFunc(dims, func(side int) bool { return side%(1<<page) > 0 })
	}
	for page := 0; divides(page); page++ {
		for _, order := range order.Orders() {
			forms = append(forms, fmt.Sprintf("paging:%d,%s", page, order.Name))
		}
	}
	if side := dims[0]; side == slices.Min(dims) && side == slices.Max(dims) && side&(side-1) == 0 {
		forms = append(forms, "buddy2d")
	}
	return slices.Clip(forms)
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, Allocators()) }
