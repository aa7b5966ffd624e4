package deadlock_test

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// What routings do with virtual channels against deadlock is needed: without it there are cycles.
func TestWithoutClassesThereAreCycles(t *testing.T) {
	for _, text := range []string{"mesh:4x4", "mesh:3x3x3", "torus:5x4", "dragonfly:a4h2p1",
		"hyperx:3:p1", "hyperx:3x3:p1", "hyperx:3x3x2:p1"} {
		m := topologytest.Machine(t, text)
		for _, maker := range routes.Builtin() {
			if !maker.Suits(m) || maker.VirtualChannels == nil || maker.VirtualChannels(m) == 1 ||
				text == "hyperx:3:p1" && maker.Name != "dal" {
				continue
			}
			w := router.NewWiring(m, maker.VirtualChannels(m), 1)
			x := must.Have(maker.New(w, 1))
			if b, ok := x.(router.Branching); ok {
				refused(t, maker.Name+" on "+text, w, flat{x, b, w})
			} else {
				refused(t, maker.Name+" on "+text, w, flat{x, alone{}, w})
			}
		}
	}
}

// flat has the packets of a routing use the first virtual channel of each link alone, and none
// for escapes.
type flat struct {
	router.Routing
	router.Branching
	w *router.Wiring
}

func (x flat) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	for _, c := range x.Routing.Possible(nil, r, in, h) {
		if c = x.w.First(x.w.LinkOf(c)); !slices.Contains(dst, c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// alone is the Branching of routings that have none.
type alone struct{}

func (alone) Branches(dst []router.Header, _ topology.Router, _ router.Channel,
	h router.Header) []router.Header {
	return append(dst, h)
}
