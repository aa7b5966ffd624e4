package config

import (
	"testing"
)

// TestSizesTellMachinesApart gives grids that differ in more than their sides.
func TestSizesTellMachinesApart(t *testing.T) {
	for _, c := range []struct {
		machine      MachineSpec
		size, phrase string
	}{
		{MachineSpec{Topology: "mesh", Dims: []int{8, 8}, Concentration: 1}, "8x8", "mesh of 8x8"},
		{MachineSpec{Topology: "mesh", Dims: []int{8, 8}, Concentration: 4}, "8x8-p4",
			"mesh of 8x8 with 4 nodes a router"},
		{MachineSpec{Topology: "mesh", Dims: []int{8, 8, 4}, Wrap: []bool{true, false, true}},
			"8x8x4-wrap-0.2", "mesh of 8x8x4"},
		{MachineSpec{Topology: "mesh", Dims: []int{8, 8}, Wrap: []bool{false, false}}, "8x8",
			"mesh of 8x8"},
		{MachineSpec{Topology: "torus", Dims: []int{8, 8}, Wrap: []bool{true, true}}, "8x8",
			"torus of 8x8"},
		{MachineSpec{Topology: "torus", Dims: []int{8, 8}, Wrap: []bool{false, false}}, "8x8-wrap-none",
			"torus of 8x8"},
		{MachineSpec{Topology: "mesh", Dims: []int{8, 8}, ServiceRows: []int{0, 7}}, "8x8-service-0.7",
			"mesh of 8x8"},
	} {
		if got := c.machine.Size(); got != c.size {
			t.Errorf("size of %+v: %s, want %s", c.machine, got, c.size)
		}
		if got := c.machine.Phrase(); got != c.phrase {
			t.Errorf("phrase of %+v: %s, want %s", c.machine, got, c.phrase)
		}
	}
}
