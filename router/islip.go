package router

// Switch allocation that begins at the outputs: one iteration of iSLIP (see matcher) between the
// outputs, which offer themselves, and the input ports that have flits for them. Outputs come to
// point to different ports, and under load nearly all of them send. With InputFirst ports nominate
// without regard to each other: if two nominate for one output, another output for which they have
// flits on other VCs stays idle.

// matchPorts returns the FIFOs that send, of a list of those that can. Of the FIFOs of one port with
// flits for one output, heads go last if they yield, and then the first at or after the port's
// pointer goes first.
func (x *buffers) matchPorts(list []int32) []int32 {
	m, yield := x.switches, uint64(0)
	if x.headsYield {
		yield = 1 << 31
	}
	for _, i := range list {
		w, at := &x.in[i>>6], i&63
		low := uint64(i) | w.headAtFront>>at<<31&yield | ^w.atOrAfterPointer>>at&1<<30
		m.offer(int32(x.link(x.fifos[i].outputVC)), x.port(i), low)
	}
	senders := list[:0]
	for _, port := range m.acceptOffers() {
		i := m.sellers[m.match(port)].choice
		x.passPointer(i)
		senders = append(senders, i)
	}
	return senders
}
