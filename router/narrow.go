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
// are, which no jump could be predicted by. So the bits of all three are computed, each time. One
// set has the FIFOs with a flit and another those with room ahead of them. So a flit does not look
// at the channel ahead of it, and only at the slot of the one behind.

// narrowSwitch is the state of switch allocation in the usual case.
//
// Virtual channels have slots: those of a link begin at a multiple of a power of two, which is at
// most 64, so that one word has a field of bits for each of some links. A bit stands for a virtual
// channel of an input port, at the FIFO at whose head its flit is, or for one of an output. What
// is to be found for all ports, the first at or after a pointer, is found for a word at a time.
type narrowSwitch struct {
	in  []inputWord
	out []outputWord
	// By slot: the channel, and the slot of the channel that the packet at the head of its FIFO
	// holds.
	channel []Channel
	wants   []int32
	spare   int32 // a slot that no channel has
	w       *Wiring
	// The lowest and the highest bits of the fields, how far they are apart, and by how many bits
	// the number of a link is shifted for its first slot.
	low, high    uint64
	apart, shift uint8
	// able and asked have a bit for each word that may have some, where words are many: few are
	// all gone through.
	able, asked []uint64
	few         bool
	prompt      bool // flits and credits take a cycle on all links
	told        bool // of each flit more is to be done than to move it: see moved
}

// inputWord is what there is to know of the input ports of a word.
type inputWord struct {
	// The virtual channels with a flit, at the head of whose FIFO there is a packet that holds a
	// channel; where flits or credits take more than a cycle, those whose flit may be sent in the
	// next one.
	flit uint64
	// Those for whose flit there is a place; where flits or credits take more than a cycle, all.
	room  uint64
	sent  uint64 // those that have sent since ports nominated last
	ahead uint64 // those from the pointers of their ports on; none: all are
}

// outputWord is what there is to know of the links of a word.
type outputWord struct {
	asked uint64 // the virtual channels that nominees want in this cycle
	ahead uint64 // those after the ones that sent last
}

// narrow reports whether the engine of narrowSwitch does for the network.
func (b *Routers) narrow() bool {
	x := b.crossbar
	return x != nil && x.speedup == 1 && !x.yield && x.sent == nil && b.timing.Switching == Wormhole
}

// fewWords is how many words are gone through in each cycle.
const fewWords = 256

func newNarrowSwitch(w *Wiring, t Timing, channels []channel) *narrowSwitch {
	shift := bits.Len(uint(max(w.VirtualChannels, w.NodeVirtualChannels) - 1))
	words := w.Links()<<shift/64 + 1 // the last bit is nobody's
	x := &narrowSwitch{in: make([]inputWord, words), out: make([]outputWord, words),
		channel: make([]Channel, 64*words), wants: make([]int32, 64*words), w: w,
		apart: 1<<shift - 1, shift: uint8(shift), spare: int32(64*words - 1),
		able: make([]uint64, words/64+1), asked: make([]uint64, words/64+1),
		few: words <= fewWords, prompt: t.prompt()}
	for at := 0; at < 64; at += 1 << shift {
		x.low |= 1 << at
	}
	x.high = x.low << x.apart
	for k := range x.out {
		x.in[k].room, x.out[k].ahead = ^uint64(0), ^x.low // as if the first had sent
	}
	for l := range w.Links() {
		for c := w.first[l]; c < w.first[l+1]; c++ {
			s := l<<shift + int(c-w.first[l])
			x.channel[s], channels[c].behind = c, x.spare
		}
	}
	return x
}

// narrowEngine implements engine.
type narrowEngine struct{ cycleEngine }

func (e *narrowEngine) granted(o, i Channel) {
	e.link(o, i)
	x, out := e.switches, &e.channels[o]
	from := x.slot(i)
	x.wants[from], out.behind = x.slot(o), from
	if !x.prompt {
		e.refresh(i)
		return
	}
	w, bit := &x.in[from>>6], uint64(1)<<(from&63)
	w.flit |= bit // the header
	w.room |= bit
	if int32(out.count) == e.timing.Buffer {
		w.room &^= bit
	}
	x.mark(from)
}

func (e *narrowEngine) passed(o, before, i Channel) {
	e.channels[before].out = none
	e.switches.stop(e.switches.slot(before))
	e.granted(o, i)
}

// slot returns the slot of channel c.
func (x *narrowSwitch) slot(c Channel) int32 {
	l := x.w.link[c]
	return int32(l)<<(x.shift&31) + int32(c-x.w.first[l])
}

// let notes that the FIFO of a slot has a flit to send.
func (x *narrowSwitch) let(slot int32) {
	x.in[slot>>6].flit |= 1 << (slot & 63)
	x.mark(slot)
}

// mark notes that something may be sent from a slot.
func (x *narrowSwitch) mark(slot int32) {
	if !x.few {
		x.able[slot>>12] |= 1 << (slot >> 6 & 63)
	}
}

// stop notes that the FIFO of a slot has no flit to send.
func (x *narrowSwitch) stop(slot int32) { x.in[slot>>6].flit &^= 1 << (slot & 63) }

// fields returns all bits of the fields in which a set has some. No sum of two fields is carried
// to the next one.
func (x *narrowSwitch) fields(set uint64) uint64 {
	some := ((set &^ x.high) + ^x.high | set) & x.high
	return some | (some - some>>(x.apart&63))
}

// firsts returns the first bit of each field of a set among those ahead, or where there is none
// among all.
func (x *narrowSwitch) firsts(set, ahead uint64) uint64 {
	later := set & ahead
	set = later | set&^x.fields(later)
	return set &^ ((set | x.high) - x.low)
}

// past returns the bits ahead once one has sent in some of the fields: those above it.
func (x *narrowSwitch) past(ahead, sent uint64) uint64 {
	fields := x.fields(sent)
	return ahead&^fields | fields&^(sent|(sent-fields&x.low))
}

// below is 1 if a is less than b, which both are small, and else 0.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// refresh notes whether FIFO i may send a flit on the channel it holds now, before ports
// nominate, where flits or credits take more than a cycle. If it may later, it is looked at again
// then.
func (b *Routers) refresh(i Channel) {
	if in := &b.channels[i]; in.out >= 0 && in.count > 0 {
		if t := b.earliest(Channel(in.out), b.now); t <= b.now {
			b.switches.let(b.switches.slot(i))
		} else if t < never {
			b.calendar.try(i, t)
		}
	}
}

// ready notes that FIFO i, whose slot is given, after ports have nominated has a flit to send on
// the channel it holds, in the next cycle or later.
func (b *Routers) ready(i Channel, slot int32) {
	x := b.switches
	if !x.prompt && b.delayed(i) {
		return
	}
	x.let(slot)
}

// delayed reports whether the next flit of FIFO i, which holds a channel, cannot be sent in
// the next cycle already. If it is known when it can, FIFO i is looked at again then.
func (b *Routers) delayed(i Channel) bool {
	soon := b.now + 1
	t := b.earliest(Channel(b.channels[i].out), soon)
	if t > soon && t < never {
		b.calendar.try(i, t)
	}
	return t > soon
}
