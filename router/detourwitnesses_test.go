package router

import (
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// The headers that routings with detours know bring about all dependencies.
func TestHeadersOfDetoursBringAboutAllDependencies(t *testing.T) {
	for _, text := range []string{"dragonfly:a2h1p2", "dragonfly:a4h2p1g5", "dragonfly:a3h2p2g4",
		"dragonfly:a3h1p1g4:relative", "dragonfly:a2h2p1:circulant", "dragonfly:a4h1p1",
		"dragonfly:a3h2p1g2", "dragonfly:a3h1p2g1", "hyperx:3x3:p2", "hyperx:4:p1", "hyperx:2x2:w2p1",
		"hyperx:2x3x2:p1", "hyperx:2:p2", "hyperx:3x1x2:w2p1"} {
		m := topologytest.Machine(t, text)
		for _, maker := range Builtin() {
			if !maker.Suits(m) || maker.VirtualChannels == nil {
				continue
			}
			w := NewNodeWiring(m, maker.VirtualChannels(m)+1, 2, 1)
			x, err := maker.New(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			y, ok := x.(WitnessingHeaders)
			if !ok {
				continue
			}
			k := newWalk(w, x)
			if k.headers(y.WitnessHeaders(x)); k.err != nil {
				t.Fatal(k.err)
			}
			got := k.sorted()
			for c, want := range Dependencies(w, x) {
				if !slices.Equal(got[c], want) {
					t.Errorf("%s on %s: %s is followed by %v, by all packets %v", maker.Name, text,
						w.Describe(Channel(c)), got[c], want)
					break
				}
			}
		}
	}
}

// A dragonfly of 1,056 nodes is checked in seconds under all of its routings.
func TestDeadlockOfALargeDragonfly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	m := topologytest.Machine(t, "dragonfly:a8h4p4g33")
	for _, maker := range Builtin() {
		if !maker.Suits(m) {
			continue
		}
		w := NewWiring(m, maker.VirtualChannels(m), 1)
		x, err := maker.New(w, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckDeadlock(w, x); err != nil {
			t.Errorf("%s: %v", maker.Name, err)
		}
	}
}

// Without classes of channels the detours of a dragonfly and of a HyperX have cycles.
func TestWithoutClassesDetoursHaveCycles(t *testing.T) {
	for _, text := range []string{"dragonfly:a4h2p1", "hyperx:3x3:p1"} {
		m := topologytest.Machine(t, text)
		for _, maker := range Builtin() {
			if !maker.Suits(m) || maker.VirtualChannels == nil {
				continue
			}
			w := NewWiring(m, maker.VirtualChannels(m), 1)
			x, err := maker.New(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			if b, ok := x.(Branching); ok {
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
	Routing
	Branching
	w *Wiring
}

func (x flat) Traits() Traits { return Traits{NoEscape: true} }

func (x flat) Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	for _, c := range x.Routing.Possible(nil, r, in, h) {
		if c = x.w.First(x.w.LinkOf(c)); !slices.Contains(dst, c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// alone is the Branching of routings that have none.
type alone struct{}

func (alone) Branches(dst []Header, _ topology.Router, _ Channel, h Header) []Header {
	return append(dst, h)
}
