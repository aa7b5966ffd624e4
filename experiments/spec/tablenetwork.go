package spec

// networkKeys are the keys of [network].
var networkKeys = []Key{
	{Path: cyclePath, Default: `""`, when: all(messages), read: readCycle,
		Doc: "length of a network cycle, a time with a unit such as 5.12 ns; empty: a cycle " +
			"has no length. With it other keys may be given with units, and a run has its " +
			"metrics in seconds and bytes too. With a log a second has as many cycles as fit " +
			"into it (job.cycles_per_second)"},
	{Path: "network.packet_flits", Default: "8", Min: "1", Max: "65535", Unit: "flits",
		when: all(messages),
		Doc:  "L, flits of a full packet"},
	{Path: "network.buffer_flits", Default: "2", Min: "1", Max: "32767", Unit: "flits",
		when: all(messages),
		Doc:  "B, depth of the buffer of one virtual channel"},
	{Path: "network.virtual_channels", Default: "0", Min: "0", Max: "64", when: all(messages),
		Doc: "V, virtual channels of a network channel; 0: 1, and 2 where dimensions wrap"},
	{Path: "network.node_virtual_channels", Default: "1", Min: "0", Max: "64",
		when: all(messages, severalChannels),
		Doc: "virtual channels of the channels from and to nodes, at most " +
			"network.virtual_channels; 0: as many. With one a packet that enters or leaves a " +
			"node holds up those behind it. The study booksim takes 0, fitted to BookSim 2"},
	{Path: "network.routing_cycles", Default: "2", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc:  "R, time a header spends at the head of a buffer before it asks for a channel"},
	{Path: "network.link_cycles", Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc:  "D, time from sending a flit to its being at the other end"},
	{Path: "network.flit_cycles", Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc:  "F, time between two flits on one physical channel"},
	{Path: "network.credit_cycles", Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc:  "C, time from a flit leaving a buffer to the sender being able to use its slot"},
	{Path: "network.node_link_cycles", Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc: "D of the channels from and to nodes; 0: network.link_cycles. The credits of " +
			"links with a D of their own take as much longer or shorter than " +
			"network.credit_cycles, and a cycle at least"},
	{Path: "network.node_flit_cycles", Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc:  "F of the channels from and to nodes; 0: network.flit_cycles"},
	{Path: "network.node_credit_cycles", Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages),
		Doc: "C of the channels from and to nodes, such as of a node that sees credits at " +
			"once; 0: as with network.node_link_cycles"},
	{Path: "network.class_link_cycles", Default: "[]", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages, classesOfLinks),
		Doc: "D of each class of links between routers, their credits as with " +
			"network.node_link_cycles: of a dragonfly local and global links, of a tree those " +
			"above each level of routers, from the bottom, of other machines those along each " +
			"dimension; 0: network.link_cycles, empty: for all"},
	{Path: "network.class_flit_cycles", Default: "[]", Min: "0", Max: "65535", Unit: "cycles",
		when: all(messages, classesOfLinks),
		Doc: "F of each class of links between routers, as in network.class_link_cycles; 0: " +
			"network.flit_cycles, empty: for all"},
	{Path: "network.flit_bytes", Default: "8", Min: "1", Max: "65535", Unit: "bytes",
		when: all(messages, flitsHaveBytes),
		Doc: "bytes a flit carries, for patterns whose messages have sizes in bytes, for " +
			"metrics in bytes and for keys given as sizes or rates: a message of b bytes is b " +
			"divided by it flits, rounded up"},
	{Path: "network.pad_flits", Default: "1", Min: "1", Max: "65535", Unit: "flits",
		when: all(messages, usedBy("pad_flits", ownSizes)),
		Doc: "such a message is padded to a multiple of so many flits; a multiple of " +
			"network.buffer_flits that divides network.packet_flits lets the fastest engine be " +
			"exact"},
	{Path: "network.switching", Default: `"wormhole"`,
		Choices: []string{"wormhole", "virtual-cut-through", "store-and-forward"},
		when:    all(messages),
		Doc: "when a header may leave: at once, when a whole packet has room below, or when " +
			"its tail has arrived"},
	{Path: "network.injection_ports", Default: "1", Min: "1", Max: "64", Unit: "packets",
		when: all(messages),
		Doc:  "packets that a node may inject at once"},
	{Path: "network.injection_flit_cycles", Default: "0", Min: "0", Max: "65536", Unit: "cycles",
		when: all(messages),
		Doc: "G, time a flit takes at the rate of a node slower than its link: having begun a " +
			"packet of L flits it begins no other for L times as long; the packet itself " +
			"travels at the rate of links. 0: as fast as the link"},
	{Path: "network.rail", Default: `"round-robin"`,
		Choices: []string{"round-robin", "destination"},
		when: all(messages, when("machine.rails above 1, or a graph with rails",
			func(s *Spec) bool { return s.Machine.Interfaces() > 1 })),
		Doc: "which of the network interfaces of a node a message takes: each in turn, or the " +
			"remainder of the destination's number by their number"},
	{Path: "network.arbiter", Default: `"fcfs"`, Choices: []string{"fcfs", "round-robin"},
		when: all(messages),
		Doc:  "which of the headers that request a channel gets it"},
	{Path: "network.vc_select", Default: `"most-credits"`,
		Choices: []string{"most-credits", "round-robin", "first", "random"},
		when:    all(messages, choiceOfChannels),
		Doc: "which of several free virtual channels of a link a header takes: the one with " +
			"most free slots below, ties in turn; the next in turn; the first routing lists; " +
			"or one drawn. Without effect where network.virtual_channels is 1, or 2 with " +
			"dateline routing and every dimension wraps"},
	{Path: "network.input_speedup", Default: "1", Min: "0", Max: "64", Unit: "flits",
		when: all(messages, severalChannels),
		Doc: "S, flits an input port of a router sends every network.flit_cycles at most, over " +
			"all its virtual channels; 0: one from each, a crossbar without limit. A port of " +
			"one virtual channel, such as nodes' are unless network.node_virtual_channels says " +
			"otherwise, is not limited"},
	{Path: "network.headers_yield", Default: "false",
		when: all(messages, limitedInputs),
		Doc: "an input port of a router passes over a header while another of its virtual " +
			"channels has a flit that is no header for the same output, as routers do that ask " +
			"for the switch speculatively (Peh and Dally, HPCA 2001): packets from one port to " +
			"one output follow each other in place of taking turns. On in the study booksim, " +
			"fitted to BookSim 2"},
	{Path: "network.routing", Default: `"auto"`, Names: "routings", when: all(messages),
		Doc: "which channels a header may take; auto: dimension-order, dateline where " +
			"dimensions wrap, d-mod-k on a tree, minimal on a dragonfly, up-down on a graph"},
	{Path: "network.engine", Default: `"auto"`, Choices: []string{"auto", "cycle", "worm"},
		when: all(messages),
		Doc: "how flits are moved: cycle by cycle, worm by worm, or worm where that is exact " +
			"(wormhole switching, one virtual channel, one injection port); the results are " +
			"the same"},
}
