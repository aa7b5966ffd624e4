package spec

import "contend/netsim/topology"

// machineKeys are the keys of [machine].
var machineKeys = []Key{
	{
		Path:    "machine.topology",
		of:      func(s *Spec) any { return &s.Machine.Topology },
		Default: `"mesh"`,
		Names:   "topologies",
		Doc:     "how the routers are joined",
	},
	{
		Path:    "machine.dims",
		of:      func(s *Spec) any { return &s.Machine.Dims },
		Default: "[]", Min: "1", Unit: "routers",
		Doc: "routers along each dimension, x first; of a hypercube the number of its " +
			"dimensions alone, such as [6]. Empty: with a log as nearly square as its machine " +
			"allows (MaxProcs of its header, else MaxNodes, else the largest job), else [16, " +
			"16], of a hypercube [8], of a hyperx [8, 8]",
		when: []condition{topologyIs("mesh", "torus", "hypercube", "hyperx")},
	},
	{
		Path:    "machine.arity",
		of:      func(s *Spec) any { return &s.Machine.Arity },
		Default: "4", Min: "2",
		Doc:    "of a tree: ports down of a router, k of a k-ary n-tree",
		Source: "pascual2009 sec. 3",
		when:   []condition{topologyIs("tree")},
	},
	{
		Path:    "machine.levels",
		of:      func(s *Spec) any { return &s.Machine.Levels },
		Default: "4", Min: "1", Max: "24",
		Doc:  "of a tree: levels of routers, n of a k-ary n-tree",
		when: []condition{topologyIs("tree")},
	},
	{
		Path:    "machine.nodes",
		of:      func(s *Spec) any { return &s.Machine.Nodes },
		Default: "0", Min: "0", Unit: "nodes",
		Doc: "of a tree or a fat-tree: number of nodes, of which it has the first ones; 0: all " +
			"there is room for",
		Source: "pascual2009 sec. 4",
		when:   []condition{topologyIs("tree", "fat-tree")},
	},
	{
		Path:    "machine.up_ports",
		of:      func(s *Spec) any { return &s.Machine.UpPorts },
		Default: "[]", Min: "1",
		Doc: "of a tree: ports up of a router, one number for all levels, such as [2], or one " +
			"for each but the top, from the bottom; empty: as many as down",
		when: []condition{topologyIs("tree")},
	},
	{
		Path:    "machine.children",
		of:      func(s *Spec) any { return &s.Machine.Children },
		Default: "[4, 4, 4]", Min: "1",
		Doc: "of a fat-tree: subtrees below a router of each level, nodes at the lowest one, from " +
			"the bottom; as many levels as entries",
		Source: "Zahavi 2010",
		when:   []condition{topologyIs("fat-tree")},
	},
	{
		Path:    "machine.parents",
		of:      func(s *Spec) any { return &s.Machine.Parents },
		Default: "[]", Min: "1", Unit: "routers",
		Doc: "of a fat-tree: routers above a router, one number for all levels, such as [2], or " +
			"one for each but the top, from the bottom; empty: as many as machine.children",
		Source: "Zahavi 2010",
		when:   []condition{topologyIs("fat-tree")},
	},
	{
		Path:    "machine.bundle",
		of:      func(s *Spec) any { return &s.Machine.Bundle },
		Default: "[]", Min: "1", Unit: "links",
		Doc: "of a fat-tree: parallel links from a router to each one above, one number for all " +
			"levels, such as [2], or one for each but the top, from the bottom; empty: 1",
		Source: "Zahavi 2010",
		when:   []condition{topologyIs("fat-tree")},
	},
	{
		Path:    "machine.rails",
		of:      func(s *Spec) any { return &s.Machine.Rails },
		Default: "1", Min: "1", Max: "64",
		Doc: "of a fat-tree: network interfaces of a node. Each hangs on a plane of its own, a " +
			"whole tree of routers; network.rail says which one a message takes",
		when: []condition{topologyIs("fat-tree")},
	},
	{
		Path:    "machine.wrap",
		of:      func(s *Spec) any { return &s.Machine.Wrap },
		Default: "[]",
		Doc:     "per dimension, whether its ends are joined; empty: as in the topology",
		when:    []condition{topologyIs("mesh", "torus")},
	},
	{
		Path:    "machine.concentration",
		of:      func(s *Spec) any { return &s.Machine.Concentration },
		Default: "1", Min: "1", Max: "64", Unit: "nodes",
		Doc:  "nodes attached to each router",
		when: []condition{topologyIs("mesh", "torus", "hypercube", "dragonfly", "hyperx")},
	},
	{
		Path:    "machine.service_rows",
		of:      func(s *Spec) any { return &s.Machine.ServiceRows },
		Default: "[]", Min: "0",
		Doc:    "coordinates along the last dimension of routers that carry no nodes",
		Source: "leung2002 sec. 4",
		when:   []condition{grid},
	},
	{
		Path:    "machine.group_routers",
		of:      func(s *Spec) any { return &s.Machine.GroupRouters },
		Default: "4", Min: "1", Max: "4096", Unit: "routers",
		Doc:    "of a dragonfly: routers of a group, a, every two of them joined",
		Source: "Kim et al. 2008",
		when:   []condition{topologyIs("dragonfly")},
	},
	{
		Path:    "machine.global_links",
		of:      func(s *Spec) any { return &s.Machine.GlobalLinks },
		Default: "2", Min: "1", Max: "4096", Unit: "links",
		Doc:    "of a dragonfly: links of a router to other groups, h",
		Source: "Kim et al. 2008",
		when:   []condition{topologyIs("dragonfly")},
	},
	{
		Path:    "machine.groups",
		of:      func(s *Spec) any { return &s.Machine.Groups },
		Default: "0", Min: "0", Unit: "groups",
		Doc: "of a dragonfly: number of groups, g, at most a·h + 1; 0: that many. With fewer, " +
			"several links join two groups, spread evenly",
		Source: "Kim et al. 2008",
		when:   []condition{topologyIs("dragonfly")},
	},
	{
		Path:    "machine.arrangement",
		of:      func(s *Spec) any { return &s.Machine.Arrangement },
		Default: `"absolute"`,
		Choices: topology.Arrangements(),
		Doc: "of a dragonfly: which global link leads to which group. absolute: in the order of " +
			"the groups; relative: in the order in which they follow the own one; circulant: one " +
			"ahead, one back, two ahead, and so on, which needs an even number of global links",
		Source: "Camarero et al. 2014",
		when: []condition{topologyIs("dragonfly"), when("more than two groups",
			func(s *Spec) bool { return s.Machine.severalGroups() })},
	},
	{
		Path:    "machine.width",
		of:      func(s *Spec) any { return &s.Machine.Width },
		Default: "[]", Min: "1", Unit: "links",
		Doc: "of a hyperx: parallel links between two routers, one number for all dimensions, such " +
			"as [2], or one for each; empty: 1",
		Source: "Ahn et al. 2009",
		when:   []condition{topologyIs("hyperx")},
	},
	{
		Path:    "machine.graph",
		of:      func(s *Spec) any { return &s.Machine.Graph },
		Default: "[]",
		Doc: "of a graph: a text for each router as in a BookSim anynet file, such as " +
			`["router 0 node 0 router 1", "router 1 node 1"]. machine.file reads it from a file`,
		when: []condition{topologyIs("graph")},
	},
}
