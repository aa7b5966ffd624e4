// Open-loop traffic loads a bare network. There are no jobs. Nodes create messages at a rate that
// does not depend on the network.
//
// A run measures one load and has a loadPoint: a trafficMeter takes the latencies of packets and
// the accepted load, batch by batch, and idleLatency says how long each message would take alone.

package sim
