package submesh

import (
	"fmt"
	"slices"
	"strings"
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
