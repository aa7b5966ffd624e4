// Package executor runs jobs that send messages: every message becomes packets of a
// netsim.Network, and every flit is simulated.
package executor
