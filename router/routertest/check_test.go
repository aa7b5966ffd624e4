package routertest_test

import (
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routertest"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// longer are the routings that take longer paths than shortest ones.
var longer = []string{"valiant", "ugal", "dal", "ugal-l", "ugal-g", "par", "up-down"}

// The built-in routings keep their contract on what they suit, with as many virtual channels as
// they need and with more. Minimal routes on a dragonfly are not always the shortest.
func TestBuiltinRoutingsConform(t *testing.T) {
	machines := map[string]topology.Topology{"graph": topologytest.DrawnGraph(t, 1, 9, 14),
		"planes": topologytest.DrawnPlanes(t, 2, 2, 6, 9, 0)}
	for _, text := range []string{"mesh:4x3", "torus:5x4", "torus:3x2x4", "hypercube:4", "tree:3x2",
		"tree:2x4:1", "hyperx:4x3:w2p2", "hyperx:3x2x3", "hyperx:3x3:w2", "fat-tree:3x2x2:2:b2r2",
		"fat-tree:2x3:1:b3", "fat-tree:2x2x2:3", "dragonfly:a3h2p2g1", "dragonfly:a2h1p2",
		"dragonfly:a3h1p1g4:relative", "dragonfly:a4h2p1g5", "dragonfly:a3h2p1g4",
		"dragonfly:a2h2p1g2"} {
		machines[text] = topologytest.Machine(t, text)
	}
	for text, c := range map[string]topology.CubeConfig{
		"concentrated": {Dims: []int{3, 3}, Concentration: 3},
		"service rows": {Dims: []int{4, 4}, Concentration: 2, ServiceRows: []int{1, 2},
			Wrap: []bool{true, true}}} {
		machines[text] = must.Have(topology.NewCube(c))
	}
	for text, machine := range machines {
		fly, _ := machine.(*topology.Dragonfly)
		for _, m := range routes.Builtin() {
			if !m.Suits(machine) || m.Name == "dimension-order" && topology.Wraps(machine) {
				continue
			}
			for _, virtual := range []int{1, 2, 3, 4, 6} {
				if m.VirtualChannels != nil && virtual < m.VirtualChannels(machine) {
					continue
				}
				w := router.NewNodeWiring(machine, virtual, min(virtual, 1+virtual%2), 1+virtual/3)
				x := must.Have(m.New(w, 5))
				o := routertest.Options{Minimal: fly == nil && !slices.Contains(longer, m.Name)}
				if fly != nil {
					o.MaxHops = 6
				}
				if err := routertest.Check(w, x, o); err != nil {
					t.Errorf("%s on %s with %d: %v", m.Name, text, virtual, err)
				}
			}
		}
	}
}

// broken is dimension order with one promise broken.
type broken struct {
	*routes.DimensionOrder
	route, possible, escape change
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

// channels is a list of them.
type channels = []router.Channel

// change alters a list of channels, and perhaps the header.
type change = func(list channels, h *router.Header, v router.View) []router.Channel

// Each broken promise is found and named.
func TestBrokenRoutingsAreFound(t *testing.T) {
	list := func(f func(l channels) channels) change {
		return func(l channels, _ *router.Header, _ router.View) channels { return f(l) }
	}
	header := func(f func(h *router.Header)) change {
		return func(l channels, h *router.Header, _ router.View) channels {
			f(h)
			return l
		}
	}
	drop := list(func(l channels) channels { return l[:len(l)-1] })
	wrong := list(func(l channels) channels { return append(l[:0], -1) })
	foreign := list(func(l channels) channels { return append(l, 0) })
	twice := list(func(l channels) channels { return append(l, l[0]) })
	other := list(func(l channels) channels { return append(l, l[0]+1) })
	phase := header(func(h *router.Header) { h.Phase++ })
	via := header(func(h *router.Header) { h.Via++ })
	calls := uint8(0)
	count := header(func(h *router.Header) { calls++; h.Phase = calls })
	for says, x := range map[string]broken{
		"offers nothing":                {route: drop},
		"Possible does not list":        {possible: drop},
		"no escape channel":             {escape: drop},
		"offers channel -1":             {route: wrong},
		"does not leave router":         {route: foreign},
		"twice":                         {route: twice},
		"Escape lists":                  {escape: other},
		"Possible leaves the header as": {possible: phase},
		"Escape leaves the header as":   {escape: via},
		"asked twice":                   {route: count},
		"Route asks its View about": {route: func(l []router.Channel, _ *router.Header,
			v router.View) []router.Channel {
			v.Free(0)
			return l
		}},
	} {
		w := router.NewWiring(topologytest.Machine(t, "mesh:3x3"), 1, 1)
		x.DimensionOrder = must.Have(routes.NewDimensionOrder(w, false))
		loose := struct {
			router.Routing
			router.Grouping
			router.Escaping
		}{x, x, x}
		if err := routertest.Check(w, loose,
			routertest.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}

// claiming is a routing on a line that says of itself what is not true.
type claiming struct {
	broken
	traits router.Traits
}

func (x claiming) Traits() router.Traits { return x.traits }

// Each trait that is not true is found.
func TestFalseTraitsAreFound(t *testing.T) {
	count := func(l []router.Channel, h *router.Header, _ router.View) []router.Channel {
		h.Phase = 1
		return l
	}
	turn := func(l []router.Channel, _ *router.Header, v router.View) []router.Channel {
		if v != nil && v.Free(l[0]) {
			l[0], l[1] = l[1], l[0]
		}
		return l
	}
	byFlow := func(l []router.Channel, h *router.Header, _ router.View) []router.Channel {
		if h.Flow%2 != 0 {
			l[0], l[1] = l[1], l[0]
		}
		return l
	}
	for _, k := range []struct {
		says   string
		x      broken
		traits router.Traits
	}{
		{"Stateless, but Route leaves the header as", broken{route: count, possible: count,
			escape: count}, router.Traits{Stateless: true}},
		{"Oblivious, but Route offers", broken{route: turn}, router.Traits{Oblivious: true}},
		{"OneLink, but routing offers [", broken{route: turn}, router.Traits{OneLink: true}},
		{"do not say Flows, but of two flows Route offers", broken{route: byFlow}, router.Traits{}},
		{"2 channels, but the traits say at most 1", broken{}, router.Traits{Choices: 1}},
		{"EscapeVCs 1, but of the channels offered", broken{}, router.Traits{EscapeVCs: 1}},
	} {
		w := router.NewNodeWiring(topologytest.Machine(t, "mesh:4"), 2, 2, 1)
		k.x.DimensionOrder = must.Have(routes.NewDimensionOrder(w, false))
		err := routertest.Check(w, claiming{k.x, k.traits}, routertest.Options{})
		if err == nil || !strings.Contains(err.Error(), k.says) {
			t.Errorf("want %q, got %v", k.says, err)
		}
		err = routertest.Check(w, claiming{k.x, router.Traits{Flows: true}}, routertest.Options{})
		if err != nil {
			t.Errorf("%s: without the trait: %v", k.says, err)
		}
	}
}

// misTabled is dimension order with tables that are given.
type misTabled struct {
	*routes.DimensionOrder
	tables router.OutputTables
}

func (x *misTabled) OutputTables() (router.Routing, *router.OutputTables) { return x, &x.tables }

// Tables that differ from Route are found.
func TestWrongTablesAreFound(t *testing.T) {
	w := router.NewNodeWiring(topologytest.Machine(t, "mesh:4"), 2, 2, 1)
	order := must.Have(routes.NewDimensionOrder(w, false))
	eject := func(to topology.Node) router.Channel { return w.Ejection(to) }
	for says, tables := range map[string]router.OutputTables{
		"OutputRun gives": {OutputRun: func(_ topology.Router, _ router.Channel, h *router.Header,
			_ router.View) (first, n router.Channel) {
			return eject(h.Destination), 2
		}},
		"OutputLinks gives": {OutputLinks: func(_ topology.Router, to topology.Node) (
			links []router.Channel, from int) {
			return []router.Channel{eject(to)}, 0
		}},
	} {
		err := routertest.Check(w, &misTabled{order, tables}, routertest.Options{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}

// single is dimension order on parallel links that claims to take one only.
type single struct{ *routes.HyperXOrder }

func (x single) Traits() router.Traits { return router.Traits{OneLink: true} }

func (x single) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	dst = x.HyperXOrder.Route(dst, r, in, h, v)
	slices.Sort(dst)
	return dst
}

// Channels of several links are no choice on one link.
func TestSeveralLinksAreFound(t *testing.T) {
	w := router.NewWiring(topologytest.Machine(t, "hyperx:3:w2"), 1, 1)
	err := routertest.Check(w, single{routes.NewHyperXOrder(w)}, routertest.Options{})
	if err == nil || !strings.Contains(err.Error(), "OneLink, but routing offers router") {
		t.Errorf("got %v", err)
	}
}

// without is a topology that counts no hops.
type without struct{ topology.Topology }

// Whether routes are shortest ones cannot be told without distances.
func TestMinimalNeedsDistances(t *testing.T) {
	m := topologytest.Machine(t, "mesh:4")
	x := must.Have(routes.NewDimensionOrder(router.NewWiring(m, 1, 1), false))
	err := routertest.Check(router.NewWiring(without{m}, 1, 1), x, routertest.Options{Minimal: true})
	if want := "needs a topology with a method Distance"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}
