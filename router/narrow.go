package router

import "math/bits"

// The usual case of the crossbar: an input port sends one flit a cycle, a flit takes a
// cycle, switching is wormhole, and headers do not yield. The rules are those of
// sendSwitched, in fewer instructions: nearly all flits of networks with several virtual
// channels are moved here.
//
// A set of bits says for each input port which of its virtual channels may send a flit in
// the next cycle, and another which ports have any. Both stay as they are until a flit is
// sent, comes or makes room, so that a stream of flits takes no entries in the calendar. In
// a cycle every port nominates first, and only then are flits sent: what that changes in the
// sets counts from the next cycle on.

// narrowSwitch is the state of switch allocation in the usual case.
type narrowSwitch struct {
	in []narrowInput // of each link, which ends at an input port
	// some has a bit for each link whose port has a virtual channel that may send, and words
	// one for each word of some that may have one.
	some, words []uint64
	// asked are the first channels of the links that ports nominate for in this cycle, of which
	// channel.able then has a bit for each virtual channel that a nominee wants: scratch.
	asked  []Channel
	nodes  []Channel // the first channels of nodes to be looked at in this cycle: scratch
	prompt bool      // flits and credits take a cycle on all links
}

// narrowInput is an input port.
type narrowInput struct {
	able  uint64 // a bit for each of its virtual channels that may send
	first int32  // the first of them
	turn  uint8  // the one at which the search for a nominee begins
	many  uint8  // how many there are
}

// narrow reports whether the engine of narrowSwitch does for the network.
func (b *Routers) narrow() bool {
	x := b.crossbar
	return x != nil && x.speedup == 1 && !x.yield && x.sent == nil && b.timing.Switching == Wormhole
}

func newNarrowSwitch(w *Wiring, t Timing) *narrowSwitch {
	n := w.Links()
	x := &narrowSwitch{in: make([]narrowInput, n), some: make([]uint64, n/64+1),
		words:  make([]uint64, n/4096+1),
		prompt: t.Links == nil && t.Link == 1 && t.Credit == 1}
	for l := range n {
		first := int32(w.first[l])
		x.in[l] = narrowInput{first: first, many: uint8(int32(w.first[l+1]) - first)}
	}
	return x
}

// narrowEngine implements engine.
type narrowEngine struct{ cycleEngine }

func (e *narrowEngine) granted(o, i Channel) {
	e.link(o, i)
	e.refresh(i)
}

func (e *narrowEngine) passed(o, before, i Channel) {
	e.channels[before].out = none
	e.switches.clear(e.w.link[before], int32(before))
	e.link(o, i)
	e.refresh(i)
}

// set notes that channel i of the port of link l may send.
func (x *narrowSwitch) set(l Link, i int32) {
	p := &x.in[l]
	p.able |= 1 << ((i - p.first) & 63)
	x.some[l>>6] |= 1 << (l & 63)
	x.words[l>>12] |= 1 << (l >> 6 & 63)
}

// clear notes that it may not.
func (x *narrowSwitch) clear(l Link, i int32) {
	p := &x.in[l]
	if p.able &^= 1 << ((i - p.first) & 63); p.able == 0 {
		x.some[l>>6] &^= 1 << (l & 63)
	}
}

// refresh notes whether FIFO i may send a flit on the channel it holds now, before ports
// nominate. If it may later, it is looked at again then.
func (b *Routers) refresh(i Channel) {
	if in := &b.channels[i]; in.out >= 0 && in.count > 0 {
		if t := b.earliest(Channel(in.out), b.now); t <= b.now {
			b.switches.set(b.w.link[i], int32(i))
		} else if t < never {
			b.calendar.try(^i, t)
		}
	}
}

// ready notes that FIFO i, after ports have nominated, has a flit to send on the channel it
// holds and a place for it, in the next cycle or later.
func (b *Routers) ready(i Channel) {
	x := b.switches
	if !x.prompt && b.delayed(i) {
		return
	}
	x.set(b.w.link[i], int32(i))
}

// delayed reports whether the next flit of FIFO i, which holds a channel, cannot be sent in
// the next cycle already. If it is known when it can, FIFO i is looked at again then.
func (b *Routers) delayed(i Channel) bool {
	soon := b.now + 1
	t := b.earliest(Channel(b.channels[i].out), soon)
	if t > soon && t < never {
		b.calendar.try(^i, t)
	}
	return t > soon
}

// sendNarrow is stage 4. The list has the first channels of nodes to be looked at, and the
// complements of FIFOs that may send from now on.
func (b *Routers) sendNarrow(list []Channel) {
	x := b.switches
	for _, c := range list {
		if c < 0 {
			b.refresh(^c)
		} else if k := &b.channels[c]; k.next == b.now {
			k.next = never
			x.nodes = append(x.nodes, c)
		}
	}
	b.nominateEach()
	// A flit that enters a router now, and may be sent later, is not counted.
	for _, c := range x.nodes {
		b.inject(c)
	}
	x.nodes = x.nodes[:0]
	b.sendAsked()
	for _, word := range x.words {
		if word != 0 {
			b.calendar.at(b.now + 1)
			break
		}
	}
}

// nominateEach has every input port nominate, of its virtual channels that may send, the
// first at or after its pointer.
func (b *Routers) nominateEach() {
	x, channels := b.switches, b.channels
	asked := x.asked[:0]
	for k, words := range x.words {
		for ; words != 0; words &= words - 1 {
			at := k<<6 + bits.TrailingZeros64(words)
			word := x.some[at]
			if word == 0 {
				x.words[k] &^= words & -words
			}
			for ; word != 0; word &= word - 1 {
				p := &x.in[at<<6+bits.TrailingZeros64(word)]
				turn := int(p.turn)
				v := (bits.TrailingZeros64(bits.RotateLeft64(p.able, -turn)) + turn) & 63
				o := channels[p.first+int32(v)].out
				first := channels[o].lead
				lead := &channels[first]
				if lead.able == 0 {
					asked = append(asked, Channel(first))
				}
				lead.able |= 1 << ((o - first) & 63)
			}
		}
	}
	x.asked = asked
}

// turnPast moves the pointer of an input port past channel i.
func (p *narrowInput) turnPast(i int32) {
	if p.turn = uint8(i-p.first) + 1; p.turn == p.many {
		p.turn = 0
	}
}

// sendAsked has each link that ports nominate for send a flit of one of the nominees that want
// it: the next in turn.
func (b *Routers) sendAsked() {
	x, channels, times, link, size := b.switches, b.channels, b.times, b.w.link, b.timing.Buffer
	now := b.now
	for _, first := range x.asked {
		lead := &channels[first]
		turn := int(lead.turn) + 1
		v := (bits.TrailingZeros64(bits.RotateLeft64(lead.able, -turn)) + turn) & 63
		lead.able, lead.turn = 0, uint8(v)
		o := first + Channel(v)
		out := &channels[o]
		i := Channel(out.holder)
		in, p := &channels[i], &x.in[link[i]]
		p.turnPast(int32(i))
		here, there := in.places+in.head, out.places+wrapped(out.head+out.count, size)
		if in.gone == 0 || b.trace != nil {
			b.noteSent(o, out, i, in, there)
		}
		times[here] = now // the place the sender may have waited for
		in.head = wrapped(in.head+1, size)
		in.count--
		in.gone++
		if in.count+1 == size {
			if in.holder < 0 {
				b.wakeSender(in, i)
			} else if channels[in.holder].count > 0 {
				b.ready(Channel(in.holder))
			}
		}
		if !out.sink() {
			b.store(o, out, there)
		}
		stays := in.count > 0 && out.count < size
		if in.gone == in.length {
			b.ended(o, out, i, in)
			stays = false
		} else if stays && !x.prompt {
			stays = !b.delayed(i)
		}
		if !stays {
			x.clear(link[i], int32(i))
			if in.count == 0 && b.escapes != nil {
				b.emptied(i)
			}
		}
	}
}

// store puts a flit sent now into a place of FIFO o.
func (b *Routers) store(o Channel, out *channel, there int32) {
	t := b.now + b.delay(o)
	b.times[there] = t
	out.count++
	if out.out < 0 {
		if out.packet == none {
			b.front(o, t)
		}
	} else if out.count == 1 && b.channels[out.out].count < b.timing.Buffer {
		b.ready(o)
	}
}
