// Package run is the executor of jobs that send messages: every message becomes packets of a
// netsim.Network, and every flit is simulated.
package run
