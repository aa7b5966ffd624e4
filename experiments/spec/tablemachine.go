package spec

import "contend/netsim/topology"

// machineKeys are the keys of [machine].
var machineKeys = []Key{
	{Path: "machine.topology", Default: `"mesh"`, Names: "topologies",
		Doc: "how the routers are joined"},
	{Path: "machine.dims", Default: "[]", Min: "1", Unit: "routers",
		when: all(topologyIs("mesh", "torus", "hypercube", "hyperx")),
		Doc: "routers along each dimension, x first; of a hypercube the number of its " +
			"dimensions alone, such as [6]. Empty: with a log as nearly square as its machine " +
			"allows (MaxProcs of its header, else MaxNodes, else the largest job), else [16, " +
			"16], of a hypercube [8], of a hyperx [8, 8]"},
	{Path: "machine.arity", Default: "4", Min: "2", when: all(topologyIs("tree")),
		Source: "pascual2009 sec. 3",
		Doc:    "of a tree: ports down of a router, k of a k-ary n-tree"},
	{Path: "machine.levels", Default: "4", Min: "1", Max: "24", when: all(topologyIs("tree")),
		Doc: "of a tree: levels of routers, n of a k-ary n-tree"},
	{Path: "machine.nodes", Default: "0", Min: "0", Unit: "nodes",
		when: all(topologyIs("tree", "fat-tree")), Source: "pascual2009 sec. 4",
		Doc: "of a tree or a fat-tree: number of nodes, of which it has the first ones; 0: all " +
			"there is room for"},
	{Path: "machine.up_ports", Default: "[]", Min: "1", when: all(topologyIs("tree")),
		Doc: "of a tree: ports up of a router, one number for all levels, such as [2], or one " +
			"for each but the top, from the bottom; empty: as many as down"},
	{Path: "machine.children", Default: "[4, 4, 4]", Min: "1", when: all(topologyIs("fat-tree")),
		Source: "Zahavi 2010",
		Doc: "of a fat-tree: subtrees below a router of each level, nodes at the lowest one, " +
			"from the bottom; as many levels as entries"},
	{Path: "machine.parents", Default: "[]", Min: "1", Unit: "routers",
		when: all(topologyIs("fat-tree")), Source: "Zahavi 2010",
		Doc: "of a fat-tree: routers above a router, one number for all levels, such as [2], " +
			"or one for each but the top, from the bottom; empty: as many as machine.children"},
	{Path: "machine.bundle", Default: "[]", Min: "1", Unit: "links",
		when: all(topologyIs("fat-tree")), Source: "Zahavi 2010",
		Doc: "of a fat-tree: parallel links from a router to each one above, one number for " +
			"all levels, such as [2], or one for each but the top, from the bottom; empty: 1"},
	{Path: "machine.rails", Default: "1", Min: "1", Max: "64", when: all(topologyIs("fat-tree")),
		Doc: "of a fat-tree: network interfaces of a node. Each hangs on a plane of its own, a " +
			"whole tree of routers; network.rail says which one a message takes"},
	{Path: "machine.wrap", Default: "[]", when: all(topologyIs("mesh", "torus")),
		Doc: "per dimension, whether its ends are joined; empty: as in the topology"},
	{Path: "machine.concentration", Default: "1", Min: "1", Max: "64", Unit: "nodes",
		when: all(topologyIs("mesh", "torus", "hypercube", "dragonfly", "hyperx")),
		Doc:  "nodes attached to each router"},
	{Path: "machine.service_rows", Default: "[]", Min: "0", when: all(grid),
		Source: "leung2002 sec. 4",
		Doc:    "coordinates along the last dimension of routers that carry no nodes"},
	{Path: "machine.group_routers", Default: "4", Min: "1", Max: "4096", Unit: "routers",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: routers of a group, a, every two of them joined"},
	{Path: "machine.global_links", Default: "2", Min: "1", Max: "4096", Unit: "links",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: links of a router to other groups, h"},
	{Path: "machine.groups", Default: "0", Min: "0", Unit: "groups",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: number of groups, g, at most a·h + 1; 0: that many. With fewer, " +
			"several links join two groups, spread evenly"},
	{Path: "machine.arrangement", Default: `"absolute"`, Choices: topology.Arrangements(),
		when: all(topologyIs("dragonfly"), when("more than two groups",
			func(s *Spec) bool { return s.Machine.SeveralGroups() })),
		Source: "Camarero et al. 2014",
		Doc: "of a dragonfly: which global link leads to which group. absolute: in the order " +
			"of the groups; relative: in the order in which they follow the own one; " +
			"circulant: one ahead, one back, two ahead, and so on, which needs an even number " +
			"of global links"},
	{Path: "machine.width", Default: "[]", Min: "1", Unit: "links",
		when: all(topologyIs("hyperx")), Source: "Ahn et al. 2009",
		Doc: "of a hyperx: parallel links between two routers, one number for all dimensions, " +
			"such as [2], or one for each; empty: 1"},
	{Path: "machine.graph", Default: "[]", when: all(topologyIs("graph")),
		Doc: "of a graph: a text for each router as in a BookSim anynet file, such as " +
			"[\"router 0 node 0 router 1\", \"router 1 node 1\"]. machine.file reads it from a " +
			"file"},
}
