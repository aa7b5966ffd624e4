package router

// Switch allocation that begins at the outputs: one iteration of iSLIP (see matcher) between the
// outputs, which offer themselves, and the input ports that have flits for them. Outputs come to
// point to different ports, and under load nearly all of them send. With InputFirst ports nominate
// without regard to each other: if two nominate for one output, another output for which they have
// flits on other VCs stays idle.

// matchPorts returns the FIFOs that send, of a list of those that can, with their ranks. Of the
// FIFOs of one port with flits for one output, heads go last if they yield, and then the first at
// or after the port's pointer goes first.
func (x *buffers) matchPorts(list []int32) []int32 {
	m := x.switches
	x.offerLinks(list)
	senders := list[:0]
	for _, port := range m.acceptOffers() {
		senders = append(senders, m.sellers[m.match(port)].choice)
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
		n += sellers[l].consider(x.port(i), uint64(ranked))
	}
	x.switches.offers = n
}
