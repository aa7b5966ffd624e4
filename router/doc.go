// Package router models wormhole switches down to the flit: how channels are
// numbered, which channel a header asks for, who gets it, and when each flit
// moves.
//
// The state of all routers is in flat arrays, indexed by channel: see Routers. A physical
// channel carries one flit every flit time; it has one or more virtual
// channels, each with a FIFO of its own at the receiving end. The words are
// those of Dally and Seitz (IEEE Trans. Computers C-36(5), 1987) and of
// Dally (IEEE Trans. Parallel and Distributed Systems 3(2), 1992).
package router
