package submesh

import (
	"fmt"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/order"
	"contend/internal/call"
	"contend/router/topology"
)

// form is an allocator of this package with its parameters.
type form struct {
	name, order, score, start string
	page                      int
	rotate                    bool
}

// parseForm reads a call of an allocator of this package.
func parseForm(text string) form {
	i := slices.IndexFunc(Allocators(), func(e allocation.Entry) bool {
		return e.Name == call.Name(text)
	})
	v, _ := call.Parse(text, Allocators()[i].Parameters)
	f := form{name: v.Owner(), order: v.TextOf("order"), score: v.TextOf("score"),
		start: v.TextOf("start"), rotate: v.TextOf("rotate") == "true"}
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

// submeshForms lists the allocators that work on a width x height mesh.
func submeshForms(width, height int) []string {
	forms := []string{"mbs", "gabl", "anca", "first-fit", "best-fit", "frame-sliding",
		"first-fit:rotate", "best-fit:rotate", "frame-sliding:rotate", "best-fit:boundary",
		"frame-sliding:free"}
	for page := 0; width%(1<<page) == 0 && height%(1<<page) == 0; page++ {
		for _, order := range order.Orders() {
			forms = append(forms, fmt.Sprintf("paging:%d,%s", page, order.Name))
		}
	}
	if width == height && width&(width-1) == 0 {
		forms = append(forms, "buddy2d")
	}
	return slices.Clip(forms)
}
