package adaptive

import (
	"errors"
	"testing"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/routertest"
	"contend/router/topology"
)

// meshes are wirings of meshes with a number of virtual channels.
func meshes(t *testing.T, virtual int) []*router.Wiring {
	t.Helper()
	var list []*router.Wiring
	for _, dims := range [][]int{{5}, {4, 4}, {5, 3}, {3, 3, 3}, {2, 2, 2, 2}} {
		m, err := topology.NewCube(topology.CubeConfig{Dims: dims})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, router.NewWiring(m, virtual, 1))
	}
	return list
}

// The routing keeps its contract, and packets on it cannot deadlock.
func TestConforms(t *testing.T) {
	for _, virtual := range []int{2, 3} {
		for _, w := range meshes(t, virtual) {
			x, err := New(w, MostCredits)
			if err != nil {
				t.Fatal(err)
			}
			if err := routertest.Check(w, x, routertest.Options{Minimal: true}); err != nil {
				t.Errorf("%v: %v", w.Topology.(*topology.Cube).Dims(), err)
			}
		}
	}
}

// Without dimension order on them the escape channels are none: the cycle is found.
func TestWrongEscapesAreRefused(t *testing.T) {
	for _, w := range meshes(t, 2)[1:3] {
		x, err := New(w, MostCredits)
		if err != nil {
			t.Fatal(err)
		}
		var cycle *deadlock.CycleError
		if err := deadlock.CheckDeadlock(w, wrong{x}); !errors.As(err, &cycle) ||
			len(cycle.Channels) != 4 {
			t.Errorf("a cycle of four escape channels was found to be %v", err)
		}
	}
}

// wrong is Routing with a mistake: packets turn freely on the escape channels too.
type wrong struct{ *Routing }

// Escape implements router.Escaping.
func (x wrong) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	start := len(dst)
	for d := range x.mesh.Dims() {
		if l, ok := x.towards(r, h, d); ok {
			dst = append(dst, x.w.First(l))
		}
	}
	if len(dst) == start {
		return x.Routing.Escape(dst, r, in, h)
	}
	return dst
}

// Possible implements router.Routing.
func (x wrong) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Escape(x.nearer(dst, r, h), r, in, h)
}

// Route implements router.Routing.
func (x wrong) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	_ router.View) []router.Channel {
	return x.Possible(dst, r, in, h)
}
