package router

import (
	"math/bits"

	"contend/netsim/topology"
)

// sendNarrow is stage 4. The list has FIFOs that may send from now on.
func (b *Routers) sendNarrow(nodes []topology.Node, list []Channel) {
	x := b.switches
	for _, c := range list {
		b.refresh(c)
	}
	x.told = !x.prompt || b.trace != nil || b.escapes != nil
	b.nominateEach()
	// A flit that enters a router now, and may be sent later, is not counted.
	b.injectEach(nodes)
	b.sendEach()
	if x.some() {
		b.calendar.at(b.now + 1)
	}
}

// some reports whether some FIFO may send.
func (x *narrowSwitch) some() bool {
	if !x.few {
		for _, word := range x.able {
			if word != 0 {
				return true
			}
		}
		return false
	}
	for k := range x.in {
		if x.in[k].flit&x.in[k].room != 0 {
			return true
		}
	}
	return false
}

// nominateEach has every input port nominate, of its virtual channels that may send, the
// first at or after its pointer.
func (b *Routers) nominateEach() {
	x := b.switches
	if x.few {
		x.nominateIn(0, x.in)
		return
	}
	for k, words := range x.able {
		for ; words != 0; words &= words - 1 {
			at := k<<6 + bits.TrailingZeros64(words)
			if x.in[at].flit&x.in[at].room == 0 {
				x.able[k] &^= words & -words
			}
			x.nominateIn(at, x.in[at:at+1])
		}
	}
}

// nominateIn has the input ports of some words nominate, from word at on.
func (x *narrowSwitch) nominateIn(at int, words []inputWord) {
	out, few := x.out, x.few
	for k := range words {
		w := &words[k]
		able := w.flit & w.room
		if able == 0 {
			continue
		}
		w.ahead, w.sent = x.past(w.ahead, w.sent), 0
		wants := (*[64]int32)(x.wants[(at+k)<<6:])
		for set := x.firsts(able, w.ahead); set != 0; set &= set - 1 {
			s := uint32(wants[bits.TrailingZeros64(set)&63])
			out[s>>6].asked |= 1 << (s & 63)
			if !few {
				x.asked[s>>12] |= 1 << (s >> 6 & 63)
			}
		}
	}
}

// sendEach has each link that ports nominate for send a flit of one of the nominees that want
// it: the next in turn.
func (b *Routers) sendEach() {
	x := b.switches
	if x.few {
		b.sendIn(0, x.out)
		return
	}
	for k, words := range x.asked {
		x.asked[k] = 0
		for ; words != 0; words &= words - 1 {
			at := k<<6 + bits.TrailingZeros64(words)
			b.sendIn(at, x.out[at:at+1])
		}
	}
}

// sendIn is sendEach for the links of some words, from word at on. Where flits and credits take a
// cycle, what has come or left before this cycle is known, so nobody needs to know when.
func (b *Routers) sendIn(at int, words []outputWord) {
	x, inputs, channels, size := b.switches, b.switches.in, b.channels, b.timing.Buffer
	for k := range words {
		w := &words[k]
		if w.asked == 0 {
			continue
		}
		set := x.firsts(w.asked, w.ahead)
		w.asked, w.ahead = 0, x.past(w.ahead, set)
		slots := (*[64]Channel)(x.channel[(at+k)<<6:])
		for ; set != 0; set &= set - 1 {
			enters := uint32((at+k)<<6 + bits.TrailingZeros64(set)&63)
			o := slots[enters&63]
			out := &channels[o]
			in := &channels[out.holder]
			from, left := uint32(out.behind), in.left
			in.left--
			in.count--
			out.count += int16(out.keeps)
			inputs[from>>6].sent |= 1 << (from & 63)
			if x.prompt {
				// The last flit of the FIFO has left, or the last place of the next one been taken.
				inputs[from>>6].flit &^= below(int32(in.count), 1) << (from & 63)
				inputs[from>>6].room &^= below(size-1, int32(out.count)) << (from & 63)
				behind := uint32(in.behind)
				inputs[enters>>6].flit |= below(none, out.out) << (enters & 63)
				inputs[behind>>6].room |= 1 << (behind & 63)
				if !x.few {
					x.mark(int32(enters))
					x.mark(in.behind)
				}
			}
			if left < 0 {
				in.left = -left - 1
				b.headerMoved(o, in)
			}
			if in.left == 0 || in.injects || x.told {
				b.moved(o, int32(enters))
			}
		}
	}
}

// headerMoved does what is left to do when a header has been sent on channel o now.
func (b *Routers) headerMoved(o Channel, in *channel) {
	out, p := &b.channels[o], in.packet
	k := &b.packets[p]
	k.Blocked += b.now - b.vcs[out.holder].ready
	if out.sink() {
		return
	}
	k.Hops++
	b.entered(out, p)
	if out.packet == none {
		b.headed(o, out, p, b.now+b.delay(o))
	}
}

// moved does what remains after a flit was sent on channel o, whose slot is given. It is called for
// tails, for flits that made room for a node, and for all flits if a recorder follows them.
func (b *Routers) moved(o Channel, slot int32) {
	x, out, size := b.switches, &b.channels[o], b.timing.Buffer
	i := Channel(out.holder)
	in := &b.channels[i]
	if b.trace != nil {
		k := &b.packets[in.packet]
		b.trace.Sent(b.now, o, k.Number, k.Length-1-in.left, b.vcs[i].ready)
	}
	if !x.prompt {
		b.sentLate(o, out, i, in, slot)
	}
	if in.injects && int32(in.count)+1 == size {
		b.wakeSender(in, i)
	}
	if b.escapes != nil && in.count == 0 {
		b.emptied(i)
	}
	if in.left == 0 {
		x.stop(out.behind)
		b.ended(o, out, i, in, b.now)
		out.behind = x.spare
	}
}

// sentLate notes when the flit that FIFO i has just sent on channel o left its place, and when it
// comes to its next one, where flits or credits take more than a cycle, and which FIFOs may send
// from when on.
func (b *Routers) sentLate(o Channel, out *channel, i Channel, in *channel, slot int32) {
	size := b.timing.Buffer
	b.times[int32(i)*size+int32(in.head)] = b.now // the sender may wait for the place
	in.head = int16(wrapped(int32(in.head)+1, size))
	if !out.sink() {
		at := wrapped(int32(out.head)+int32(out.count)-1, size)
		b.times[int32(o)*size+at] = b.now + b.delay(o)
	}
	if int32(in.count)+1 == size && in.holder >= 0 && b.channels[in.holder].count > 0 {
		b.ready(Channel(in.holder), in.behind)
	}
	if out.count == 1 && out.out >= 0 && int32(b.channels[out.out].count) < size {
		b.ready(o, slot)
	}
	if in.count == 0 || int32(out.count) == size || in.left == 0 || b.delayed(i) {
		b.switches.stop(out.behind)
	}
}
