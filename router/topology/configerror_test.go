package topology_test

import (
	"errors"
	"testing"

	"contend/router/topology"
)

// What is refused names the field that is wrong, and what would be right.
func TestConfigErrorsNameTheField(t *testing.T) {
	cube := func(c topology.CubeConfig) error { _, err := topology.NewCube(c); return err }
	tree := func(c topology.TreeConfig) error { _, err := topology.NewTree(c); return err }
	fly := func(c topology.DragonflyConfig) error { _, err := topology.NewDragonfly(c); return err }
	hyper := func(c topology.HyperXConfig) error { _, err := topology.NewHyperX(c); return err }
	graph := func(c topology.GraphConfig) error { _, err := topology.NewGraph(c); return err }
	fat := func(c topology.FatTreeConfig) error { _, err := topology.NewFatTree(c); return err }
	two := []topology.Router{0, 1}
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
		{tree(topology.TreeConfig{Arity: 2, Levels: 3, UpPorts: []int{0}}), "UpPorts",
			"UpPorts has 0: a router with 2 ports down has 1 to 2 ports up"},
		{fat(topology.FatTreeConfig{}), "Children", "Children is empty: give the subtrees below a " +
			"router of each level, such as [4, 4]"},
		{fat(topology.FatTreeConfig{Children: []int{4, 0}}), "Children",
			"Children is [4 0]: every entry must be at least 1"},
		{fat(topology.FatTreeConfig{Children: []int{4097}}), "Children",
			"Children makes routers of 4097 ports: a router has at most 4096"},
		{fat(topology.FatTreeConfig{Children: []int{4096, 4096, 2}}), "Children",
			"Children is [4096 4096 2]: a machine has at most 16777216 nodes"},
		{fat(topology.FatTreeConfig{Children: []int{2, 2, 2}, Parents: []int{1, 2, 3}}), "Parents",
			"Parents has 3 entries: give one for all levels, or 2, one for each level but the top one"},
		{fat(topology.FatTreeConfig{Children: []int{1, 1, 1, 1, 1}, Parents: []int{4096}}), "Parents",
			"Parents makes 68719476736 routers of level 3 above the same nodes: give at most 16777216"},
		{fat(topology.FatTreeConfig{Children: []int{2, 2, 2}, Bundle: []int{0, 1}}), "Bundle",
			"Bundle is [0 1]: every entry must be 1 to 4096"},
		{fat(topology.FatTreeConfig{Children: []int{2, 2}, Rails: 65}), "Rails",
			"Rails is 65: give 1 to 64"},
		{fat(topology.FatTreeConfig{Children: []int{2, 2}, Nodes: 5}), "Nodes",
			"Nodes is 5: this tree has room for 1 to 4"},
		{fly(topology.DragonflyConfig{GlobalLinks: 1}), "GroupRouters",
			"GroupRouters is 0: it must be at least 1"},
		{fly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2, Groups: 10}), "Groups",
			"Groups is 10: 4 routers with 2 global links each reach at most 9 groups"},
		{fly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 3,
			Arrangement: topology.Circulant}), "GlobalLinks",
			"GlobalLinks is 3: the circulant arrangement needs an even number"},
		{fly(topology.DragonflyConfig{GroupRouters: 4000, GlobalLinks: 200}), "GroupRouters",
			"GroupRouters makes routers of 4200 ports: a router has at most 4096"},
		{fly(topology.DragonflyConfig{GroupRouters: 4000, GlobalLinks: 80, Concentration: 10}),
			"GroupRouters", "GroupRouters makes 1280004000 routers of 10 nodes each: a machine has at " +
				"most 16777216 nodes"},
		{hyper(topology.HyperXConfig{}), "Dims", "Dims is empty: give the number of routers along " +
			"each dimension, such as [16, 16]"},
		{hyper(topology.HyperXConfig{Dims: []int{4, 4}, Width: []int{1, 0}}), "Width",
			"Width is [1 0]: every entry must be at least 1"},
		{hyper(topology.HyperXConfig{Dims: []int{4, 4, 4}, Width: []int{1, 1}}), "Width",
			"Width has 2 entries: give one for all dimensions, or 3"},
		{hyper(topology.HyperXConfig{Dims: []int{4, 3000}, Width: []int{2}}), "Dims",
			"Dims makes routers of 6005 ports: a router has at most 4096"},
		{hyper(topology.HyperXConfig{Dims: []int{4000, 4000}}), "Dims",
			"Dims makes routers of 7999 ports: a router has at most 4096"},
		{hyper(topology.HyperXConfig{Dims: []int{2000, 2000}}), "Dims",
			"Dims makes 4000000 routers of 3999 ports each: the routers of a machine have at most " +
				"268435456 in all"},
		{graph(topology.GraphConfig{Nodes: two}), "Routers", "Routers is 0: give 1 to 16777216"},
		{graph(topology.GraphConfig{Routers: 2}), "Nodes", "Nodes has 0 entries: give 1 to 16777216"},
		{graph(topology.GraphConfig{Routers: 1, Nodes: two}), "Nodes",
			"Nodes hangs node 1 on router 1: routers are 0 to 0"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Names: []string{"a"}}), "Names",
			"Names has 1 entries for 2 routers: give 2"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Links: []topology.GraphLink{link(0, 2)}}),
			"Links", "Links has one from router 0 to router 2: routers are 0 to 1"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Links: []topology.GraphLink{link(1, 1)}}),
			"Links", "Links has one from router 1 to itself: leave it out"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two,
			Links: []topology.GraphLink{{To: 1, Back: -1}}}), "Links",
			"Links has one from router 0 to router 1 of 0 and -1 cycles: give 0 to 1048576"},
		{graph(topology.GraphConfig{Routers: 3, Nodes: two, Links: []topology.GraphLink{link(0, 1)}}),
			"Links", "Links leaves no way from router 0 to router 2: every router must be reachable from " +
				"every other"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two,
			Links: []topology.GraphLink{{To: 1, FlitCycles: 1 << 16}}}), "Links",
			"Links has one from router 0 to router 1 of 65536 and 0 cycles a flit: give 0 to 65535"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Rails: 3}), "Nodes",
			"Nodes has 2 entries for 3 rails: give one router for each network interface"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Rails: 65}), "Rails",
			"Rails is 65: give 1 to 64"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Rails: 2, Links: []topology.GraphLink{link(0,
			1)}}), "Links", "Links leads from router 1 to the network interfaces of rails 0 and 1: no " +
			"links join the routers of two rails"},
		{graph(topology.GraphConfig{Routers: 3, Nodes: two, Rails: 2}), "Links", "Links leaves no way " +
			"from router 0 to router 2: every router must be reachable from every other"},
		{graph(topology.GraphConfig{Routers: 3, Nodes: []topology.Router{0, 0, 1, 2}, Rails: 2}), "Links",
			"Links leaves no way from router 1 to router 2: every router must be reachable from every " +
				"other"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Groups: []int{1, 1}}), "Groups",
			"Groups has no router of group 0: number groups from 0 without a gap"},
		{graph(topology.GraphConfig{Routers: 2, Nodes: two, Groups: []int{0, 2}}), "Groups",
			"Groups puts router 1 into group 2: groups are 0 to 1 at most"},
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
