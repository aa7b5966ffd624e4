package spec

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
			"16], of a hypercube [8]",
		when: []condition{grid},
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
		Doc:    "of a tree: number of nodes, of which the tree has the first ones; 0: all k^n",
		Source: "pascual2009 sec. 4",
		when:   []condition{topologyIs("tree")},
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
		when: []condition{grid},
	},
	{
		Path:    "machine.service_rows",
		of:      func(s *Spec) any { return &s.Machine.ServiceRows },
		Default: "[]", Min: "0",
		Doc:    "coordinates along the last dimension of routers that carry no nodes",
		Source: "leung2002 sec. 4",
		when:   []condition{grid},
	},
}
