package router

import "contend/router/topology"

// Offer is a message at its source.
type Offer struct {
	From, To topology.Node // source and destination
	Flits    int32         // length
	Job      int32         // the job that the message belongs to
	Message  int32         // the caller's number of it, in Packet
	User     int32         // a value of the caller's, in Arrival
	// Number is the number of its first packet in the order of offers; the others are numbered on.
	Number int64
	// Identity is that of its first packet, for routings that draw; the others are numbered on.
	Identity int64
	// Flow is the number of its flow among those of the two nodes: see Header.
	Flow int32
	// Created is the cycle in which it was created: now, or an earlier one if it waited elsewhere.
	Created int64
	// Again says that it is a lost packet: it goes ahead of the source queue.
	Again bool
}

// Packet is one packet in the network: one cache line.
type Packet struct {
	Message int32         // Offer.Message
	Length  int32         // in flits
	To      topology.Node // destination
	From    topology.Node // source
	Job     int32         // Offer.Job: waits for packets of other jobs count in Foreign
	Hops    int32         // network channels on which its head has been sent
	Created int64         // Offer.Created
	// Injected is the cycle in which its head was sent on the injection channel.
	Injected int64
	// Blocked is the sum over routers of the cycles that its head, ready, waited.
	Blocked int64
	// Foreign is the part of Blocked in which a packet of another job held the VC it requested.
	Foreign int64
	// Identity is what routings draw by: see Header.
	Identity int64
}

// Arrival is a packet whose tail has arrived at its node.
type Arrival struct {
	Packet
	Delivered int64 // cycle in which the tail arrived
	// Turn is the cycle in which it was the first of the source queue and an injection channel was
	// free. From then to Injected it waited for a place in the router.
	Turn int64
	User int32 // Offer.User
	Flow int32 // Offer.Flow, if the routing reads it
	Lost bool  // it does not count: see Loss
	// Marked says that a router on its way has marked it: see Marking.
	Marked bool
	// Number is the packet's place in the order of offers.
	Number int64
}

// note is the part of a packet's state that is rarely used.
type note struct {
	turn   int64 // Arrival.Turn
	user   int32
	after  int32 // the packet whose head follows its tail in a FIFO
	comes  int64 // cycle in which its head arrives at the FIFO to which it was sent last
	number int64 // Arrival.Number
}

// Usage is the use of a physical channel.
type Usage struct {
	// Flits is the number of flits that the channel carried.
	Flits int64
	// Held is the number of cycles in which packets held its VCs, summed over the VCs.
	Held int64
	// Own is the number of cycles in which ready heads waited for a VC of it that a packet of their
	// own job held, its tail not yet sent.
	Own int64
	// Foreign is the same for packets of other jobs.
	Foreign int64
}
