package spec

import (
	"slices"
	"testing"

	"contend/experiments/spec/machine"
	"contend/router/routes"
)

// What keys are held against agrees with the routings themselves: how many virtual channels
// they need on a machine.
func TestNeededChannelsAreThoseOfTheRouting(t *testing.T) {
	for _, m := range []machine.Spec{
		{Topology: "mesh", Dims: []int{4, 4}}, {Topology: "torus", Dims: []int{4, 4}},
		{Topology: "torus", Dims: []int{2, 2}}, {Topology: "torus", Dims: []int{5, 2}},
		{Topology: "mesh", Dims: []int{4, 4}, Wrap: []bool{false, true}},
		{Topology: "torus", Dims: []int{3, 4, 5}}, {Topology: "hypercube", Dims: []int{3}},
	} {
		machine, err := machine.New(&m)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range routes.Builtin() {
			s := DefaultSpec()
			s.Machine, s.Network.Routing = m, k.Name
			if k.VirtualChannels == nil || !k.Suits(machine) {
				continue
			}
			w := s.wired()
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

// The routings that draw for every packet are said to draw, and no others are.
func TestDrawingRoutings(t *testing.T) {
	for _, name := range []string{"o1turn", "valiant", "romm", "west-first", "minimal-adaptive"} {
		s := DefaultSpec()
		s.Network.Routing = name
		want := slices.Contains([]string{"o1turn", "valiant", "romm"}, name)
		if got := slices.Contains(s.Draws(), "routes"); got != want {
			t.Errorf("%s draws routes: %v", name, got)
		}
	}
}
