package spec

// shortKeys are the keys that stand for several others.
var shortKeys = []Key{
	{
		Path:      "network.preset",
		Shorthand: true,
		Default:   `""`,
		Choices:   presetNames(),
		Doc: "sets several keys of [network] at once; keys given beside it take precedence. " +
			"contend list presets has their values and sources",
		when: []condition{messages},
	},
	{
		Path:      "allocator",
		Shorthand: true,
		Default:   `""`,
		Doc: "an allocator with its parameters, such as paging:2, paging:1,snake or " +
			"first-fit:rotate; sets all of [allocator]",
		when: []condition{queued},
	},
	{
		Path:      "machine.file",
		Shorthand: true,
		Default:   `""`,
		Doc: "a file that describes a graph; sets machine.graph. Its name ends in .toml, else it is " +
			"a BookSim anynet file; docs/howto/networks.md describes both",
		when: []condition{topologyIs("graph")},
	},
}
