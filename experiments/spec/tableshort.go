package spec

// shortKeys are the keys that stand for several others.
var shortKeys = []Key{
	{Path: "network.preset", Shorthand: true, Default: `""`, Choices: presetNames(),
		when: all(messages),
		Doc: "sets several keys of [network] at once; keys given beside it take precedence. " +
			"contend list presets has their values and sources"},
	{Path: "allocator", Shorthand: true, Default: `""`, when: all(queued),
		Doc: "an allocator with its parameters, such as paging:2, paging:1,snake or " +
			"first-fit:rotate; sets all of [allocator]"},
	{Path: "machine.file", Shorthand: true, Default: `""`,
		when: all(topologyIs("graph", "fat-tree")),
		Doc: "a file that describes a graph; sets machine.graph. Its name ends in .toml, .csv " +
			"or .dot, else it is a BookSim anynet file; docs/howto/networks.md describes them. " +
			"Of a fat-tree: a file of htsim, whose name ends in .topo; sets the shape, and the " +
			"cycle, the delays and the rates in [network]"},
}
