// Package router models routers down to the flit: how channels are numbered, which channels a head
// may take, which packet gets them, and when each flit moves.
//
// The state of all routers is in flat arrays, indexed by virtual channel (VC): see Routers. A
// physical channel, or link, carries one flit every flit time and has one or more VCs, each with a
// FIFO at the receiving end. The words are those of Dally and Towles, "Principles and Practices of
// Interconnection Networks", 2004: a head takes a router's stages of route computation (RC), VC
// allocation (VA), switch allocation (SA), switch and link traversal (ST, LT).
//
// # A packet of three flits
//
// Node 0 of a line of two routers sends a packet of head, body and tail to node 1. FIFOs have two
// places, route computation takes two cycles and everything else one (ExampleRouters):
//
//	cycle 0  Node 0 sends the head.
//	      1  The head is in router 0, where RC begins. Node 0 sends the body, its last credit.
//	      3  RC is over. The head gets the VC to router 1 (VA), wins the switch (SA) and is sent
//	         (ST, LT). Its place in router 0 is free again.
//	      4  The credit for that place is at node 0, which sends the tail. Router 0 sends the
//	         body. The head is in router 1, where RC begins.
//	      5  The tail is in router 0 and waits for a credit: router 1 has the head and the body.
//	      6  The head gets the VC to node 1 and is sent.
//	      7  The credit for its place is at router 0, which sends the tail. Router 1 sends the
//	         body.
//	      8  Router 1 sends the tail.
//	      9  The tail is at node 1: the packet is delivered, and the VC to node 1 is free.
//
// # The cycle-driven engine
//
// In each cycle tails arrive at nodes (advance.go), flits and credits arrive at routers (cycle.go),
// heads compute their routes (routecomputation.go), VCs are allocated (vcalloc.go; arbiters:
// arbiters.go), the switch is allocated (switchalloc.go) and flits are sent (traversal.go; heads
// and tails: cycle.go). Each stage takes effect a cycle later at the earliest, because every delay
// but route computation is at least one cycle. So no order of evaluation within a stage shows in a
// result.
//
// The state that decides which VCs may send is bits in words of 64, a field of bits for each link
// (buffers.go): which FIFOs are occupied, which packets have credits, which links are free. Input
// arbitration nominates VCs at each input port, output arbitration chooses among the nominees for
// each link. A choice among several is the minimum of keys (arbiters.go), and lists are written
// without tests, entry over unused entry: so the loops over flits have few branches that depend on
// data, which the processor could not predict. Timing wheels hold the flits and credits on links.
// Links of one VC need no switch allocation (sendSingleVC).
//
// Divided routers (parts.go) are ranges that step side by side, in several threads. Each owns the
// state of its routers, and flits, credits and heads for another part wait in a mailbox for the
// next cycle.
//
// A calendar holds, for each of the next cycles, the heads whose route computation ends, the queues
// that VC allocation serves, the nodes that may inject and the tails that arrive. Cycles without
// events are skipped. If the calendar is empty and packets are in the network nothing can ever move
// again: the error names the packets and channels that wait for each other.
//
// # The worm engine
//
// With one VC, wormhole switching, one injection port and an oblivious routing the rules are a
// max-plus recurrence: once the grants of a head are known, every flit time of its packet follows.
// The worm engine computes the same times from the same state without the cycles in which flits
// move: only VC allocation is done in the order of time. Flit by flit (worm.go), a grant moves at
// once all flits whose times follow from it: it drains the buffer in front of the channel, then the
// one behind that, back along the worm to its node, and on into the worms that wait behind it. The
// closed form (closed.go) needs no body flits: the time at which the tail leaves a channel is the
// maximum over a few times of the head on the channels ahead. It is exact if B·F >= D + C and every
// packet's length is a multiple of B.
//
// # State
//
// State that is used together is adjacent in memory. A vcState, 64 bytes, is all that route
// computation, VC allocation and the closed form need of a VC. The cycle-driven engine adds
// buffers, the worm engine channels and runs of flits. A packet takes 64 bytes, and 32 more for its
// progress in the closed form. Buffers do not store whose flits they hold: a packet names the one
// that follows its tail. Source queues are rings, one a node. Heads without a choice wait in a list
// of the VC that they request, so its release touches no other head. A fast path names the
// benchmark that justifies it.
package router
