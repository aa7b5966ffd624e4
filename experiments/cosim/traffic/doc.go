// Package traffic measures a bare network under open-loop traffic. There are no jobs. Nodes create
// messages at a rate that does not depend on the network.
//
// A Curve is a machine under one kind of traffic. Its Measure drives a network with one load and
// returns a Point: a Meter takes the latencies of packets and the accepted load, batch by batch,
// and IdleLatency says how long each message would take alone.
package traffic
