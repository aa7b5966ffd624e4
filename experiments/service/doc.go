// Package service is a machine for other schedulers (`contend network`): an allocator that chooses
// the nodes of their jobs, and a network on which these run. Another scheduler learns when the
// messages of a job have arrived, how much slower the job was than alone on the same nodes, and for
// which jobs it waited.
//
// A request is a line of JSON, and so is its answer. Requests lists the requests and Answers the
// keys of answers; docs/howto/json-lines.md shows how to use them. Package external speaks the same
// lines from the other side: its programs answer the requests machine and free.
//
// Times are cycles. The network simulates every flit of every message by the rules of package
// netsim, as in runs: the same jobs on the same nodes at the same times take the same times.
//
// A saved state is the list of the requests that made it, since the simulation is deterministic: to
// load it is to simulate again. There is no other state, so every state can be saved.
package service
