package router

// Switch allocation that begins at the outputs: one iteration of iSLIP (see matcher) between the
// outputs, which offer themselves, and the input ports that have flits for them. Outputs come to
// point to different ports, and under load nearly all of them send. With InputFirst ports nominate
// without regard to each other: if two nominate for one output, another output for which they have
// flits on other VCs stays idle.

// matchPorts returns the FIFOs that send, of a list of those that can. Of the FIFOs of one port
// with flits for one output, heads go last if they yield, and then the first at or after the port's
// pointer goes first.
func (x *buffers) matchPorts(list []int32) []int32 {
	m, yield := x.switches, uint64(0)
	if x.headsYield {
		yield = 2 << numberBits
	}
	in, fifos, sellers, offering, n := x.in, x.fifos, m.sellers, m.offering, 0
	for _, i := range list {
		w, at, l := &in[i>>6], i&63, x.link(fifos[i].outputVC)
		low := uint64(i) | w.headAtFront>>at<<(numberBits+1)&yield | ^w.atOrAfterPointer>>at&1<<numberBits
		offering[n] = int32(l)
		n += sellers[l].consider(x.port(i), low)
	}
	m.offers = n
	senders := list[:0]
	for _, port := range m.acceptOffers() {
		senders = append(senders, sellers[m.match(port)].choice)
	}
	return senders
}
