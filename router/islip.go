package router

// islip is switch allocation that begins at the outputs: one iteration of iSLIP (see matcher)
// between the outputs, which offer themselves, and the input ports that have flits for them.
// Outputs come to point to different ports, and under load nearly all of them send. With InputFirst
// ports nominate without regard to each other: if two nominate for one output, another output for
// which they have flits on other VCs stays idle.
type islip struct {
	*matcher         // of links that leave a router and input ports
	fifo     []int32 // by link: the FIFO from which it would send
}

// newISLIP returns the state for a number of input ports a link.
func newISLIP(w *Wiring, ports int) *islip {
	return &islip{newMatcher(w.Links(), w.Links()*ports), filled(w.Links())}
}

// send returns the VCs that send, of the output VCs of a list of FIFOs that can send.
func (y *islip) send(x *buffers, ready []int32) []int32 {
	for _, i := range ready {
		y.offerFIFO(x, i)
	}
	for _, in := range y.acceptOffers() {
		o := y.best[in]
		x.senders.add(x.fifos[y.fifo[o]].outputVC)
		y.match(o, in)
	}
	return x.senders.take()
}

// offerFIFO makes the output of FIFO i offer itself to the input port of the FIFO, if that comes
// before the port of the current offer. Of the FIFOs of one port the first at or after the port's
// pointer counts.
func (y *islip) offerFIFO(x *buffers, i int32) {
	o, in := int32(x.link(x.fifos[i].outputVC)), x.port(i)
	isFirst := false
	if y.offers[o] == in {
		isFirst = x.firstAtOrAfter(bit(i)|bit(y.fifo[o]), x.in[i>>6].atOrAfterPointer) == bit(i)
	} else {
		isFirst = y.offer(o, in)
	}
	if isFirst {
		y.fifo[o] = i
	}
}
