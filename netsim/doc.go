// Package netsim simulates an interconnection network flit by flit.
//
// # Model
//
// Nodes are attached to routers by an injection and an ejection channel; unidirectional network
// channels join routers. A network channel has V virtual channels, each with a FIFO of B flits at
// its far end. Messages are cut into packets of at most L flits. Flit j of a packet is sent on the
// packet's k-th channel in cycle s(j,k) and arrives at the other end in cycle a(j,k) = s(j,k) + D.
// Channel 0 is the injection channel, channel H+1 the ejection channel.
//
//  1. Bandwidth: s(j,k) >= s(j-1,k) + F. The virtual channels of a physical channel share it: it
//     sends at most one flit every F cycles, round-robin among the virtual channels that could
//     send. With PacketsHoldLinks it sends packets whole, see below.
//     (1b) Input speedup: with V > 1 an input port of a router, a physical channel that ends at
//     it, sends at most S flits every F cycles over all its virtual channels, see below.
//  2. Arrival: s(j,k) >= a(j,k-1), and the flit is at the front of its FIFO.
//  3. Space: the n-th flit ever sent on a virtual channel waits until C cycles after the (n-B)-th
//     flit left the far FIFO. An ejection channel always accepts flits. With EjectionCreditCycles
//     a node has FIFOs too, which flits leave as they arrive.
//  4. Route computation (RC): a head reaches the front of its FIFO in cycle h, at least one cycle
//     after the tail before it left, and requests a channel in cycle q = h + R - A. It may be sent
//     from A cycles after the grant on (VCAllocCycles).
//  5. VC allocation (VA): a packet holds a virtual channel from the grant until cycle u, in which
//     its tail is sent. The virtual channel is free from u + F on. With AtomicVCs, also on
//     injection channels, it is free only while rule 3 would also let B flits be sent on it. Heads
//     are served in the order of (q, input channel), or round-robin over input ports; the heads of
//     a port keep that order. Each head gets a free channel of those that routing offers, if there
//     is a free one: see below. With the arbiter Matching each free channel offers itself to one
//     input channel whose head may take it, the first after the input channel that accepted it
//     last. Each head accepts one of these offers, the first after the channel that its input
//     channel accepted last.
//  6. Injection: the packets of a node wait in a source queue without limit. The head of the first
//     packet is sent as soon as rules 1 and 3 allow. A node with several injection ports has
//     several injection channels. If these have several virtual channels, a packet takes the first
//     with room for its head, counted from the one after that of the packet before it on this
//     injection channel. All flits of the packet are sent before the next packet begins. A node
//     slower than its link, at G cycles a flit, sends the head of a packet at least L·G cycles
//     after the head of the packet before, of L flits.
//  7. Delivery: a packet is delivered D cycles after its tail is sent on the ejection channel, and
//     a message with its last packet. A process that reacts to a delivery in cycle t may send in
//     cycle t.
//
// If links differ, D, F and C are those of the link of the rule, and in (1b) those of the link that
// ends at the port.
//
// With V > 1 a head may find several free channels. Routing lists its offers best first and decides
// on the link: each channel that is not free removes the first remaining entry of its link from the
// list, and the link of the first remaining entry is taken. If routing lists the channels of a link
// together, this is the first link with a free channel. If it lists the first channel of each link
// before the second channel of any link, this is the link with the fewest held channels. VCSelect
// takes one of the free channels of that link:
//   - most-credits: the channel with the most credits. The credits of a channel in cycle t are the
//     number of flits that rule 3 lets be sent on it in cycle t: B, less those sent before t that
//     had not left the far FIFO by t - C. Among equals round-robin decides.
//   - round-robin: the first free channel at or after a pointer. Each grant, by any selection,
//     moves the pointer to the virtual channel after the granted one. A link has a pointer for
//     each class of virtual channels. The first channel that routing offers identifies its class.
//   - first: the first free channel listed, on any link. Nothing is removed from the list.
//
// Routing is called once for each head and router, in the cycle q of the request. Its view of the
// router (router.View) is the state at the end of the cycle before. A routing may have escape
// channels (Duato 1993). Any other offered channel counts as offered only in cycles in which rule 3
// would let B flits be sent on it: while its FIFO is known to be empty.
//
// The channels from and to nodes have V virtual channels each, or fewer (NodeVirtualChannels). The
// virtual channels to a node are all offered, and are one class.
//
// Rule 1b is switch allocation (SA), where virtual channels of one input port request different
// outputs. A virtual channel is ready if rules 1, 2 and 3 allow its next flit to be sent in this
// cycle. Each cycle has three steps. (a) Input arbitration: an input port nominates up to S of its
// ready virtual channels, less the flits that it sent in the F-1 cycles before, from its pointer
// on. (b) Output arbitration: each output accepts the next of the nominees that request it,
// round-robin, by rule 1. (c) The pointer of an input port moves past the last of its accepted
// nominees, in the order of nomination; if none was accepted, the pointer stays. So an input whose
// nominee is not accepted sends nothing, even if another of its virtual channels could have sent.
// This is separable allocation, input first, one iteration, with the pointers of iSLIP (McKeown
// 1999). S = 0 is a crossbar without limit: each input port nominates all of its ready virtual
// channels.
//
// With SwitchAllocator ISLIP a link ends at S input ports. Each port sends at most one flit every F
// cycles and has its own pointer; virtual channel v belongs to the port v mod S. Outputs begin in
// place of (a) and (b). Each output offers itself to an input port that may send and has ready
// virtual channels for it: the first such port in the order of links, after the port that accepted
// it last. The offer is for the first of these virtual channels, from the pointer of the port on.
// Each port accepts one of the offers, the first after the output that it accepted last.
// SeparableOutputFirst works the same. With SeparableInputFirst each port offers itself to an
// output for which it has ready virtual channels: the first after the output that accepted it last,
// with the first of these virtual channels. Each output accepts the first of the ports that offer
// themselves to it.
//
// Ports of one virtual channel, such as all ports with V = 1, have no limit. With HeadersYield an
// input port of several virtual channels does not nominate a head in a cycle in which another of
// its virtual channels has a body or tail flit for the same output that rules 1, 2 and 3 let be
// sent now. Routers whose heads request the switch speculatively work like this (Peh and Dally
// 2001), but here only the virtual channels of one port are compared. With SeparableInputFirst and
// SeparableOutputFirst heads come last in all offers, and in the choice among offers.
//
// With HeadersSpeculate a head also counts as ready if it requests a channel in this cycle and gets
// no channel with credits, although one of the channels that routing offers has credits and is
// free, or was free before the grants of this cycle. If such a head is accepted, it sends nothing,
// and pointers move as if it had. Only these heads and heads that were granted a channel in this
// cycle then yield.
//
// Virtual cut-through sends a head only if the next FIFO has room for its whole packet. With
// store-and-forward a head requests a channel at q = max(h + R, arrival of its tail), and needs no
// more room than with wormhole switching.
//
// With PacketsHoldLinks, under virtual cut-through, a link that has sent a head sends nothing but
// the flits of its packet, one every F cycles, until F cycles after the tail is sent. The tail, of a
// packet of n flits, must arrive by cycle s + (n-1)·F, where s is that in which the head is sent: so
// a head from a slower link waits. S then counts packets under way: a packet is under way from the
// cycle in which its head is sent until its link is free. In step (a) an input port nominates as
// many of its heads that could be sent as S exceeds its packets under way. Other flits take no part
// in switch allocation.
//
// # Queue pairs and congestion control
//
// With QueuePerDestination a network interface has a queue of messages for each destination, a
// queue pair. Queues with messages take turns, one packet each: after its turn a queue goes behind
// the others. The next packet joins the source queue of rule 6 in the cycle after a head of the
// interface was sent, so the source queue holds at most as many packets as the interface has ports.
// The turn of a packet comes at the earliest when it joins.
//
// With a CongestionControl a queue pair whose packets meet congestion waits between two packets. If
// the head of a packet of L flits was sent on the injection channel in cycle s, and r is the rate
// then, the next packet joins the source queue in cycle s + L/r at the earliest. Routers mark
// packets as router.Marking says. Notifications of congestion go from destination to source in the
// time of a packet of one flit that is alone on the network, over failed links too. Links of hosts,
// as CongestionControl defines them, mark nothing, and r is at most the rate of a card. The
// documentation of DCQCN, IBCCA and Throttle has the reactions of sources. The state of a pair
// depends on its own packets and their times alone, and is the same in whatever cycle the pair
// begins. Under Throttle it also depends on the pairs with the same destination. A pair whose limit
// ends has the state of a new pair.
//
// # Failures
//
// With LinksFail links fail and are repaired (Fail, Repair), each in one direction, from the
// present cycle on. When a link fails, packets that hold a virtual channel of the link or have
// flits on it are lost. Packets in a router whose outgoing links have all failed are lost too, and
// so are packets whose heads, then or later, find no path. A lost packet continues by the rules
// above and by the routing over all links, or on its escape path, failed links included, and its
// destination discards it. Switches do the same with a corrupted packet, whose checksum is tested
// at the end. The source sends a lost packet again, ahead of its source queue: ResendCycles after
// its injection, or when it is lost if that is later.
//
// Other packets get no channels of failed links. Of the channels that the routing offers, a head is
// offered those behind which the routing still leads to the destination. If there are none, the
// routing draws again, up to eight times. Then the head is offered all channels that Possible
// lists, or those of one link, by a hash of its flow, if the routing offers one link. On a tree
// Possible then lists all links up, or all links of a bundle. On a graph up-down routing computes
// its shortest paths again in the same order of routers, and shortest and ecmp those over the links
// left, in the same classes. So the channels depend on each other as before. A routing with escape
// channels must always offer one of them. Heads that wait when links change compute their routes
// again in the next cycle, and keep their place.
//
// If the routing has no way from a router to the destination, the packet takes an escape path
// there: a shortest of the paths that lead up and then down in an order of routers by a
// breadth-first search over the cables left. A packet of a routing with escape channels, of which
// none leads to the destination, is offered the other channels to routers from which one does, those
// of Possible from a drawn one on if Route offers none of them, and then the escape path as its
// escape channel. With LinksFail each network channel has a virtual
// channel more than VirtualChannels, the last one, for these paths alone. A packet on an escape
// path stays on these channels, so the network cannot deadlock. The order is new at each change of
// links that finds no packet on them. Another change keeps the order and closes the paths: no
// other packet takes one until, after a multiple of ResendCycles, none is on them. With one
// VirtualChannel input ports are not limited and heads do not yield, with LinksFail too.
//
// A message for a destination that cannot be reached waits at its node and tries again every
// ResendCycles. If no repair is expected and escape paths are open, Advance returns an error that
// names the two nodes. SetBandwidth changes F of a link, from the next flit on, with
// PacketsHoldLinks from the next packet on.
//
// # What is measured
//
// Latency is the time from creation to delivery of a packet, and network latency the time from the
// sending of its head on the injection channel to delivery. Source wait is their difference. The
// turn of a packet comes when it is the first of its source queue, an injection channel is free and
// its node has rested. The rest of its source wait is the entry wait for space in the router.
// Blocking time is the sum over the channels after the first of s(0,k) - q(k) - A, the time in
// which a ready head waits for a channel or for space (the packet blocking time of Lo, Windisch,
// Liu and Nitzberg 1994), less the cycles, with PacketsHoldLinks, in which a head that may be sent
// otherwise waits for the flits behind it. Its foreign part is the time in which a packet of
// another job held the requested channel. Times are in cycles.
//
// # Example
//
// Nodes 3, 5 and 1 of a mesh of 3x3 each send a message of 8 flits to node 4 in cycle 0, with the
// defaults (D, F, C = 1, R = 2, B = 2). All three heads reach the router of node 4 in cycle 4 and
// request its ejection channel in cycle 6. Rule 5 grants it in the order of input channels, to a
// packet at a time (testdata/packets/channels.txt):
//
//	from node                 3     5     1
//	head requests the node    6     6     6
//	head is sent to the node  6    14    22
//	tail is sent to the node 13    21    29
//	delivered                14    22    30
//	blocking time             0     8    16
//
// The tail is sent in 13 and the channel is free from 14 (u + F), so the second packet has it from
// 14. The latency of the first packet, 14, is that of an empty network: see ZeroLoadLatency. If the
// packets belong to three jobs, the foreign part of the blocking time of the third is 14: the other
// packets held the channel for 7 cycles each.
package netsim
