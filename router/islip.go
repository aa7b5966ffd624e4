package router

// islip is switch allocation that begins at the outputs: one iteration of iSLIP (McKeown, "The
// iSLIP scheduling algorithm for input-queued switches", IEEE/ACM ToN 7(2), 1999). Each output
// offers itself to the first input port, after the one that accepted it last, that has a flit for
// it. Each input port accepts the first output, after the one that it accepted last, of those that
// offer themselves. Both pointers move only if an offer is accepted, so outputs come to point to
// different ports, and under load nearly all of them send. With InputFirst ports nominate without
// regard to each other: if two nominate for one output, another output for which they have flits on
// other VCs stays idle.
type islip struct {
	accepted []int32 // by link that leaves a router: the input port that accepted it last
	accepts  []int32 // by input port: the output that it accepted last

	// Scratch of a cycle.
	offers       []int32 // by link: the FIFO from which it would send, none between cycles
	best         []int32 // by input port: the output that it would accept, none between cycles
	offering     []int32 // links that offer themselves
	offeredPorts []int32 // input ports to which links offer themselves
}

// newISLIP returns the state for a number of input ports a link.
func newISLIP(w *Wiring, ports int) *islip {
	n := w.Links()
	return &islip{accepted: filled(n), accepts: filled(n * ports), offers: filled(n),
		best: filled(n * ports)}
}

// after returns the distance from last to l on a ring of n, at least 1.
func after(l, last, n int32) int32 {
	if l <= last {
		return l - last + n
	}
	return l - last
}

// match returns the VCs that send, of the output VCs of a list of FIFOs that can send.
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

// offer makes the output of FIFO i offer itself to its input port if that comes before the port of
// the current offer. Of the FIFOs of one port the first at or after the port's pointer counts.
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
