// Package netsim simulates an interconnection network flit by flit.
//
// # Model
//
// Nodes are attached to routers by an injection and an ejection channel; unidirectional network
// channels join routers. A network channel has V virtual channels, each with a FIFO of B flits at
// its far end. Messages are cut into packets of at most L flits. For flit j on its packet's k-th
// channel (k = 0 the injection channel, k = H+1 the ejection channel) with s the cycle it is sent
// in and a = s + D that from which it is at the other end:
//
//  1. Bandwidth: s(j,k) >= s(j-1,k) + F. The virtual channels of a physical
//     one share it, at most one flit every F cycles, round-robin among those that
//     could send. With S = 0 and PacketsHoldLinks the one that sent the last flit
//     comes first until its packet's tail is sent.
//     (1b) Input speedup: with V > 1 an input port of a router, a physical
//     channel that ends at it, sends at most S flits every F cycles over all
//     its virtual channels, see below.
//  2. Arrival: s(j,k) >= a(j,k-1), and the flit is at the head of its FIFO.
//  3. Space: the n-th flit ever sent on a virtual channel waits until C cycles
//     after the (n-B)-th left the far FIFO. An ejection channel always accepts; with
//     EjectionCreditCycles a node has FIFOs too, which flits leave as they arrive.
//  4. Route computation (RC): a head is at the front of a FIFO from h on, one cycle after the
//     tail before it left at the earliest, and requests a channel at q = h + R - A.
//     It may be sent from A cycles after the grant on (VCAllocCycles).
//  5. VC allocation (VA): a virtual channel is held by one packet from the
//     grant until its tail was sent at u, and free from u + F; with AtomicVCs only while
//     rule 3 would also let B flits be sent on it, on injection channels too. Headers are
//     served in the order of (q, input channel), or round-robin over input
//     ports, and the heads of a port in that order. Each gets a
//     free one of the channels routing offers, if there is one: see below. With
//     the arbiter Matching each free channel offers itself to the first input
//     channel, after the one that accepted it last, whose head may take it, and
//     each accepts the first, after the one that it accepted last.
//  6. Injection: a node's packets wait in a source queue without limit; the
//     head of the first is sent as soon as rules 1 and 3 allow. A node with
//     several injection ports has several injection channels. Where these have
//     several virtual channels a packet takes the first with room for its head
//     after the one that the packet before it on that channel took, and is sent
//     to its tail before the next. A node slower
//     than its link, at G cycles a flit, sends the head of a packet no
//     earlier than L·G cycles after that of the packet before, of L flits.
//  7. Delivery: a packet is delivered D cycles after its tail is sent on the
//     ejection channel, a message with its last packet. What reacts to a
//     delivery in cycle t may send in cycle t.
//
// D, F and C are those of the link that the rule speaks of, where links differ: of (1b) the
// one that ends at the port.
//
// With V > 1 a head may find several free channels. Routing, which lists what it
// offers best first, decides on the link: each channel that is not free strikes
// out the first entry of its link, and the link of the first entry left is taken.
// So the first link with a free channel is taken where the channels of a link are
// listed together, and that with fewest held ones where the first channel of
// each link comes before the second of any. Of the free channels of that link
// VCSelect takes one:
//   - most-credits: that with most credits. The credits of a channel in cycle t
//     are how many flits rule 3 lets be sent on it in cycle t: B, less those sent
//     before t that had not left the far FIFO by t - C. Of several with as many
//     the one is taken that round-robin would take.
//   - round-robin: the first at or after a pointer. Each grant, whichever
//     selection is used, moves the pointer to the virtual channel after the one
//     granted. A link has a pointer for each class of virtual channels, which is
//     known by the first one routing offers of it.
//   - first: the first free one listed, on whichever link: nothing is struck out.
//
// Routing is called once for each head and router, in the cycle q of the request. Its view of the
// router (router.View) is the state at the end of the cycle before. A routing may have escape
// channels (Duato 1993). An offered channel that is no escape channel counts as offered only in
// cycles in which rule 3 would let B flits be sent on it: while its FIFO is known to be empty.
//
// The channels from and to nodes have V virtual channels each, or fewer
// (NodeVirtualChannels). Those to a node are all offered, and are one class.
//
// Rule 1b is switch allocation (SA), where virtual channels of one input port request different
// outputs. A virtual channel is ready if rules 1, 2 and 3 allow its next flit to be sent in this
// cycle. In each cycle (a) input arbitration: an input port nominates up to S of its ready virtual
// channels, less the flits that it sent in the F-1 cycles before, from its pointer on; (b) output
// arbitration: each output takes the next one round-robin, by rule 1, of the nominees that request
// it; (c) the pointer of an input port moves past the last of its nominees that was taken, in the
// order of nomination, and stays if none was taken. So an input whose nominee is not taken sends
// nothing, even if another of its virtual channels could have: separable allocation, input first,
// one iteration, with the pointers of iSLIP (McKeown 1999). S = 0 is a crossbar without limit: all
// nominate all.
//
// With SwitchAllocator ISLIP a link ends at S input ports, each of which sends a flit every F
// cycles at most and has a pointer of its own; virtual channel v belongs to the port v mod S.
// Outputs begin in place of (a) and (b). Each offers itself
// to the first input port, in the order of links after the one that accepted it last, that may send
// and has ready virtual channels for it: to the first of these from the port's pointer on. Each
// port takes the first of the outputs that offer themselves, after the one that it accepted last.
// With SeparableOutputFirst it is the same. With SeparableInputFirst each port offers itself to the
// first output, after the one that accepted it last, for which it has ready virtual channels, with
// the first of these, and each output takes the first of the ports that offer themselves to it.
//
// Ports of one virtual channel, as all with V = 1, are not limited. With HeadersYield
// an input port of several virtual channels does not nominate a head in a cycle in
// which one of the others has a body or tail flit that rules 1, 2 and 3 let be sent now to the same
// output: as in routers where heads request the switch
// speculatively and other requests go before theirs (Peh and Dally 2001), but among
// the virtual channels of one port only. With SeparableInputFirst and SeparableOutputFirst heads
// come last in all offers and in what is taken of these.
//
// With HeadersSpeculate a head also counts as ready that requests a channel in this cycle and gets
// none with credits, if one of those that routing offers it has credits and is free, or was before
// the grants of this cycle. It sends nothing if it is taken, and pointers move as if it had. Then
// only these heads yield, and those that have been granted a channel in this cycle.
//
// Virtual cut-through sends a head only when there is room for its whole
// packet below; with store-and-forward a head requests a channel at q =
// max(h + R, arrival of its tail), and needs no more room than with wormhole switching.
//
// # Queue pairs and congestion control
//
// With QueuePerDestination the messages of a network interface wait in a queue for each
// destination, a queue pair. Queues with messages take turns, a packet each: a queue that has had
// its turn goes behind the others. The next packet joins the source queue of rule 6 in the cycle
// after a head of the interface was sent, so the source queue holds no more packets than the
// interface has ports. A packet's turn comes no earlier than it joins.
//
// With a CongestionControl a queue pair whose packets meet congestion waits between two packets:
// the next one joins the source queue no earlier than s + L/r, s being the cycle in which the head
// of the one before, of L flits, was sent on the injection channel and r the rate then. Routers
// mark packets as router.Marking says. Notifications of congestion go from destination to source in
// the time of a packet of one flit that is alone on the network, whether links have failed or not.
// The documentation of DCQCN, IBCCA and Throttle has the reactions of sources. The state of a pair
// depends on its own packets and their times alone, not on the cycle in which the pair begins or on
// other pairs; under Throttle it depends on the pairs with the same destination too. A pair whose
// limit ends has the state of a new pair.
//
// # Failures
//
// With LinksFail links fail and are repaired (Fail, Repair), each in one direction, from the
// present cycle on. When a link fails, packets are lost that hold a virtual channel of the link or
// have flits on it. Packets in a router whose outgoing links have all failed are lost too, and so
// are packets whose heads, then or later, find no path. A lost packet continues by the rules above
// and by the routing over all links, failed ones included, and is discarded at its destination:
// switches, too, forward a corrupted packet, whose checksum is tested at the end. The source sends
// a lost packet again, ahead of its source queue, ResendCycles after the packet was injected, or
// when it is lost if that is later.
//
// Other packets are granted no failed link. Of the channels that the routing offers, a head is
// offered those behind which the routing still leads to the destination. If there are none, the
// routing draws again, up to eight times; then the head is offered all channels that Possible
// lists, of one link, by a hash of its flow, where the routing offers one link. On a tree Possible
// then lists all links up, or all links of a bundle, and up-down routing on a graph computes its
// shortest paths again in the same order of routers. So the channels depend on each other as
// before, and the network cannot deadlock. A routing with escape channels must always have one of
// these to offer. Heads that wait when links change compute their routes again and keep their
// place.
//
// A message for a destination that cannot be reached waits at its node and tries again every
// ResendCycles. If no repair is expected, Advance returns an error that names the two nodes.
// SetBandwidth changes F of a link, from the next flit on.
//
// # What is measured
//
// Latency is from creation to delivery of a packet, network latency from the sending of its head on
// the injection channel, source wait their difference. A packet's turn has come when it is the
// first of its source queue, an injection channel is free and its node has rested; the rest of its
// source wait, for a place in the router, is the entry wait. Blocking time is the sum over the
// channels after the first of s(0,k) - q(k) - A: a ready head waiting for a channel or a place (the
// packet blocking time of Lo, Windisch, Liu and Nitzberg 1994). Its foreign part is the time in
// which a packet of another job held the requested channel. Times are in cycles.
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
