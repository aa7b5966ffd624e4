package router

// Switching is the rule by which a router sends a head on: how much of the packet it must store, or
// have credits for.
type Switching uint8

// The three kinds of switching.
const (
	// Wormhole sends a head on a credit for one flit.
	Wormhole Switching = iota
	// VirtualCutThrough sends a head on credits for its whole packet.
	VirtualCutThrough
	// StoreAndForward computes the route of a head when its packet's tail has arrived.
	StoreAndForward
)

// Names are the names of the constants in a study, in their order.
func (Switching) Names() []string {
	return []string{"wormhole", "virtual-cut-through", "store-and-forward"}
}

// Arbiter is the rule by which one of several waiting heads gets a free VC.
type Arbiter uint8

// The arbiters.
const (
	// FirstCome takes the head that has been ready longest, then the one of the lowest input VC.
	FirstCome Arbiter = iota
	// RoundRobin takes the head of the first input port after the one that got the VC last, and of
	// several of a port the first in the order of FirstCome.
	RoundRobin
	// Matching lets free VCs and heads choose each other: see matcher. It replaces VCSelect too.
	Matching
)

// Names are the names of the constants in a study, in their order.
func (Arbiter) Names() []string {
	return []string{"fcfs", "round-robin", "matching"}
}

// SwitchAllocator is the rule that matches the input ports of a router with its outputs in a cycle.
type SwitchAllocator uint8

// The switch allocators.
const (
	// InputFirst lets every input port nominate VCs, and every output take one of the nominees for
	// it.
	InputFirst SwitchAllocator = iota
	// ISLIP lets every output offer itself to an input port that has a flit for it, and every input
	// port accept one of these offers: see islip.
	ISLIP
	// SeparableInputFirst lets every input port offer itself to an output, and every output accept one
	// of these offers. Body and tail flits go before heads that yield at every port and output.
	SeparableInputFirst
	// SeparableOutputFirst is ISLIP, but body and tail flits go before heads that yield at every port
	// and output, where with ISLIP they do so at one port for one output.
	SeparableOutputFirst
)

// Names are the names of the constants in a study, in their order.
func (SwitchAllocator) Names() []string {
	return []string{"input-first", "islip", "separable-input-first", "separable-output-first"}
}

// Rules say how a router switches packets, and how it allocates VCs and its crossbar. A field added
// here is also one of netsim.Config, and a key of a study once it has a row.
type Rules struct {
	// Switching says how much of a packet a router stores before it sends the head on.
	Switching Switching
	// Arbiter says which of several waiting heads gets a free VC.
	Arbiter Arbiter
	// VCSelect says which of several free VCs of a link a head takes.
	VCSelect VCSelect
	// SwitchAllocator says from which of its VCs an input port sends, and to which output. Without
	// effect with one VC. All but InputFirst need an input speedup of at least 1.
	SwitchAllocator SwitchAllocator
	// HeadersYield lets an input port with an input speedup pass over a head while another of its
	// VCs has a body or tail flit for the same output: see SwitchAllocator.
	HeadersYield bool
	// AtomicVCs grants a VC only while its FIFO is known to be empty, so that it never has flits of
	// two packets. Only the cycle-driven engine can do so.
	AtomicVCs bool
	// HeadersSpeculate lets a head that is refused a free VC, where the Arbiter is Matching, request
	// the switch all the same, and waste what it wins: see speculator. Without effect with InputFirst,
	// with a time of VC allocation and with routings that offer several links.
	HeadersSpeculate bool
	// PacketsHoldLinks lets a link send packets whole, without gaps, and the input speedup count
	// packets; otherwise the VCs of a link take turns, flit by flit. With VirtualCutThrough and
	// InputFirst only.
	PacketsHoldLinks bool
}

// Timing has the delays of a network in cycles and the sizes of its buffers in flits.
type Timing struct {
	Rules
	// Routing is the time of route computation: from when a head is at the front of a FIFO until it
	// requests a VC.
	Routing int64
	// Allocation is the time of VC allocation: from the grant until the head may be sent. The time
	// of Routing comes before the request. Not with StoreAndForward.
	Allocation int64
	// Link is the time of link traversal.
	Link int64
	// Flit is the time between two flits on a link.
	Flit int64
	// Credit is the time from when a flit leaves a FIFO until the sender has the credit.
	Credit int64
	// Pace is the time between two flits at a node's own rate, in cycles over PaceUnit; 0 means the
	// link's rate. See Routers.rest.
	Pace int64
	// Buffer is the number of flits that the FIFO of a VC holds.
	Buffer int32
	// InputSpeedup is the maximum number of flits that an input port of several VCs sends every Flit
	// cycles, or with PacketsHoldLinks of packets at a time; 0 means one from each VC.
	InputSpeedup int32
	// NodesReturnCredits gives nodes FIFOs of Buffer flits, each of which leaves it as it arrives; the
	// credit takes the credit delay of the link. Otherwise a node always takes a flit. Only the
	// cycle-driven engine can do so, and no link may fail.
	NodesReturnCredits bool
	// Marking marks packets behind long queues.
	Marking Marking
	// CountsQueues says that QueuedFor is called. Flits that arrive in a cycle are in a queue from the
	// next on, whatever the delay of links.
	CountsQueues bool
	// SlowestFlit is the maximum that SetFlitTime may set; 0 means that it is not called. Only the
	// cycle-driven engine can do so.
	SlowestFlit int64
	// Links has the delays of each link, in place of Link, Flit and Credit, if links differ;
	// otherwise nil.
	Links []LinkTiming
}
