// Network is a network for other schedulers (`contend network`): they say which job
// starts where and when, and learn when its messages have arrived, how much slower it was than
// alone on the same nodes, and for which jobs it waited.
//
// A request is a line of JSON, and so is its answer. Times are cycles. The network simulates every
// flit of every message by the rules of package netsim, as in runs: the same jobs on the same nodes
// at the same times take the same times. docs/howto/network-service.md has the lines.
//
// A saved state is the list of the requests that made it, since the simulation is deterministic: to
// load it is to simulate again. There is no other state, so a state of any network can be saved.

package service
