package config

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router/routes"
)

// What keys are held against agrees with the routings themselves: how many virtual channels
// they need on a machine.
func TestNeededChannelsAreThoseOfTheRouting(t *testing.T) {
	for _, m := range []MachineSpec{
		{Topology: "mesh", Dims: []int{4, 4}}, {Topology: "torus", Dims: []int{4, 4}},
		{Topology: "torus", Dims: []int{2, 2}}, {Topology: "torus", Dims: []int{5, 2}},
		{Topology: "mesh", Dims: []int{4, 4}, Wrap: []bool{false, true}},
		{Topology: "torus", Dims: []int{3, 4, 5}}, {Topology: "hypercube", Dims: []int{3}},
	} {
		machine := must.Have(NewMachine(&m))
		for _, k := range routes.Builtin() {
			s := DefaultSpec()
			s.Machine, s.Network.Routing = m, k.Name
			if k.VirtualChannels == nil || !k.Suits(machine) {
				continue
			}
			w := s.routedMachine()
			needed := w.needed
			if want := k.VirtualChannels(machine); needed != want || w.classes > needed {
				t.Errorf("%s on %s %v needs %d virtual channels, %d in its classes; want %d", k.Name,
					m.Topology, m.Dims, needed, w.classes, want)
			}
			if needed < 2 {
				continue
			}
			s.Network.VirtualChannels = needed - 1
			if s.checkChannels() == nil {
				t.Errorf("%s on %s %v is content with %d virtual channels", k.Name, m.Topology, m.Dims,
					needed-1)
			}
			s.Network.VirtualChannels = needed
			if err := s.checkChannels(); err != nil {
				t.Errorf("%s on %s %v: %v", k.Name, m.Topology, m.Dims, err)
			}
		}
	}
}

// The routings that draw for every packet are said to draw, and no others are: balanced-dateline
// does where two ways round are as long.
func TestDrawingRoutings(t *testing.T) {
	for _, c := range []struct {
		topology, routing string
		dims              []int
		want              bool
	}{{"mesh", "o1turn", nil, true}, {"mesh", "valiant", nil, true},
		{"mesh", "west-first", nil, false}, {"mesh", "minimal-adaptive", nil, false}, {"torus",
			"balanced-dateline", nil, true},
		{"torus", "balanced-dateline", []int{5, 7}, false}} {
		s := DefaultSpec()
		s.Machine.Topology, s.Machine.Dims, s.Network.Routing = c.topology, c.dims, c.routing
		if got := slices.Contains(s.Draws(), "routes"); got != c.want {
			t.Errorf("%s on a %s %v draws routes: %v", c.routing, c.topology, c.dims, got)
		}
	}
}

// What keys do where a dimension wraps and another does not: a header may choose of two virtual
// channels in the other.
func TestChoiceOfChannels(t *testing.T) {
	for _, c := range []struct {
		wrap     []bool
		channels int
		nodes    int
		want     bool
	}{{nil, 0, 0, false}, {nil, 2, 1, true}, {[]bool{true, true}, 2, 1, false},
		{[]bool{true, true}, 2, 0, true}, {[]bool{true, true}, 3, 1, true},
		{[]bool{true, false}, 0, 1, true}} {
		s := DefaultSpec()
		s.Machine.Wrap, s.Network.VirtualChannels = c.wrap, c.channels
		s.Network.NodeVirtualChannels = c.nodes
		if got := s.choosesChannels(); got != c.want {
			t.Errorf("wrap %v with %d virtual channels: a choice is %v", c.wrap, c.channels, got)
		}
	}
}
