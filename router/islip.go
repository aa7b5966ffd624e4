package router

// islip is what switch allocation that begins at the outputs keeps: one iteration of iSLIP
// (McKeown, "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM ToN 7(2), 1999).
// An output offers itself to the first input port, after the one that accepted it last, that has a
// flit for it. An input port accepts the first output, after the one that it accepted last, of
// those that offer themselves. Both pointers move only when an offer is accepted, so outputs come
// to point to different ports, and under load nearly all of them send. Input ports that nominate
// before outputs choose do not know of each other: two that nominate for one output leave idle
// another one to which they have flits on other virtual channels.
type islip struct {
	accepted []int32 // of each link that leaves a router: the input port that accepted it last
	accepts  []int32 // of each input port: the output that it accepted last

	// In one cycle, none in between: the FIFO from which an output would send, the output that an
	// input port would accept, and the links that have one.
	offers, best           []int32
	offering, offeredPorts []int32
}

// newISLIP returns the matching of so many input ports a link.
func newISLIP(w *Wiring, ports int) *islip {
	n := w.Links()
	return &islip{accepted: filled(n), accepts: filled(n * ports), offers: filled(n),
		best: filled(n * ports)}
}

// after returns how many turns link l is after the one that had the last turn, of n links.
func after(l, last, n int32) int32 {
	if l <= last {
		return l - last + n
	}
	return l - last
}

// match returns the channels that send, of those that the packets of some FIFOs hold.
func (y *islip) match(x *buffers, ready []int32) []int32 {
	for _, i := range ready {
		y.offer(x, i)
	}
	links := int32(len(y.offers))
	for _, o := range y.offering {
		in := x.port(y.offers[o])
		if k := y.best[in]; k == none {
			y.offeredPorts = append(y.offeredPorts, in)
			y.best[in] = o
		} else if after(o, y.accepts[in], links) < after(k, y.accepts[in], links) {
			y.best[in] = o
		}
	}
	for _, in := range y.offeredPorts {
		o := y.best[in]
		x.senders.add(x.fifos[y.offers[o]].outputVC)
		y.accepted[o], y.accepts[in], y.best[in] = in, o, none
	}
	for _, o := range y.offering {
		y.offers[o] = none
	}
	y.offering, y.offeredPorts = y.offering[:0], y.offeredPorts[:0]
	return x.senders.take()
}

// ask has the output that FIFO i wants offer itself to its input port if it is that one's turn. Of
// the FIFOs of one port that want it the first from the port's pointer on counts.
func (y *islip) offer(x *buffers, i int32) {
	o, in := int32(x.link(x.fifos[i].outputVC)), x.port(i)
	j := y.offers[o]
	if j == none {
		y.offering = append(y.offering, o)
		y.offers[o] = i
		return
	}
	ports, before, last := int32(len(y.best)), x.port(j), y.accepted[o]
	switch {
	case in != before && after(in, last, ports) < after(before, last, ports),
		in == before && x.firstAtOrAfter(bit(i)|bit(j), x.in[i>>6].atOrAfterPointer) == bit(i):
		y.offers[o] = i
	}
}

// bit returns the bit of a slot in its word.
func bit(slot int32) uint64 { return 1 << (slot & 63) }
