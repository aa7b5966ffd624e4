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
