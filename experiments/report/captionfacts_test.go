package report

import (
	"testing"

	"contend/experiments/config"
)

func TestMachineText(t *testing.T) {
	for want, m := range map[string]config.MachineSpec{
		"mesh 4 × 2": {Topology: "mesh", Dims: []int{4, 2}},
		"mesh 4 × 2, wrap [true, false]": {Topology: "mesh", Dims: []int{4, 2},
			Wrap: []bool{true, false}},
		"torus 8 × 8, concentration 4, service rows [0, 7]": {Topology: "torus", Dims: []int{8, 8},
			Concentration: 4, ServiceRows: []int{0, 7}},
		"hypercube of 6 dimensions": {Topology: "hypercube", Dims: []int{6}},
		"4-ary 3-tree":              {Topology: "tree", Arity: 4, Levels: 3},
		"4-ary 3-tree of 50 nodes":  {Topology: "tree", Arity: 4, Levels: 3, Nodes: 50},
		"fat-tree 4x4-up-2-r2": {Topology: "fat-tree", Children: []int{4, 4}, Parents: []int{2},
			Rails: 2},
		"hyperx 4x4-p2": {Topology: "hyperx", Dims: []int{4, 4}, Concentration: 2},
	} {
		s := config.DefaultSpec()
		s.Machine = m
		if got := machineText(&s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
