package topology_test

import (
	"errors"
	"testing"

	"contend/netsim/topology"
)

// What is refused names the field that is wrong, and what would be right.
func TestConfigErrorsNameTheField(t *testing.T) {
	cube := func(c topology.CubeConfig) error { _, err := topology.NewCube(c); return err }
	tree := func(c topology.TreeConfig) error { _, err := topology.NewTree(c); return err }
	for _, k := range []struct {
		err         error
		field, text string
	}{
		{cube(topology.CubeConfig{}), "Dims", "Dims is empty: give the number of routers along " +
			"each dimension, such as [16, 16]"},
		{cube(topology.CubeConfig{Dims: []int{4, 0}}), "Dims",
			"Dims is [4 0]: every entry must be at least 1"},
		{cube(topology.CubeConfig{Dims: []int{4}, Wrap: []bool{true, true}}), "Wrap",
			"Wrap has 2 entries for 1 dimensions: give 1"},
		{cube(topology.CubeConfig{Dims: []int{4}, Concentration: -1}), "Concentration",
			"Concentration is -1: it must be at least 1"},
		{cube(topology.CubeConfig{Dims: []int{1 << 32}, Concentration: 1 << 32}), "Dims",
			"Dims is [4294967296] with a concentration of 4294967296: a machine has at most 16777216 nodes"},
		{cube(topology.CubeConfig{Dims: []int{4, 4}, ServiceRows: []int{4}}), "ServiceRows",
			"ServiceRows names row 4: rows are 0 to 3"},
		{cube(topology.CubeConfig{Dims: []int{4}, ServiceRows: []int{0, 1, 2, 3}}), "ServiceRows",
			"ServiceRows leaves no router with a node: leave out a row"},
		{tree(topology.TreeConfig{Arity: 1, Levels: 2}), "Arity", "Arity is 1: it must be at least 2"},
		{tree(topology.TreeConfig{Arity: 2}), "Levels", "Levels is 0: it must be at least 1"},
		{tree(topology.TreeConfig{Arity: 2, Levels: 25}), "Levels",
			"Levels is 25 with an arity of 2: a machine has at most 16777216 nodes"},
		{tree(topology.TreeConfig{Arity: 2, Levels: 3, Nodes: 9}), "Nodes",
			"Nodes is 9: a 2-ary 3-tree has room for 1 to 8"},
		{tree(topology.TreeConfig{Arity: 2, Levels: 3, UpPorts: []int{1, 1, 1}}), "UpPorts",
			"UpPorts has 3 entries: give one for all levels, or 2, one for each level but the top one"},
		{tree(topology.TreeConfig{Arity: 2, Levels: 3, UpPorts: []int{3}}), "UpPorts",
			"UpPorts has 3: a router with 2 ports down has 1 to 2 ports up"},
	} {
		var bad *topology.ConfigError
		if !errors.As(k.err, &bad) || bad.Field != k.field || bad.Error() != k.text {
			t.Errorf("%v, want %s", k.err, k.text)
		}
	}
}

// A cube says what it is: only one with joined ends is a torus.
func TestFamilies(t *testing.T) {
	for want, c := range map[string]topology.CubeConfig{
		"a mesh":      {Dims: []int{4, 2}, Wrap: []bool{false, true}}, // too short to wrap
		"a torus":     {Dims: []int{4, 2}, Wrap: []bool{true, false}},
		"a hypercube": {Dims: []int{2, 2, 2}},
	} {
		m, err := topology.NewCube(c)
		if err != nil || m.Family() != want {
			t.Errorf("%+v is %s: %v, want %s", c, m.Family(), err, want)
		}
	}
}
