package router

import (
	"strings"
	"testing"

	"contend/netsim/topology"
)

// odd is dimension order that lists other channels at one router. Where Escape does, it is
// a routing with escape channels.
type odd struct {
	*DimensionOrder
	at                      topology.Router
	route, possible, escape func([]Channel) []Channel
}

func (x odd) change(by func([]Channel) []Channel, list []Channel, r topology.Router) []Channel {
	if by == nil || r != x.at {
		return list
	}
	return by(list)
}

// Route implements Routing.
func (x odd) Route(dst []Channel, r topology.Router, in Channel, h *Header, v View) []Channel {
	return x.change(x.route, x.DimensionOrder.Route(dst, r, in, h, v), r)
}

// Possible implements Routing.
func (x odd) Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	return x.change(x.possible, x.DimensionOrder.Possible(dst, r, in, h), r)
}

// Escape implements Routing.
func (x odd) Escape(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	return x.change(x.escape, x.DimensionOrder.Escape(dst, r, in, h), r)
}

// Traits implements Described.
func (x odd) Traits() Traits { return Traits{NoEscape: x.escape == nil && x.route == nil} }

// A routing that lists no channel, or one that a packet cannot take, is refused before a
// packet meets it.
func TestRoutingsThatListWrongChannels(t *testing.T) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(c, 1, 1)
	x, err := NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	none := func(list []Channel) []Channel { return list[:0] }
	also := func(c Channel) func([]Channel) []Channel {
		return func(list []Channel) []Channel { return append(list, c) }
	}
	far, _ := w.Out(0, 1)
	for _, k := range []struct {
		x    odd
		want string
	}{
		{odd{possible: none}, "Possible lists no channel"},
		{odd{possible: also(-1)}, "Possible lists channel -1 (there are 42), which does not leave"},
		{odd{possible: also(42)}, "Possible lists channel 42 (there are 42), which does not leave"},
		{odd{possible: also(w.First(far))}, "Possible lists router (0,0)->(1,0), which does not leave"},
		{odd{possible: also(w.Injection(4))}, "Possible lists node 4->router 4, which does not leave"},
		{odd{escape: also(-1)}, "Escape lists channel -1 (there are 42), which does not leave"},
		{odd{escape: also(w.Ejection(3))}, "Escape lists router 3->node 3, which does not leave"},
		{odd{escape: none}, "Route offers no escape channel"},
		{odd{route: also(-1)}, "Route offers channel -1 (there are 42), which Possible does not list"},
	} {
		k.x.DimensionOrder, k.x.at = x, 4
		if err := CheckDeadlock(w, k.x); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("got %v, want an error with %q", err, k.want)
		}
	}
}

// Who asks about a link or a channel that there is not learns whose mistake it is.
func TestWiringNamesWhatIsMissing(t *testing.T) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(c, 1, 1)
	for want, ask := range map[string]func(){
		"router: Wiring.First was asked about link -1, but there are links 0 to 41 only": func() {
			l, _ := w.Out(0, 0)
			w.First(l)
		},
		"router: Wiring.First was asked about link 42, but there are links 0 to 41 only": func() {
			w.First(42)
		},
		"router: Wiring.LinkOf was asked about channel -1, but there are channels 0 to 41 only": func() {
			w.LinkOf(-1)
		},
		"router: Wiring.Out was asked about router 9, but there are routers 0 to 8 only": func() {
			w.Out(9, 0)
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got the panic %v, want %s", got, want)
				}
			}()
			ask()
		}()
	}
	if l, ok := w.Out(0, 99); ok || l != -1 {
		t.Errorf("port 99 leads to link %d", l)
	}
}

// The walk ends with the first error: what is left of all pairs of nodes is not kept.
func TestWalkEndsWithAnError(t *testing.T) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(c, 1, 1)
	x, err := NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	k := newWalk(w, odd{DimensionOrder: x, at: 0,
		possible: func(list []Channel) []Channel { return list[:0] }})
	if k.all(); k.err == nil || len(k.queue) > c.Nodes() {
		t.Errorf("after the error %v the walk keeps %d steps", k.err, len(k.queue))
	}
}
