package config

import (
	"contend/internal/quantity"
	"contend/router"
)

// networkKeys are the keys of [network].
var networkKeys = []Key{
	{Path: cyclePath, field: &spec.Network.Cycle, gate: 3,
		takes: []quantity.Kind{quantity.Time}, Default: `""`, when: all(messages), read: readCycle,
		Doc: "length of a network cycle, a time with a unit such as 5.12 ns; empty: a cycle " +
			"has no length. With it other keys may be given with units, and a run has its " +
			"metrics in seconds and bytes too. With a log a second has as many cycles as fit " +
			"into it (job.cycles_per_second)"},
	{Path: "network.packet_flits", field: &spec.Network.PacketFlits, Unit: "flits",
		when: all(messages),
		Doc:  "L, flits of a full packet"},
	{Path: "network.buffer_flits", field: &spec.Network.BufferFlits, Unit: "flits",
		when: all(messages),
		Doc:  "B, depth of the buffer of one virtual channel"},
	{Path: "network.virtual_channels", field: &spec.Network.VirtualChannels,
		gate: 3, when: all(messages),
		Doc: "V, virtual channels of a network channel; 0: as many as network.routing needs, of auto 1, " +
			"and 2 where dimensions wrap and on a dragonfly. Where links fail (machine.failures) each has " +
			"one more, for escape paths"},
	{Path: "network.node_virtual_channels", field: &spec.Network.NodeVirtualChannels,
		when: all(messages, severalChannels),
		Doc: "virtual channels of the channels from and to nodes, at most " +
			"network.virtual_channels; 0: as many. With one a packet that enters or leaves a " +
			"node holds up those behind it"},
	{Path: "network.routing_cycles", field: &spec.Network.RoutingCycles, Unit: "cycles",
		when: all(messages),
		Doc:  "R, time a header spends at the head of a buffer before it asks for a channel"},
	{Path: "network.vc_alloc_cycles", field: &spec.Network.VCAllocCycles, Unit: "cycles",
		when: all(messages, routesInFlight),
		Doc: "A, of network.routing_cycles, which are no fewer: time from the grant of a virtual " +
			"channel to when the header may be sent on it, as in routers that allocate the switch " +
			"after the virtual channel; 0: both in one cycle, as with speculation"},
	{Path: "network.link_cycles", field: &spec.Network.LinkCycles, takes: cables, Unit: "cycles",
		when: all(messages),
		Doc:  "D, time from sending a flit to its being at the other end"},
	{Path: "network.flit_cycles", field: &spec.Network.FlitCycles, takes: rates, Unit: "cycles",
		when: all(messages),
		Doc:  "F, time between two flits on one physical channel"},
	{Path: "network.credit_cycles", field: &spec.Network.CreditCycles, takes: cables, Unit: "cycles",
		when: all(messages),
		Doc:  "C, time from a flit leaving a buffer to the sender being able to use its slot"},
	{Path: "network.node_link_cycles", field: &spec.Network.NodeLinkCycles,
		takes: cables, Unit: "cycles",
		when: all(messages),
		Doc: "D of the channels from and to nodes; 0: network.link_cycles. The credits of " +
			"links with a D of their own take as much longer or shorter than " +
			"network.credit_cycles, and a cycle at least"},
	{Path: "network.node_flit_cycles", field: &spec.Network.NodeFlitCycles,
		takes: rates, Unit: "cycles",
		when: all(messages),
		Doc:  "F of the channels from and to nodes; 0: network.flit_cycles"},
	{Path: "network.node_credit_cycles", field: &spec.Network.NodeCreditCycles,
		takes: cables, Unit: "cycles",
		when: all(messages),
		Doc: "C of the channels from and to nodes, such as of a node that sees credits at " +
			"once; 0: as with network.node_link_cycles"},
	{Path: "network.ejection_credit_cycles", field: &spec.Network.EjectionCreditCycles,
		takes: cables, Unit: "cycles",
		when: all(messages),
		Doc: "C of the channels to nodes, whose network interfaces have network.buffer_flits for each " +
			"virtual channel and take each flit as it arrives; 0: nodes always accept"},
	{Path: "network.class_link_cycles", field: &spec.Network.ClassLinkCycles,
		takes: cables, Unit: "cycles",
		when: all(messages, classesOfLinks),
		Doc: "D of each class of links between routers, their credits as with " +
			"network.node_link_cycles: of a dragonfly local and global links, of a tree those " +
			"above each level of routers, from the bottom, of other machines those along each " +
			"dimension; 0: network.link_cycles, empty: for all"},
	{Path: "network.class_flit_cycles", field: &spec.Network.ClassFlitCycles,
		takes: rates, Unit: "cycles",
		when: all(messages, classesOfLinks),
		Doc: "F of each class of links between routers, as in network.class_link_cycles; 0: " +
			"network.flit_cycles, empty: for all"},
	{Path: "network.flit_bytes", field: &spec.Network.FlitBytes,
		Default: "8", Min: "1", Max: "65535", Unit: "bytes",
		when: all(messages, flitsHaveBytes),
		Doc: "bytes a flit carries, for patterns whose messages have sizes in bytes, for " +
			"metrics in bytes and for keys given as sizes or rates: a message of b bytes is b " +
			"divided by it flits, rounded up"},
	{Path: "network.pad_flits", field: &spec.Network.PadFlits,
		Default: "1", Min: "1", Max: "65535", Unit: "flits",
		when: all(messages, orBatsim(usedBy("pad_flits", sizesInBytes))),
		Doc: "such a message is padded to a multiple of this length; a multiple of " +
			"network.buffer_flits that divides network.packet_flits lets the fastest engine be " +
			"exact"},
	{Path: "network.switching", field: &spec.Network.Switching,
		when: all(messages),
		Doc: "when a header may leave: at once, when a whole packet has room below, or when " +
			"its tail has arrived"},
	{Path: "network.injection_ports", field: &spec.Network.InjectionPorts, Unit: "packets",
		when: all(messages),
		Doc:  "packets that a node may inject at once"},
	{Path: "network.source_queues", field: &spec.Network.SourceQueues, gate: 3,
		when: all(messages),
		Doc: "how messages wait at a network interface: in the order in which they were sent, or in " +
			"a queue for each destination (queue pairs), which take turns, a packet each"},
	{Path: "network.congestion_control", field: &spec.Network.Congestion,
		gate: 3, Default: `"none"`, Names: controlTable,
		when: all(messages, oneOfValues("network.source_queues",
			func(s *Spec) string { return s.labelOf("network.source_queues") }, "destination")),
		Doc: "how the rates of queues are held back whose packets meet congestion"},
	{Path: "network.injection_flit_cycles", field: &spec.Network.InjectionFlitCycles,
		takes: rates, Unit: "cycles",
		when: all(messages),
		Doc: "G, time a flit takes at the rate of a node slower than its link: having begun a " +
			"packet of L flits it begins no other for L times as long; the packet itself " +
			"travels at the rate of links. 0: as fast as the link"},
	{Path: "network.rail", field: &spec.Network.Rail,
		when: all(messages, when("machine.rails above 1, or a graph with rails",
			func(s *Spec) bool { return s.Machine.Interfaces() > 1 })),
		Doc: "which of the network interfaces of a node a message takes: each in turn; the " +
			"remainder of the destination's number by their number; pair: those from one node " +
			"to another take them in turn, as on fabrics on which the k-th processors of hosts are " +
			"joined by the k-th rail; message: the nic of a message of goal, and others the first; or " +
			"host: between nodes of one router the first, as on NVLink, and to others one of the rest, " +
			"by the remainder of the destination's number"},
	{Path: "network.arbiter", field: &spec.Network.Arbiter, when: all(messages),
		Doc: "which of the headers that request a channel gets it: the first to come; in turn; or " +
			"matching: every free channel offers itself to a header in turn, and every header " +
			"accepts one of the offers in turn, so that one may be refused a free channel (iSLIP, " +
			"McKeown, ToN 1999)"},
	{Path: "network.vc_select", field: &spec.Network.VCSelect,
		when: all(messages, choiceOfChannels),
		Doc: "which of several free virtual channels of a link a header takes: the one with " +
			"most free slots below, ties in turn; the next in turn; or the first " +
			"routing lists. Without effect where network.virtual_channels is 1, or 2 with " +
			"dateline routing where every dimension wraps and nodes have one"},
	{Path: "network.input_speedup", field: &spec.Network.InputSpeedup,
		takes: plainNumbers, Unit: "flits",
		when: all(messages, severalChannels),
		Doc: "S, flits an input port of a router sends every network.flit_cycles at most, over " +
			"all its virtual channels, or with network.packets_hold_links the packets that it sends at " +
			"a time; 0: one from each, a crossbar without limit. A port of one virtual channel is not " +
			"limited"},
	{Path: "network.switch_allocator", field: &spec.Network.SwitchAllocator,
		when: all(messages, limitedInputs),
		Doc: "which of its virtual channels an input port of a router sends from, and to which " +
			"output: input-first: ports nominate, outputs take one; islip: outputs offer, ports accept " +
			"one (McKeown, ToN 1999); separable-input-first, separable-output-first: those of Becker and " +
			"Dally, SC 2009. Rule 1b of docs/model.md has the turns"},
	{Path: "network.headers_yield", field: &spec.Network.HeadersYield,
		when: all(messages, limitedInputs),
		Doc: "a header waits while another virtual channel of its port has a flit that is no header " +
			"for the same output, as in routers that ask for the switch speculatively (Peh and Dally, " +
			"HPCA 2001). On in the study booksim, fitted to BookSim 2"},
	{Path: "network.atomic_vcs", field: &spec.Network.AtomicVCs, when: all(messages),
		Doc: "a virtual channel is granted only while the buffer behind it is known to be empty, so " +
			"that it never holds flits of two packets (wait_for_tail_credit of BookSim 2)"},
	{Path: "network.headers_speculate", field: &spec.Network.HeadersSpeculate,
		when: all(messages, limitedInputs, when("network.arbiter = matching, network.vc_alloc_cycles "+
			"= 0 and a network.switch_allocator that is not input-first", func(s *Spec) bool {
			return s.Network.Arbiter == router.Matching && s.Network.VCAllocCycles == 0 &&
				s.Network.SwitchAllocator != router.InputFirst
		})),
		Doc: "a header that is refused a free virtual channel requests the switch all the same, and " +
			"its port and the output send nothing if it wins: speculative routers with an allocator " +
			"of virtual channels of their own (Peh and Dally, HPCA 2001). Routings that leave a choice " +
			"of links do not speculate"},
	{Path: "network.packets_hold_links", field: &spec.Network.PacketsHoldLinks,
		when: all(messages, sendsWhole),
		Doc: "a link sends a packet whole, without gaps, in place of its virtual channels taking " +
			"turns flit by flit: winner-take-all (Dally and Towles 2004, ch. 13). " +
			"A head from a slower link waits until the tail cannot come late, and " +
			"network.input_speedup counts packets"},
	{Path: "network.routing", field: &spec.Network.Routing,
		gate: 3, Names: "routings", when: all(messages),
		Doc: "which channels a header may take; auto: dimension-order, balanced-dateline " +
			"where dimensions wrap, d-mod-k on a tree, minimal on a dragonfly, up-down on a graph"},
	{Path: "network.flows_per_pair", field: &spec.Network.FlowsPerPair, Unit: "flows",
		when: all(messages, when("a routing that gives each flow a path: ecmp",
			func(s *Spec) bool { return s.routedMachine().flows })),
		Doc: "flows between two nodes, such as queue pairs of RoCE, which their messages take in " +
			"turn: all packets of a flow take one path. 0: each message is a flow of its own"},
	{Path: "network.resend_cycles", field: &spec.Network.ResendCycles, Unit: "cycles",
		when: all(messages, linksFail),
		Doc: "time from when a packet is injected until its source sends it again if it is lost on a " +
			"link that fails, as after the timeout of an acknowledgement (assumed)"},
	{Path: "network.engine", field: &spec.Network.Engine, Quiet: true,
		when: all(messages),
		Doc: "how flits are moved: cycle by cycle, packet by packet, worm by worm, or by the fastest " +
			"of these that is exact, which docs/model.md says; the results are the same"},
}

// Preset is a value of network.preset: a network of a machine.
type Preset struct {
	Name string      // the value of network.preset
	Doc  string      // the machine or network that it describes, in a line
	Keys []PresetKey // in the order in which they are set
}

// PresetKey is a key that a preset sets.
type PresetKey struct {
	Path   string // the key
	Value  any    // as the TOML library gives it
	Source string // where the value is from; "assumed" where nothing printed says it
}

// Sources that several presets share.
const (
	loAppendix    = "lo1994 App. A"
	cableOf5m     = "5.12 m of cable at 5 ns/m (assumed)"
	creditBack    = "assumed: the cable, and a flit time to process a credit"
	flitOf64B     = "the unit of InfiniBand's credits (IBTA specification, vol. 1, sec. 7.9)"
	oneFlit       = "the time of a flit of 64 B on the link"
	pipelined     = "assumed: switches are pipelines, with their latency in network.link_cycles"
	mtu4096       = "the greatest MTU of InfiniBand and RoCE (IBTA specification, vol. 1)"
	cutThrough    = "assumed: switches cut through, and send a packet whole"
	buffers       = "assumed: two packets or more, and above link_cycles + credit_cycles"
	lanes         = "assumed: data virtual lanes; the IBTA specification, vol. 1, allows 1, 2, 4, 8 and 15"
	priorities    = "assumed: the priorities of IEEE 802.1Q"
	ethernet64B   = "the shortest Ethernet frame (IEEE 802.3)"
	tomahawkUltra = "Broadcom, announcement of Tomahawk Ultra, 2025"
	// The fabric of a switch is faster than its links.
	speedup2 = "assumed, as in BookSim 2's example of a dragonfly; outputs are as busy as with " +
		"output queues (Chuang et al., JSAC 1999)"
)

// presets is the table of presets. Beside published numbers the networks of today have a
// cable, credits and buffers that are assumed alike, so that they can be compared.
var presets = []Preset{
	{"procsimity", "the network of ProcSimity, in cycles that have no length", []PresetKey{
		// "Flits take 1 network clock cycle to move between routing switches, and
		// two cycles to be routed" (lo1994 App. A), single-flit buffers.
		{"network.routing_cycles", int64(4), loAppendix}, {"network.flit_cycles", int64(3), loAppendix},
		{"network.link_cycles", int64(1), loAppendix}, {"network.buffer_flits", int64(1), loAppendix},
		{"network.credit_cycles", int64(1), loAppendix},
		{"network.packet_flits", int64(8), loAppendix},
		{"network.virtual_channels", int64(1), loAppendix},
	}},
	{"paragon", "an Intel Paragon XP/S, as in the study paragon-contend", []PresetKey{
		{cyclePath, "5.71428571 ns", "the time of a byte at 175 MB/s (lo1994 sec. 5)"},
		{"network.flit_bytes", int64(2), "16 bits (lo1994 sec. 5)"},
		{"network.flit_cycles", int64(2), "a flit at 175 MB/s (lo1994 sec. 5)"},
		{"network.routing_cycles", int64(6), "40 ns a hop (lo1994 sec. 5)"},
		{"network.buffer_flits", int64(1), "assumed"},
		{"network.packet_flits", int64(512), "1 KB (lo1994 sec. 5)"},
	}},
	{"cplant", "Sandia's Cplant, as in the study leung-table1, in cycles that have no length",
		[]PresetKey{
			{"network.packet_flits", int64(16), "assumed, see the study"},
			{"network.buffer_flits", int64(4), "assumed, see the study"},
			{"network.virtual_channels", int64(2), "assumed, see the study"},
			{"network.input_speedup", int64(0), "assumed, see the study"},
		}},
	today("ethernet-200", "HPC Ethernet with credits, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: tomahawkUltra, cycle: "2.56 ns",
		delay: "278.16 ns", latency: "250 ns (" + tomahawkUltra + ")", credit: "28.16 ns",
		flitFrom: ethernet64B, channelsFrom: priorities, buffer: "8 KiB"}),
	today("ethernet-400", "HPC Ethernet with credits, 400 Gb/s a link", link{
		rate: "400 Gb/s", rateFrom: tomahawkUltra, cycle: "1.28 ns",
		delay: "276.88 ns", latency: "250 ns (" + tomahawkUltra + ")", credit: "26.88 ns",
		flitFrom: ethernet64B, channelsFrom: priorities, buffer: "16 KiB"}),
	today("hdr", "HDR InfiniBand, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: "NVIDIA QM87xx user manual", cycle: "2.56 ns",
		delay:   "158.16 ns",
		latency: "130 ns (assumed: 90 to 130 ns are printed)",
		credit:  "28.16 ns", flitFrom: flitOf64B, channelsFrom: lanes, buffer: "8 KiB"}),
	today("ndr", "NDR InfiniBand, 400 Gb/s a link", link{
		rate: "400 Gb/s", rateFrom: "NVIDIA QM97xx user manual", cycle: "1.28 ns",
		delay:   "226.88 ns",
		latency: "200 ns (assumed: 150 to 330 ns are printed)",
		credit:  "26.88 ns", flitFrom: flitOf64B, channelsFrom: lanes, buffer: "16 KiB"}),
	today("slingshot-11", "HPE Slingshot-11, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: "De Sensi et al., SC 2020, sec. II", cycle: "2.56 ns",
		delay: "378.16 ns", latency: "350 ns (De Sensi et al., SC 2020, sec. II)",
		credit: "28.16 ns", flitFrom: ethernet64B, channelsFrom: priorities, buffer: "16 KiB"}),
}

// link has the properties in which networks of today differ.
type link struct {
	rate, rateFrom string // of a link
	cycle          string // the time of a flit of 64 B at that rate
	delay, latency string // of a switch, with cable and flit; and of the switch alone
	credit         string // time that a credit takes
	flitFrom       string // why a flit has 64 B
	channelsFrom   string // why there are 8 virtual channels
	buffer         string // of a virtual channel
}

// today returns the preset of a network of today.
func today(name, doc string, l link) Preset {
	return Preset{name, doc, []PresetKey{
		{cyclePath, l.cycle, oneFlit},
		{"network.flit_bytes", "64 B", l.flitFrom},
		{"network.flit_cycles", l.rate, l.rateFrom},
		{"network.routing_cycles", l.cycle, pipelined},
		{"network.link_cycles", l.delay, "a switch, " + l.latency + "; " +
			cableOf5m + "; and the time of a flit"},
		{"network.credit_cycles", l.credit, creditBack},
		{"network.buffer_flits", l.buffer, buffers},
		{"network.packet_flits", "4 KiB", mtu4096},
		{"network.switching", "virtual-cut-through", cutThrough},
		{"network.packets_hold_links", true, cutThrough},
		{"network.virtual_channels", int64(8), l.channelsFrom},
		{"network.input_speedup", int64(2), speedup2},
	}}
}

// Presets returns the table of presets.
func Presets() []Preset { return presets }

// presetNames lists the values of network.preset.
func presetNames() (names []string) {
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return names
}
