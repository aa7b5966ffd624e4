package spec

// networkKeys are the keys of [network].
var networkKeys = []Key{
	{
		Path:    cyclePath,
		of:      func(s *Spec) any { return &s.Network.Cycle },
		Default: `""`,
		Doc: "length of a network cycle, a time with a unit such as 5.12 ns; empty: a cycle has " +
			"no length. With it other keys may be given with units, and a run has its metrics in " +
			"seconds and bytes too. With a log a second has as many cycles as fit into it " +
			"(job.cycles_per_second)",
		when: []condition{messages},
	},
	{
		Path:    "network.packet_flits",
		of:      func(s *Spec) any { return &s.Network.PacketFlits },
		Default: "8", Min: "1", Max: "65535", Unit: "flits",
		Doc:  "L, flits of a full packet",
		when: []condition{messages},
	},
	{
		Path:    "network.buffer_flits",
		of:      func(s *Spec) any { return &s.Network.BufferFlits },
		Default: "2", Min: "1", Max: "32767", Unit: "flits",
		Doc:  "B, depth of the buffer of one virtual channel",
		when: []condition{messages},
	},
	{
		Path:    "network.virtual_channels",
		of:      func(s *Spec) any { return &s.Network.VirtualChannels },
		Default: "0", Min: "0", Max: "64",
		Doc:  "V, virtual channels of a network channel; 0: 1, and 2 where dimensions wrap",
		when: []condition{messages},
	},
	{
		Path:    "network.node_virtual_channels",
		of:      func(s *Spec) any { return &s.Network.NodeVirtualChannels },
		Default: "1", Min: "0", Max: "64",
		Doc: "virtual channels of the channels from and to nodes, at most " +
			"network.virtual_channels; 0: as many. With one a packet that enters or leaves a " +
			"node holds up those behind it. The study booksim takes 0, fitted to BookSim 2",
		when: []condition{
			messages,
			when("more than one virtual channel (see network.virtual_channels)",
				func(s *Spec) bool { return s.sharesInputs() }),
		},
	},
	{
		Path:    "network.routing_cycles",
		of:      func(s *Spec) any { return &s.Network.RoutingCycles },
		Default: "2", Min: "0", Max: "65535", Unit: "cycles",
		Doc:  "R, time a header spends at the head of a buffer before it asks for a channel",
		when: []condition{messages},
	},
	{
		Path:    "network.link_cycles",
		of:      func(s *Spec) any { return &s.Network.LinkCycles },
		Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		Doc:  "D, time from sending a flit to its being at the other end",
		when: []condition{messages},
	},
	{
		Path:    "network.flit_cycles",
		of:      func(s *Spec) any { return &s.Network.FlitCycles },
		Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		Doc:  "F, time between two flits on one physical channel",
		when: []condition{messages},
	},
	{
		Path:    "network.credit_cycles",
		of:      func(s *Spec) any { return &s.Network.CreditCycles },
		Default: "1", Min: "1", Max: "65535", Unit: "cycles",
		Doc:  "C, time from a flit leaving a buffer to the sender being able to use its slot",
		when: []condition{messages},
	},
	{
		Path:    "network.node_link_cycles",
		of:      func(s *Spec) any { return &s.Network.NodeLinkCycles },
		Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		Doc: "D of the channels from and to nodes; 0: network.link_cycles. The credits of links " +
			"with a D of their own take as much longer or shorter than network.credit_cycles, " +
			"and a cycle at least",
		when: []condition{messages},
	},
	{
		Path:    "network.node_flit_cycles",
		of:      func(s *Spec) any { return &s.Network.NodeFlitCycles },
		Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		Doc:  "F of the channels from and to nodes; 0: network.flit_cycles",
		when: []condition{messages},
	},
	{
		Path:    "network.node_credit_cycles",
		of:      func(s *Spec) any { return &s.Network.NodeCreditCycles },
		Default: "0", Min: "0", Max: "65535", Unit: "cycles",
		Doc: "C of the channels from and to nodes, such as of a node that sees credits at once; " +
			"0: as with network.node_link_cycles",
		when: []condition{messages},
	},
	{
		Path:    "network.class_link_cycles",
		of:      func(s *Spec) any { return &s.Network.ClassLinkCycles },
		Default: "[]", Min: "0", Max: "65535", Unit: "cycles",
		Doc: "D of each class of links between routers, their credits as with " +
			"network.node_link_cycles: of a dragonfly local and global links, of a tree those " +
			"above each level of routers, from the bottom, of other machines those along each " +
			"dimension; 0: network.link_cycles, empty: for all",
		when: []condition{messages, classesOfLinks},
	},
	{
		Path:    "network.class_flit_cycles",
		of:      func(s *Spec) any { return &s.Network.ClassFlitCycles },
		Default: "[]", Min: "0", Max: "65535", Unit: "cycles",
		Doc: "F of each class of links between routers, as in network.class_link_cycles; 0: " +
			"network.flit_cycles, empty: for all",
		when: []condition{messages, classesOfLinks},
	},
	{
		Path:    "network.flit_bytes",
		of:      func(s *Spec) any { return &s.Network.FlitBytes },
		Default: "8", Min: "1", Max: "65535", Unit: "bytes",
		Doc: "bytes a flit carries, for patterns whose messages have sizes in bytes, for metrics " +
			"in bytes and for keys given as sizes or rates: a message of b bytes is b divided by " +
			"it flits, rounded up",
		when: []condition{messages, flitsHaveBytes},
	},
	{
		Path:    "network.pad_flits",
		of:      func(s *Spec) any { return &s.Network.PadFlits },
		Default: "1", Min: "1", Max: "65535", Unit: "flits",
		Doc: "such a message is padded to a multiple of so many flits; a multiple of " +
			"network.buffer_flits that divides network.packet_flits lets the fastest engine be " +
			"exact",
		when: []condition{messages, usedBy("pad_flits", ownSizes)},
	},
	{
		Path:    "network.switching",
		of:      func(s *Spec) any { return &s.Network.Switching },
		Default: `"wormhole"`,
		Choices: []string{"wormhole", "virtual-cut-through", "store-and-forward"},
		Doc: "when a header may leave: at once, when a whole packet has room below, or when " +
			"its tail has arrived",
		when: []condition{messages},
	},
	{
		Path:    "network.injection_ports",
		of:      func(s *Spec) any { return &s.Network.InjectionPorts },
		Default: "1", Min: "1", Max: "64", Unit: "packets",
		Doc:  "packets that a node may inject at once",
		when: []condition{messages},
	},
	{
		Path:    "network.injection_flit_cycles",
		of:      func(s *Spec) any { return &s.Network.InjectionFlitCycles },
		Default: "0", Min: "0", Max: "65536", Unit: "cycles",
		Doc: "G, time a flit takes at the rate of a node slower than its link: having begun a " +
			"packet of L flits it begins no other for L times as long; the packet itself " +
			"travels at the rate of links. 0: as fast as the link",
		when: []condition{messages},
	},
	{
		Path:    "network.rail",
		of:      func(s *Spec) any { return &s.Network.Rail },
		Default: `"round-robin"`,
		Choices: []string{"round-robin", "destination"},
		Doc: "which of the network interfaces of a node a message takes: each in turn, or the " +
			"remainder of the destination's number by their number",
		when: []condition{messages, when("machine.rails above 1, or a graph with rails",
			func(s *Spec) bool { return s.Machine.rails() > 1 })},
	},
	{
		Path:    "network.arbiter",
		of:      func(s *Spec) any { return &s.Network.Arbiter },
		Default: `"fcfs"`,
		Choices: []string{"fcfs", "round-robin"},
		Doc:     "which of the headers that request a channel gets it",
		when:    []condition{messages},
	},
	{
		Path:    "network.vc_select",
		of:      func(s *Spec) any { return &s.Network.VCSelect },
		Default: `"most-credits"`,
		Choices: []string{"most-credits", "round-robin", "first", "random"},
		Doc: "which of several free virtual channels of a link a header takes: the one with " +
			"most free slots below, ties in turn; the next in turn; the first routing lists; " +
			"or one drawn. Without effect where network.virtual_channels is 1, or 2 with " +
			"dateline routing and every dimension wraps",
		when: []condition{
			messages,
			when("more than one virtual channel to choose from "+
				"(see network.virtual_channels)",
				func(s *Spec) bool { return s.choosesChannels() }),
		},
	},
	{
		Path:    "network.input_speedup",
		of:      func(s *Spec) any { return &s.Network.InputSpeedup },
		Default: "1", Min: "0", Max: "64", Unit: "flits",
		Doc: "S, flits an input port of a router sends every network.flit_cycles at most, over " +
			"all its virtual channels; 0: one from each, a crossbar without limit. A port of " +
			"one virtual channel, such as nodes' are unless network.node_virtual_channels " +
			"says otherwise, is not limited",
		when: []condition{
			messages,
			when("more than one virtual channel (see network.virtual_channels)",
				func(s *Spec) bool { return s.sharesInputs() }),
		},
	},
	{
		Path:    "network.headers_yield",
		of:      func(s *Spec) any { return &s.Network.HeadersYield },
		Default: "false",
		Doc: "an input port of a router passes over a header while another of its virtual " +
			"channels has a flit that is no header for the same output, as routers do that " +
			"ask for the switch speculatively (Peh and Dally, HPCA 2001): packets from one " +
			"port to one output follow each other in place of taking turns. On in the study " +
			"booksim, fitted to BookSim 2",
		when: []condition{
			messages,
			when("more than one virtual channel (see network.virtual_channels) and a "+
				"network.input_speedup that is not 0",
				func(s *Spec) bool { return s.sharesInputs() && s.Network.InputSpeedup > 0 }),
		},
	},
	{
		Path:    "network.routing",
		of:      func(s *Spec) any { return &s.Network.Routing },
		Default: `"auto"`,
		Names:   "routings",
		Doc: "which channels a header may take; auto: dimension-order, dateline where " +
			"dimensions wrap, d-mod-k on a tree, minimal on a dragonfly, up-down on a graph",
		when: []condition{messages},
	},
	{
		Path:    "network.engine",
		of:      func(s *Spec) any { return &s.Network.Engine },
		Default: `"auto"`,
		Choices: []string{"auto", "cycle", "worm"},
		Doc: "how flits are moved: cycle by cycle, worm by worm, or worm where that is exact " +
			"(wormhole switching, one virtual channel, one injection port); the results are " +
			"the same",
		when: []condition{messages},
	},
	{
		Path:    "network.settle",
		of:      func(s *Spec) any { return &s.SettleRates },
		Default: "0", Min: "0", Max: "0.2",
		Doc: "jump over time in which the running jobs stay the same, once the rate at which " +
			"each of them makes progress is known so well that the 95% interval of its service " +
			"time is at most so wide to each side, relative to its mean; 0: simulate every flit. " +
			"0.02 suits single jobs, 0.05 to 0.1 means over thousands of jobs. docs/model.md " +
			"says what is estimated then, and how it is checked",
		when: []condition{messages, queued},
	},
}
