// Package router models wormhole switches down to the flit: how channels are
// numbered, which channel a header asks for, who gets it, and when each flit
// moves.
//
// The state of all routers is in flat arrays, indexed by channel: see Routers. A physical
// channel carries one flit every flit time; it has one or more virtual
// channels, each with a FIFO of its own at the receiving end. The words are
// those of Dally and Seitz (IEEE Trans. Computers C-36(5), 1987) and of
// Dally (IEEE Trans. Parallel and Distributed Systems 3(2), 1992).
//
// # The cycle-driven engine
//
// Each cycle has four stages: tails arrive at nodes, routed headers join those that wait,
// channels are allocated, flits are sent. What a stage changes takes effect a cycle later at the
// earliest, because every delay but routing is at least one cycle. So no order of evaluation
// within a stage shows in a result.
//
// What the engine asks of all virtual channels in each cycle are bits in words of 64, a field of
// bits for each link: which FIFOs have a flit, which have room ahead, which links are free. Every
// input port nominates one of its virtual channels, or more, and every link sends a flit of one of
// those that want it. Wheels hold the flits and the credits that are under way, by the cycle in
// which they come.
//
// Of many words those with nobody who can send are not looked at until something comes to them.
// Where links have one virtual channel each, a list of the channels that can send does without
// words (lone.go). A calendar holds, for each of the next cycles, the headers whose routing ends,
// the queues with headers to serve, the nodes that may inject and the tails that arrive. Cycles in
// which nothing can happen are skipped. An empty calendar with packets in the network is a network
// in which nothing can move again: the error names the packets and channels of the cycle.
//
// # The worm engine
//
// With one virtual channel, wormhole switching, one injection port and a routing that leaves
// headers no choice the rules are a max-plus recurrence: once a header's grants are known, every
// flit time of its packet follows. The worm engine computes the same times from the same state
// without the cycles in which flits move: only grants of channels are decided in the order of
// time. The closed form (closed.go) does without body flits: the time at which the tail leaves a
// channel is the maximum of a few header times ahead. It is exact where B·F >= D + C and every
// packet's length is a multiple of B. Flit by flit (worm.go), a grant moves at once all flits
// whose times follow from it: it drains the buffer in front of the channel, then the one behind
// that, back along the worm to its node, and on into the worms that wait behind it.
//
// # State
//
// State is in flat arrays, and what is used together lies together. A vcState, 64 bytes, is all
// that VC allocation and the closed form know of a virtual channel. What moving flits needs is in
// buffers for the cycle-driven engine, and in channels and their FIFOs of times for the worm
// engine. A packet takes 64 bytes, and 32 more for its progress in the closed form. Buffers do not
// say whose flits they hold: a packet knows which one follows its tail. Source queues are rings,
// one a node. Headers without a choice wait in a queue of the channel that they want, so that its
// release looks at nobody else. Route tables would take more memory than they save: dimension order
// is evaluated once per header and router and needs two coordinates.
package router
