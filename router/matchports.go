package router

// Switch allocation in which input ports and outputs match each other, in one round of offers (see
// matcher; Becker and Dally, "Allocator implementations for network-on-chip routers", SC 2009).
// With iSLIP and SeparableOutputFirst the outputs offer themselves to input ports that have flits
// for them. Outputs come to point to different ports, and under load nearly all of them send. With
// SeparableInputFirst the ports offer themselves to outputs, without regard to each other: if two
// take one output, another output for which they have flits on other VCs stays idle. With
// InputFirst ports nominate VCs in turn, not outputs.

// matchPorts returns the FIFOs that send, of a list of those that can, with their ranks. Of the
// FIFOs of one port with flits for one output, heads go last if they yield, and then the first at
// or after the port's pointer goes first.
func (x *buffers) matchPorts(list []int32) []int32 {
	m := x.switches
	if x.portsOffer {
		x.offerPorts(list)
	} else {
		x.offerLinks(list)
	}
	senders := list[:0]
	for _, taker := range m.acceptOffers() {
		senders = append(senders, m.sellers[m.match(taker)].choice)
	}
	return senders
}

// offerLinks makes the links offer themselves for which FIFOs have flits.
func (x *buffers) offerLinks(list []int32) {
	fifos, sellers, offering, n := x.fifos, x.switches.sellers, x.switches.offering, 0
	for _, ranked := range list {
		i := ranked & (1<<numberBits - 1)
		l := x.link(fifos[i].outputVC)
		offering[n] = int32(l)
		n += sellers[l].consider(x.port(i), x.lowOf(ranked))
	}
	x.switches.offers = n
}

// offerPorts makes the input ports offer themselves whose FIFOs have flits.
func (x *buffers) offerPorts(list []int32) {
	m := x.switches
	for _, ranked := range list {
		i := ranked & (1<<numberBits - 1)
		m.offer(x.port(i), int32(x.link(x.fifos[i].outputVC)), x.lowOf(ranked))
	}
}

// lowOf returns the lowest bits of the key of a ranked FIFO, and goesLast for a head that yields to
// the flits of all ports.
func (x *buffers) lowOf(ranked int32) uint64 {
	return uint64(ranked) | uint64(ranked)<<(62-numberBits-1)&x.headsLast
}
