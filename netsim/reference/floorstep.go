package reference

import (
	"math/bits"
	"slices"

	"contend/router/topology"
)

// receive counts the flits and credits that arrive. It lists in asking the heads that request a VC
// from now on, and returns their number.
func (f *Floor) receive() (asks uint) {
	for r := range uint(floorRouters) {
		k := &f.routers[r]
		sent, left := f.sent.of(r), f.left.of(r)
		sentBefore, credits := k.sentBefore, k.leftBefore
		k.sentBefore, k.leftBefore = sent, left
		f.sent.set(r, 0)
		f.left.set(r, 0)
		// A flit and a credit together change nothing. Carry is what is left to count, up or down.
		carry := sent&withFIFO ^ credits
		n0, n1, n2, full := k.known[0], k.known[1], k.known[2], k.known[3]
		carry, n0 = carry&(n0^credits), n0^carry
		carry, n1 = carry&(n1^credits), n1^carry
		carry, n2 = carry&(n2^credits), n2^carry
		full ^= carry
		k.known[0], k.known[1], k.known[2], k.known[3] = n0, n1, n2, full
		// Less those that are on the way and that have left, 0 to 3.
		one, two := sent^sentBefore^left, sent&sentBefore|left&(sent|sentBefore)
		occupied := ((n0 ^ one) | (n1 ^ two) | n2 | full) & withFIFO
		k.occupied = occupied
		unrouted := f.unrouted.of(r)
		ask := unrouted & occupied
		f.unrouted.set(r, unrouted^ask)
		f.atFront.set(r, f.atFront.of(r)|ask)
		for ; ask != 0; ask &= ask - 1 {
			f.asking[asks] = uint16(r<<6) | uint16(bits.TrailingZeros64(ask))
			asks++
		}
		if carry != 0 {
			f.changeRoom(r, carry, full)
		}
	}
	return asks
}

// changeRoom enables or disables the packets that hold VCs of a set, of FIFOs of router r, which
// have become full or have room again.
func (f *Floor) changeRoom(r uint, changed, full uint64) {
	for ; changed != 0; changed &= changed - 1 {
		bit := uint(bits.TrailingZeros64(changed)) & 63
		to := &f.sendable[f.upstream[r<<3+bit>>3]]
		by := f.vcs[r<<6+bit].holder & 63
		*to = *to&^(1<<by) | (^full>>bit&1)<<by
	}
}

// allocateVCs enters the first heads of asking in the queues of outputs (RC). It allocates VCs of
// the outputs with new heads or with a released VC (VA).
func (f *Floor) allocateVCs(asks uint) {
	serve := f.serve
	for _, s := range f.asking[:asks] {
		s, r, bit := s&(slots-1), s>>6&63, s&63
		v := &f.vcs[s]
		v.ready = uint32(f.Now)
		to := f.packets[v.packets[v.first&7]].to
		out := (r<<3 + uint16(f.onward[r][to&63])) & (ports - 1)
		waiting := f.waiting[out]
		f.waiting[out] = waiting | 1<<bit
		f.serving[serve] = out
		if waiting == 0 { // otherwise it is there, or has no free VC
			serve++
		}
	}
	for k := 0; k < serve; k++ {
		out := uint(f.serving[k]) & (ports - 1)
		waiting, held := f.waiting[out], f.held[out]
		if held == allVCs {
			continue
		}
		v := uint(switchVC[uint(f.lastVC[out]&3)|uint(^held&allVCs)<<2] & 3)
		port := uint(f.outputs[out]) & (ports - 1)
		o := &f.vcs[port<<3|v]
		by := firstPort(o.last, waiting)
		heads := uint(waiting>>(by&63)) & allVCs
		o.last = by
		if heads&(heads-1) == 0 {
			by += switchVC[heads<<2]
		} else {
			by = f.firstReady(out>>3<<6, by, uint8(heads))
		}
		f.lastVC[out], o.holder = uint8(v), by
		f.fronts[out>>3<<6|uint(by&63)] = floorFront(f.length | uint32(port)<<16 | 1<<(v+28))
		waiting &^= 1 << (by & 63)
		full := f.routers[port>>3].known[3] >> (port&7<<3 + v) & 1
		f.sendable[out] |= (full ^ 1) << (by & 63)
		f.waiting[out], f.held[out] = waiting, held|1<<v
		f.serving[serve] = uint16(out)
		if waiting != 0 {
			serve++
		}
	}
}

// firstReady returns the bit of the head that was ready first, of a set of heads of an input port,
// given the first slot of the router and the first bit of the port.
func (f *Floor) firstReady(router uint, port, heads uint8) (best uint8) {
	least := uint32(1<<32 - 1)
	for ; heads != 0; heads &= heads - 1 {
		bit := port + uint8(bits.TrailingZeros8(heads))
		if t := f.vcs[router+uint(bit)].ready; t < least {
			best, least = bit, t
		}
	}
	return best
}

// request lists in requested the outputs for which routers have flits that may be sent, and returns
// their number.
func (f *Floor) request() (n uint) {
	for r := range uint(floorRouters) {
		occupied := f.routers[r].occupied
		for out := r * 8; out < r*8+5; out++ {
			f.requested[n&(ports-1)] = uint16(out)
			if occupied&f.sendable[out] != 0 {
				n++
			}
		}
	}
	return n
}

// allocateSwitch lets each output in requested offer itself to an input port (SA), and lists in
// accepting the ports that have an offer.
func (f *Floor) allocateSwitch(requests uint) (n uint) {
	for _, i := range f.requested[:requests] {
		out := uint(i) & (ports - 1)
		able := f.routers[out>>3].occupied & f.sendable[out]
		in := firstPort(f.accepted[out], able)
		port := (out&^7 + uint(in>>3)) & (ports - 1)
		vcs, input := uint(able>>(in&63))&allVCs, f.inputs[port]
		heads := vcs & uint(f.atFront[port])
		f.choice[out] = in + switchVC[((vcs^heads)<<6+heads<<2+uint(input>>8))&1023]
		f.inputs[port] = input | 1<<(out&7)
		f.accepting[n&(ports-1)] = uint16(port)
		if input&31 == 0 {
			n++
		}
	}
	return n
}

// traverse sends a flit from each input port in accepting, through the output that it accepts (ST,
// LT). The state of a port has the outputs that offer themselves, that which it accepted last,
// shifted by 5, and the VC that sent last, shifted by 8.
func (f *Floor) traverse(n uint) {
	length, heads, tails := uint16(f.length), uint(0), uint(0)
	for _, i := range f.accepting[:n] {
		port := uint(i) & (ports - 1)
		out := inTurn[uint8(f.inputs[port])]
		router := port &^ 7
		o := (router + uint(out>>3)) & (ports - 1)
		bit := f.choice[o]
		f.accepted[o] = bit
		f.inputs[port] = uint16(bit&3)<<8 | uint16(out)<<2
		f.left[port] = 1 << (bit & 7)
		from := (router<<3 + uint(bit)) & (slots - 1)
		front := f.fronts[from]
		f.fronts[from] = front - 1
		f.sent[front>>16&(ports-1)] = uint8(front >> 28)
		f.heads[heads&(ports-1)], f.tailed[tails&(ports-1)] = uint16(from), uint16(from)
		if uint16(front) == length {
			heads++
		}
		if uint16(front) == 1 {
			tails++
		}
	}
	f.Flits += int64(n)
	f.headsSent(heads)
	f.tailsSent(tails)
}

// headsSent notes the heads that have been sent from the first FIFOs in heads.
func (f *Floor) headsSent(n uint) {
	for _, from := range f.heads[:n] {
		from &= slots - 1
		v, to := &f.vcs[from], &f.vcs[f.fronts[from].slot()]
		p := v.packets[v.first&7]
		f.packets[p].blocked += uint32(f.Now) - v.ready
		f.atFront[from>>3] &^= 1 << (from & 7)
		to.packets[to.end&7] = p // for nobody if it goes to a node
		to.end++
	}
}

// tailsSent releases the VCs on which tails have been sent, from the first FIFOs in tailed.
func (f *Floor) tailsSent(n uint) {
	at, serve := &f.tails[(f.Now+floorLink)&3], 0
	for _, from := range f.tailed[:n] {
		from &= slots - 1
		v, to := &f.vcs[from], f.fronts[from].slot()
		out := f.upstream[to>>3] & (ports - 1)
		f.vcs[to].holder = nobody
		f.held[out] &^= 1 << (to & 7)
		f.sendable[out] &^= 1 << (from & 63)
		f.unrouted[from>>3] |= 1 << (from & 7)
		f.serving[serve] = out
		if f.waiting[out] != 0 {
			serve++
		}
		if *at = append(*at, v.packets[v.first&7]); to>>3&7 != nodeSink {
			*at = (*at)[:len(*at)-1]
		}
		v.first++
	}
	f.serve = serve
}

// inject sends flits of nodes.
func (f *Floor) inject() {
	for set := f.queued &^ f.sending; set != 0; set &= set - 1 {
		f.begin(uint(bits.TrailingZeros64(set)) & 63)
	}
	for set := f.sending; set != 0; set &= set - 1 {
		n := uint(bits.TrailingZeros64(set)) & 63
		k := &f.nodes[n]
		if f.routers[n].known[3]>>(nodePort*8+k.vc&7)&1 != 0 {
			continue
		}
		f.sent[n<<3|nodePort] = 1 << (k.vc & 7)
		if k.flits--; k.flits == 0 {
			f.sending &^= set & -set
		}
	}
}

// begin begins the first packet of a node's queue on the next VC that has credits, if one has.
func (f *Floor) begin(n uint) {
	k := &f.nodes[n]
	free := uint(^f.routers[n].known[3]>>(nodePort*8)) & allVCs
	if free == 0 {
		return
	}
	k.vc, k.flits = uint32(switchVC[free<<2|uint(k.vc&3)]), f.length
	p := f.queues[n][0]
	p.injected = uint32(f.Now)
	if f.queues[n] = slices.Delete(f.queues[n], 0, 1); len(f.queues[n]) == 0 {
		f.queued &^= 1 << n
	}
	f.sending |= 1 << n
	if len(f.free) == 0 {
		f.free, f.packets = append(f.free, uint16(len(f.packets))), append(f.packets, floorPacket{})
	}
	i := f.free[len(f.free)-1]
	f.free = f.free[:len(f.free)-1]
	f.packets[i] = p
	v := &f.vcs[n<<6|nodePort<<3|uint(k.vc)]
	v.packets[v.end&7] = i
	v.end++
}

// deliver returns the packets whose tails arrive now.
func (f *Floor) deliver() []Packet {
	at := &f.tails[f.Now&3]
	f.arrivals, f.free = f.arrivals[:0], append(f.free, *at...)
	for _, i := range *at {
		p := &f.packets[i]
		f.arrivals = append(f.arrivals, Packet{From: topology.Node(p.from), To: topology.Node(p.to),
			Length: int(f.length), Created: Cycle(p.created), Injected: Cycle(p.injected),
			Delivered: f.Now, Blocked: Cycle(p.blocked)})
	}
	*at = (*at)[:0]
	return f.arrivals
}
