package routertest_test

import (
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/routertest"
	"contend/router/routes"
	"contend/router/routes/grid"
)

// detours are the routings that take longer paths than shortest ones.
var detours = []string{"valiant", "ugal", "dal", "ugal-l", "ugal-g", "par", "up-down"}

// The routings of package router keep their contract on what they suit.
func TestBuiltinRoutingsConform(t *testing.T) {
	machines := map[string]topology.Topology{"graph": topologytest.DrawnGraph(t, 1, 9, 14),
		"planes": topologytest.DrawnPlanes(t, 2, 2, 6, 9, 0)}
	for _, text := range []string{"mesh:4x3", "torus:5x4", "torus:3x2x4", "hypercube:4", "tree:3x2",
		"tree:2x4:1", "hyperx:4x3:w2p2", "hyperx:3x2x3", "dragonfly:a3h2p2g1", "hyperx:3x3:w2",
		"fat-tree:3x2x2:2:b2r2", "fat-tree:2x3:1:b3", "fat-tree:2x2x2:3"} {
		machines[text] = topologytest.Machine(t, text)
	}
	for text, c := range map[string]topology.CubeConfig{
		"concentrated": {Dims: []int{3, 3}, Concentration: 3},
		"service rows": {Dims: []int{4, 4}, Concentration: 2, ServiceRows: []int{1, 2},
			Wrap: []bool{true, true}}} {
		var err error
		if machines[text], err = topology.NewCube(c); err != nil {
			t.Fatal(err)
		}
	}
	for text, machine := range machines {
		for _, m := range routes.Builtin() {
			if !m.Suits(machine) || m.Name == "dimension-order" && topology.Wraps(machine) {
				continue
			}
			for _, virtual := range []int{1, 2, 3, 4, 5} {
				w := router.NewNodeWiring(machine, virtual, min(virtual, 2), 1)
				x, err := m.New(w, 5)
				if err != nil {
					continue // too few virtual channels
				}
				o := routertest.Options{Minimal: !slices.Contains(detours, m.Name)}
				if err := routertest.Check(w, x, o); err != nil {
					t.Errorf("%s on %s with %d: %v", m.Name, text, virtual, err)
				}
			}
		}
	}
}

// Minimal routing on a dragonfly and up/down on a graph keep it too. Their routes are not
// always the shortest.
func TestRoutingsWithLongerRoutesConform(t *testing.T) {
	circle := topology.GraphConfig{Routers: 6, Nodes: []topology.Router{0, 1, 2, 3, 4, 5, 5}}
	for r := range topology.Router(6) {
		circle.Links = append(circle.Links, topology.GraphLink{From: r, To: (r + 1) % 6},
			topology.GraphLink{From: r, To: (r + 1) % 6}, topology.GraphLink{From: r, To: (r + 3) % 6})
	}
	ring, err := topology.NewGraph(circle)
	if err != nil {
		t.Fatal(err)
	}
	fly, err := topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2,
		Groups: 5})
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]struct {
		m       topology.Topology
		virtual int
	}{"minimal": {fly, 2}, "up-down": {ring, 1}} {
		for more := range 3 {
			w := router.NewNodeWiring(k.m, k.virtual+more, 1+more%2, 1+more)
			for _, maker := range routes.Builtin() {
				if maker.Name != name {
					continue
				}
				x, err := maker.New(w, 5)
				if err != nil {
					t.Fatal(err)
				}
				if err := routertest.Check(w, x, routertest.Options{MostHops: 5}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// Routings that send packets over a third group keep it too, whether every two groups are
// joined once or several times.
func TestDetoursOfDragonfliesConform(t *testing.T) {
	for _, size := range []string{"a2h1p2", "a3h1p1g4:relative", "a4h2p1g5", "a3h2p1g4", "a2h2p1g2"} {
		machine := topologytest.Machine(t, "dragonfly:"+size)
		for _, m := range routes.Builtin() {
			if !m.Suits(machine) || !slices.Contains(detours, m.Name) {
				continue
			}
			for more := range 3 {
				w := router.NewNodeWiring(machine, m.VirtualChannels(machine)+more, 1+more%2, 1)
				x, err := m.New(w, 5)
				if err != nil {
					t.Fatal(err)
				}
				if err := routertest.Check(w, x, routertest.Options{MostHops: 6}); err != nil {
					t.Errorf("%s on %s: %v", m.Name, size, err)
				}
			}
		}
	}
}

// broken is dimension order with one promise broken.
type broken struct {
	*grid.DimensionOrder
	route, possible, escape func(list []router.Channel, h *router.Header,
		v router.View) []router.Channel
}

func (x broken) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	v router.View) []router.Channel {
	dst = x.DimensionOrder.Route(dst, r, in, h, v)
	if x.route != nil {
		dst = x.route(dst, h, v)
	}
	return dst
}

func (x broken) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	dst = x.DimensionOrder.Possible(dst, r, in, h)
	if x.possible != nil {
		dst = x.possible(dst, h, nil)
	}
	return dst
}

func (x broken) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	dst = x.DimensionOrder.Possible(dst, r, in, h)
	if x.escape != nil {
		dst = x.escape(dst, h, nil)
	}
	return dst
}

// Each broken promise is found and named.
func TestBrokenRoutingsAreFound(t *testing.T) {
	type change = func(list []router.Channel, h *router.Header, v router.View) []router.Channel
	drop := change(func(list []router.Channel, _ *router.Header, _ router.View) []router.Channel {
		return list[:len(list)-1]
	})
	for _, k := range []struct {
		says string
		x    broken
	}{
		{"offers nothing", broken{route: drop}},
		{"offers channel -1", broken{route: func(l []router.Channel, _ *router.Header,
			_ router.View) []router.Channel {
			return append(l[:0], -1)
		}}},
		{"does not leave router", broken{route: func(l []router.Channel, _ *router.Header,
			_ router.View) []router.Channel {
			return append(l, 0)
		}}},
		{"twice", broken{route: func(l []router.Channel, _ *router.Header,
			_ router.View) []router.Channel {
			return append(l, l[0])
		}}},
		{"Possible does not list", broken{possible: drop}},
		{"no escape channel", broken{escape: drop}},
		{"Escape lists", broken{escape: func(l []router.Channel, _ *router.Header,
			_ router.View) []router.Channel {
			return append(l, l[0]+1)
		}}},
		{"Possible leaves the header as", broken{possible: func(l []router.Channel, h *router.Header,
			_ router.View) []router.Channel {
			h.Phase++
			return l
		}}},
		{"Escape leaves the header as", broken{escape: func(l []router.Channel, h *router.Header,
			_ router.View) []router.Channel {
			h.Via++
			return l
		}}},
		{"Route asks its View about", broken{route: func(l []router.Channel, _ *router.Header,
			v router.View) []router.Channel {
			v.Free(0)
			return l
		}}},
		{"asked twice", broken{route: func(l []router.Channel, h *router.Header,
			_ router.View) []router.Channel {
			h.Phase = uint8(calls())
			return l
		}}},
	} {
		m, err := topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})
		if err != nil {
			t.Fatal(err)
		}
		w := router.NewWiring(m, 1, 1)
		if k.x.DimensionOrder, err = grid.NewDimensionOrder(w, false); err != nil {
			t.Fatal(err)
		}
		loose := struct {
			router.Routing
			router.Grouping
			router.Escaping
		}{k.x, k.x, k.x}
		if err := routertest.Check(w, loose,
			routertest.Options{}); err == nil || !strings.Contains(err.Error(), k.says) {
			t.Errorf("want %q, got %v", k.says, err)
		}
	}
}

// calls returns another number each time.
var calls = func() func() int {
	n := 0
	return func() int { n++; return n }
}()
