package spec

// shortKeys are the keys that stand for several others.
var shortKeys = []Key{
	{
		Path:      "network.preset",
		Shorthand: true,
		Default:   `""`,
		Choices:   []string{"procsimity"},
		Doc:       "sets several keys of [network] at once; keys given beside it take precedence",
		when:      []condition{messages},
	},
	{
		Path:      "allocator",
		Shorthand: true,
		Default:   `""`,
		Doc: "an allocator with its parameters, such as paging:2, paging:1,snake or " +
			"first-fit:rotate; sets all of [allocator]",
		when: []condition{queued},
	},
}

// Presets lists what each value of network.preset sets.
var Presets = map[string][]struct {
	Path  string
	Value int64
}{
	// "Flits take 1 network clock cycle to move between routing switches, and
	// two cycles to be routed" (lo1994 App. A), single-flit buffers.
	"procsimity": {
		{"network.routing_cycles", 4}, {"network.flit_cycles", 3}, {"network.link_cycles", 1},
		{"network.buffer_flits", 1}, {"network.credit_cycles", 1}, {"network.packet_flits", 8},
		{"network.virtual_channels", 1},
	},
}
