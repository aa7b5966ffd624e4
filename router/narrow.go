package router

import "math/bits"

// The usual case of the crossbar: an input port sends one flit a cycle, a flit takes a
// cycle, switching is wormhole, and headers do not yield. The rules are those of
// sendSwitched, in fewer instructions: nearly all flits of networks with several virtual
// channels are moved here.
//
// A set of bits says which virtual channels of input ports may send a flit in the next cycle.
// It stays as it is until a flit is sent, comes or makes room, so that a stream of flits takes
// no entries in the calendar. In a cycle every port nominates first, and only then are flits
// sent: what that changes in the set counts from the next cycle on.
//
// A flit that is sent may let three FIFOs send in the next cycle: the one it leaves, the one it
// enters, and the one before, for which it makes room. Whether they do depends on how full they
// are, which no jump could be predicted by. So that is computed, for all three and each time.

// narrowSwitch is the state of switch allocation in the usual case.
type narrowSwitch struct {
	in []narrowInput // of each link, which ends at an input port
	// able has a bit for each virtual channel of an input port that may send: channel.slot. Those
	// of a port begin at a multiple of 1<<shift, which is at most 64, so that one word has them all.
	able  []uint64
	shift uint8
	ports uint64 // the bits of the first port of a word
	// words has a bit for each word of able that may have some, where these are many: few are
	// all gone through.
	words []uint64
	few   bool
	// asked are the first channels of the links that ports nominate for in this cycle, of which
	// channel.able then has a bit for each virtual channel that a nominee wants: scratch.
	asked  []Channel
	nodes  []Channel // the first channels of nodes to be looked at in this cycle: scratch
	prompt bool      // flits and credits take a cycle on all links
}

// narrowInput is an input port.
type narrowInput struct {
	first int32 // the first of its virtual channels
	turn  uint8 // the one at which the search for a nominee begins
	many  uint8 // how many there are
}

// narrow reports whether the engine of narrowSwitch does for the network.
func (b *Routers) narrow() bool {
	x := b.crossbar
	return x != nil && x.speedup == 1 && !x.yield && x.sent == nil && b.timing.Switching == Wormhole
}

// fewWords is how many words are gone through in each cycle.
const fewWords = 256

func newNarrowSwitch(w *Wiring, t Timing, channels []channel) *narrowSwitch {
	n := w.Links()
	x := &narrowSwitch{in: make([]narrowInput, n),
		prompt: t.Links == nil && t.Link == 1 && t.Credit == 1}
	most := max(w.VirtualChannels, w.NodeVirtualChannels)
	x.shift = uint8(bits.Len(uint(most - 1)))
	x.ports = 1<<(1<<x.shift) - 1
	x.able = make([]uint64, n<<x.shift/64+1)
	x.words = make([]uint64, len(x.able)/64+1)
	x.few = len(x.able) <= fewWords
	for l := range n {
		first, end := int32(w.first[l]), int32(w.first[l+1])
		x.in[l] = narrowInput{first: first, many: uint8(end - first)}
		for i := first; i < end; i++ {
			channels[i].slot = int32(l)<<x.shift + i - first
		}
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
	e.switches.put(&e.channels[before], 0)
	e.link(o, i)
	e.refresh(i)
}

// let notes that a FIFO may send if may is 1. If it is 0 nothing changes.
func (x *narrowSwitch) let(c *channel, may uint64) {
	s := uint32(c.slot)
	x.able[s>>6] |= may << (s & 63)
	if !x.few {
		x.words[s>>12] |= may << (s >> 6 & 63)
	}
}

// put notes whether a FIFO, which could send, still may: 1 or 0.
func (x *narrowSwitch) put(c *channel, may uint64) {
	s := uint32(c.slot)
	word := &x.able[s>>6]
	*word = *word&^(1<<(s&63)) | may<<(s&63)
}

// below is 1 if a is less than b, which both are small, and else 0.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// refresh notes whether FIFO i may send a flit on the channel it holds now, before ports
// nominate. If it may later, it is looked at again then.
func (b *Routers) refresh(i Channel) {
	if in := &b.channels[i]; in.out >= 0 && in.count > 0 {
		if t := b.earliest(Channel(in.out), b.now); t <= b.now {
			b.switches.let(in, 1)
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
	x.let(&b.channels[i], 1)
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
	if x.some() {
		b.calendar.at(b.now + 1)
	}
}

// some reports whether some FIFO may send.
func (x *narrowSwitch) some() bool {
	words := x.words
	if x.few {
		words = x.able
	}
	for _, word := range words {
		if word != 0 {
			return true
		}
	}
	return false
}

// nominateEach has every input port nominate, of its virtual channels that may send, the
// first at or after its pointer.
func (b *Routers) nominateEach() {
	x := b.switches
	x.asked = x.asked[:0]
	if x.few {
		b.nominateIn(0, x.able)
		return
	}
	for k, words := range x.words {
		for ; words != 0; words &= words - 1 {
			at := k<<6 + bits.TrailingZeros64(words)
			if x.able[at] == 0 {
				x.words[k] &^= words & -words
			}
			b.nominateIn(at, x.able[at:at+1])
		}
	}
}

// nominateIn has the input ports nominate that have a bit in some words of able, from word at on.
func (b *Routers) nominateIn(at int, words []uint64) {
	x, channels, asked := b.switches, b.channels, b.switches.asked
	inputs, shift, ports := x.in, x.shift&63, x.ports
	for k, word := range words {
		for word != 0 {
			low := bits.TrailingZeros64(word)
			port := ((at+k)<<6 + low) >> shift
			bit := port << shift & 63
			set := word & (ports << bit)
			word &^= set
			p := &inputs[port]
			turn := int(p.turn) + bit
			v := (bits.TrailingZeros64(bits.RotateLeft64(set, -turn)) + turn - bit) & 63
			o := channels[p.first+int32(v)].out
			first := channels[o].lead
			lead := &channels[first]
			if lead.able == 0 {
				asked = append(asked, Channel(first))
			}
			lead.able |= 1 << ((o - first) & 63)
		}
	}
	x.asked = asked
}

// turnPast moves the pointer of an input port past channel i.
func (p *narrowInput) turnPast(i int32) {
	next := int32(uint8(i-p.first) + 1)
	p.turn = uint8(next) * uint8(below(next, int32(p.many)))
}

// sendAsked has each link that ports nominate for send a flit of one of the nominees that want
// it: the next in turn. Where flits and credits take a cycle, what has come or left before this
// cycle is known, so nobody needs to know when.
func (b *Routers) sendAsked() {
	x, channels, size := b.switches, b.channels, b.timing.Buffer
	for _, first := range x.asked {
		lead := &channels[first]
		turn := int(lead.turn) + 1
		v := (bits.TrailingZeros64(bits.RotateLeft64(lead.able, -turn)) + turn) & 63
		lead.able, lead.turn = 0, uint8(v)
		o := first + Channel(v)
		out := &channels[o]
		i := out.holder
		in := &channels[i]
		x.in[in.slot>>(x.shift&31)].turnPast(i)
		if in.gone == 0 || b.trace != nil {
			b.noteSent(o, out, Channel(i), in, int32(o)*size+wrapped(out.head+out.count, size))
			if in.gone == 0 && out.packet == none {
				b.front(o, b.now+b.delay(o))
			}
		}
		if !x.prompt {
			b.noteTimes(o, out, i, in)
		}
		in.head = wrapped(in.head+1, size)
		in.count--
		in.gone++
		out.count += int32(out.keeps)
		if x.prompt {
			// Where there is no channel ahead, or none behind, any other will do: the bit is 0.
			next, before := &channels[out.out&^(out.out>>31)], &channels[in.holder&^(in.holder>>31)]
			x.put(in, below(0, in.count)&below(out.count, size)&below(in.gone, in.length))
			x.let(out, below(next.count, size)&below(-1, out.out))
			x.let(before, below(0, before.count)&below(-1, in.holder))
		} else {
			b.sentLate(o, out, Channel(i), in)
		}
		if in.injects && in.count+1 == size && in.holder == source {
			b.wakeSender(in, Channel(i))
		}
		if b.escapes != nil && in.count == 0 {
			b.emptied(Channel(i))
		}
		if in.gone == in.length {
			b.ended(o, out, Channel(i), in)
		}
	}
}

// noteTimes notes when the next flit of FIFO i, sent on channel o now, leaves its place, and when
// it comes to its next one.
func (b *Routers) noteTimes(o Channel, out *channel, i int32, in *channel) {
	size := b.timing.Buffer
	b.times[i*size+in.head] = b.now // the sender may wait for the place
	if !out.sink() {
		b.times[int32(o)*size+wrapped(out.head+out.count, size)] = b.now + b.delay(o)
	}
}

// sentLate notes which FIFOs may send from when on, where flits or credits take more than a cycle:
// FIFO i has just sent a flit on channel o.
func (b *Routers) sentLate(o Channel, out *channel, i Channel, in *channel) {
	if in.count+1 == b.timing.Buffer && in.holder >= 0 && b.channels[in.holder].count > 0 {
		b.ready(Channel(in.holder))
	}
	if out.count == 1 && out.out >= 0 && b.channels[out.out].count < b.timing.Buffer {
		b.ready(o)
	}
	if in.count == 0 || out.count == b.timing.Buffer || in.gone == in.length || b.delayed(i) {
		b.switches.put(in, 0)
	}
}
