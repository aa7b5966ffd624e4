package deadlock_test

import (
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
)

// odd is dimension order that lists other channels at one router, with all channels for escapes.
type odd struct {
	*routes.DimensionOrder
	at                      topology.Router
	route, possible, escape func([]router.Channel) []router.Channel
}

func (x odd) change(by func([]router.Channel) []router.Channel, list []router.Channel,
	r topology.Router) []router.Channel {
	if by == nil || r != x.at {
		return list
	}
	return by(list)
}

// Route implements Routing.
func (x odd) Route(dst []router.Channel, r topology.Router, in router.Channel, h *router.Header,
	v router.View) []router.Channel {
	return x.change(x.route, x.DimensionOrder.Route(dst, r, in, h, v), r)
}

// Possible implements Routing.
func (x odd) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.change(x.possible, x.DimensionOrder.Possible(dst, r, in, h), r)
}

// Escape implements Routing.
func (x odd) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.change(x.escape, x.DimensionOrder.Possible(dst, r, in, h), r)
}

// A routing that lists no channel, or one that a packet cannot take, is refused before a
// packet meets it.
func TestRoutingsThatListWrongChannels(t *testing.T) {
	c := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}}))
	w := router.NewWiring(c, 1, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	none := func(list []router.Channel) []router.Channel { return list[:0] }
	also := func(c router.Channel) func([]router.Channel) []router.Channel {
		return func(list []router.Channel) []router.Channel { return append(list, c) }
	}
	far, _ := w.Out(0, 1)
	for _, k := range []struct {
		x    odd
		want string
	}{
		{odd{possible: none}, "Possible lists no channel"},
		{odd{possible: also(-1)}, "Possible lists channel -1 (there is no such), which does not leave"},
		{odd{possible: also(42)}, "Possible lists channel 42 (there is no such), which does not leave"},
		{odd{possible: also(w.First(far))}, "Possible lists router (0,0)->(1,0), which does not leave"},
		{odd{possible: also(w.Injection(4))}, "Possible lists node 4->router 4, which does not leave"},
		{odd{escape: also(-1)}, "Escape lists channel -1 (there is no such), which does not leave"},
		{odd{escape: also(w.Ejection(3))}, "Escape lists router 3->node 3, which does not leave"},
		{odd{escape: none}, "Route offers no escape channel"},
		{odd{route: also(-1)},
			"Route offers channel -1 (there is no such), which Possible does not list"},
	} {
		k.x.DimensionOrder, k.x.at = x, 4
		if err := deadlock.CheckDeadlock(w, k.x); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("got %v, want an error with %q", err, k.want)
		}
	}
}
