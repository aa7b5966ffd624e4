package router

import (
	"math/bits"

	"contend/netsim/topology"
)

// The crossbar of a router joins its input ports, the physical channels that end
// at it, to those that leave it. With an input speedup of S an input port sends at
// most S flits every F cycles over all its virtual channels. Which output sends
// what is then found for all of them at once, by separable allocation, input first
// (Dally and Towles 2004, sec. 19.3), with the pointers of iSLIP (McKeown 1999):
// they move when a grant is made and not otherwise, so that no virtual channel
// starves. There is one iteration: an input whose nominee is refused sends
// nothing in that cycle, even if another of its virtual channels could. Where
// headers yield, a port that has other flits for an output keeps its headers for
// that output back, so that packets of one port follow each other.

// crossbar is the state of switch allocation; nil where inputs are not limited.
type crossbar struct {
	speedup int32
	yield   bool // headers yield to other flits of their port for the same output
	ports   []inputPort
	// able has, by the first channel of a physical one, those of its virtual channels with a flit to
	// send and a place for it that has been left, in this cycle or later.
	able []uint64
	// sent has the cycles in which each input port sent its last flits: a ring of
	// speedup entries a link. Where a flit takes a cycle they do not matter: nil.
	sent []int64
	busy []candidates // of the ports with a flit to send in this cycle: scratch
	asks []ask        // physical channels that could send in this cycle: scratch
}

// ask says of a physical channel, by its first virtual channel, which of its virtual
// channels could send a flit in this cycle: a bit for each.
type ask struct {
	first  Channel
	asking uint64
}

// inputPort is what switch allocation keeps of a physical channel that ends at a router.
type inputPort struct {
	first  Channel
	at     int32 // place of its candidates in this cycle, or none
	many   uint8 // virtual channels
	turn   uint8 // the one at which the search for nominees begins
	oldest uint8 // index of the oldest entry of its ring
}

// candidates are the virtual channels of an input port in one cycle. A bit stands for
// each of them.
type candidates struct {
	could  uint64 // those that could send now
	chosen uint64 // those nominated now
	used   uint64 // those of them that sent
	port   Link
	body   Channel // one of them has a flit for this output now that is no header, or none
}

// newCrossbar returns the state of a crossbar of limited input speedup. Where
// channels have one virtual channel each, no input port has anything to choose
// from, and none is limited.
func newCrossbar(w *Wiring, t Timing) *crossbar {
	if w.VirtualChannels == 1 || t.InputSpeedup == 0 {
		return nil
	}
	x := &crossbar{speedup: t.InputSpeedup, yield: t.HeadersYield, ports: make([]inputPort, w.Links()),
		able: make([]uint64, w.Channels())}
	for l := range x.ports {
		x.ports[l] = inputPort{first: w.first[l], at: none, many: uint8(w.first[l+1] - w.first[l])}
	}
	if t.Flit > 1 || !t.oneFlitTime() {
		x.sent = make([]int64, w.Links()*int(t.InputSpeedup))
	}
	for i := range x.sent {
		x.sent[i] = -never
	}
	return x
}

// open returns the cycle from which input port l may send one more flit. A port
// of one virtual channel, such as one from a node, is not limited.
func (x *crossbar) open(l Link, flit int64) int64 {
	p := &x.ports[l]
	if p.many == 1 || x.sent == nil {
		return 0
	}
	return x.sent[int32(l)*x.speedup+int32(p.oldest)] + flit
}

// sendSwitched is stage 4 where the inputs of crossbars are limited: outputs that
// could send say so to their inputs, these nominate, each output takes a nominee.
func (b *Routers) sendSwitched(nodes []topology.Node, list []Channel) {
	x := b.crossbar
	b.injectEach(nodes)
	for _, c := range list {
		if b.due(c) { // else it has been looked at, or will be later
			b.askInputs(c)
		}
	}
	for i := range x.busy {
		x.nominate(&x.busy[i], b.now, b.flitTime(x.ports[x.busy[i].port].first))
	}
	for _, a := range x.asks {
		b.sendNominee(a)
	}
	for i := range x.busy {
		x.turnPast(&x.busy[i])
	}
	x.busy, x.asks = x.busy[:0], x.asks[:0]
}

// askInputs notes which virtual channels of inputs could send on the physical
// channel led by first now. If none could, it is looked at again when one may.
func (b *Routers) askInputs(first Channel) {
	x, again, asking := b.crossbar, never, uint64(0)
	for set := b.crossbar.able[first]; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		o := first + Channel(v)
		if t := b.earliestSwitched(o, b.now); t > b.now {
			again = min(again, t)
			continue
		}
		asking |= 1 << v
		i := b.channels[o].holder
		l := b.w.link[i]
		p := &x.ports[l]
		if p.at == none {
			p.at = int32(len(x.busy))
			x.busy = append(x.busy, candidates{port: l, body: none})
		}
		k := &x.busy[p.at]
		k.could |= 1 << (Channel(i) - p.first)
		if b.channels[i].left > 0 {
			k.body = first
		}
	}
	if asking != 0 {
		x.asks = append(x.asks, ask{first, asking})
		if x.yield {
			b.holdHeaders(first, asking)
		}
	} else if again < never {
		b.try(first, again)
	}
}

// holdHeaders has the headers that could be sent on the physical channel led by
// first stay where they are, but for those whose port has no other flit for it.
func (b *Routers) holdHeaders(first Channel, asking uint64) {
	x := b.crossbar
	for set := asking; set != 0; set &= set - 1 {
		i := b.channels[first+Channel(bits.TrailingZeros64(set))].holder
		if b.channels[i].left > 0 {
			continue
		}
		p := &x.ports[b.w.link[i]]
		if k := &x.busy[p.at]; k.body == first {
			k.could &^= 1 << (Channel(i) - p.first)
		}
	}
}

// earliestSwitched is earliest, of which the input port is one more condition.
func (b *Routers) earliestSwitched(o Channel, from int64) int64 {
	t := b.earliest(o, from)
	if b.crossbar.sent == nil || t == never {
		return t // a port that sends in one cycle may do so in the next
	}
	i := Channel(b.channels[o].holder)
	return max(t, b.crossbar.open(b.w.link[i], b.flitTime(i)))
}

// nominate chooses those of an input port's virtual channels that may send now:
// the first at or after its pointer, as many as it may send flits.
func (x *crossbar) nominate(k *candidates, now, flit int64) {
	p := &x.ports[k.port]
	if p.many == 1 {
		k.chosen = k.could
		return
	}
	asking := p.rotated(k.could)
	for n := x.allowed(k.port, p, now, flit); n > 0 && asking != 0; n-- {
		k.chosen |= 1 << p.turned(bits.TrailingZeros64(asking))
		asking &= asking - 1
	}
}

// allowed returns how many flits an input port may send now.
func (x *crossbar) allowed(l Link, p *inputPort, now, flit int64) int32 {
	if x.sent == nil {
		return x.speedup
	}
	ring, n := x.sent[int32(l)*x.speedup:][:x.speedup], int32(0)
	for i := p.oldest; n < x.speedup && ring[i]+flit <= now; n++ {
		i = x.after(i)
	}
	return n
}

// after returns the index of a ring that follows i.
func (x *crossbar) after(i uint8) uint8 {
	if i++; int32(i) == x.speedup {
		return 0
	}
	return i
}

// rotated returns a set of the port's virtual channels, the one in turn as bit 0.
func (p *inputPort) rotated(set uint64) uint64 {
	return (set>>p.turn | set<<(p.many-p.turn)) & (1<<p.many - 1)
}

// turned returns the virtual channel that is i, up to as many as there are, after
// the one in turn.
func (p *inputPort) turned(i int) int {
	if i += int(p.turn); i >= int(p.many) {
		i -= int(p.many)
	}
	return i
}

// sendNominee has a physical channel send a flit of one of the nominees that want it,
// if there are any: the next in turn.
func (b *Routers) sendNominee(a ask) {
	x, lead, left := b.crossbar, &b.channels[a.first], a.asking
	if v := b.nominee(a); v >= 0 {
		lead.turn = uint8(v)
		left &^= 1 << v
		b.move(a.first + Channel(v))
	}
	again, soonest := never, max(b.lines[b.w.link[a.first]].free, b.now+1)
	if left != 0 && x.sent == nil {
		again = soonest // who was refused may send in the next cycle
	}
	for set := x.able[a.first]; set != 0 && again > soonest; set &= set - 1 {
		o := a.first + Channel(bits.TrailingZeros64(set))
		again = min(again, b.earliestSwitched(o, soonest))
	}
	if again < never {
		b.try(a.first, again)
	}
}

// nominee returns which of the virtual channels that ask for a flit gets one, the next
// in turn whose input has been nominated, and notes that its port sends; -1: none.
func (b *Routers) nominee(a ask) int {
	x, turn := b.crossbar, int(b.channels[a.first].turn)+1
	for set := bits.RotateLeft64(a.asking, -turn); set != 0; set &= set - 1 {
		v := (bits.TrailingZeros64(set) + turn) & 63
		i := b.channels[a.first+Channel(v)].holder
		l := b.w.link[i]
		p := &x.ports[l]
		k, bit := &x.busy[p.at], uint64(1)<<(Channel(i)-p.first)
		if k.chosen&bit != 0 {
			k.used |= bit
			x.note(l, p, b.now)
			return v
		}
	}
	return -1
}

// note notes that input port l sends a flit now.
func (x *crossbar) note(l Link, p *inputPort, now int64) {
	if x.sent != nil && p.many > 1 {
		x.sent[int32(l)*x.speedup+int32(p.oldest)] = now
		p.oldest = x.after(p.oldest)
	}
}

// turnPast moves the pointer of an input port past the last nominee that sent, and
// ends the cycle for the port.
func (x *crossbar) turnPast(k *candidates) {
	p := &x.ports[k.port]
	if k.used != 0 && p.many > 1 {
		p.turn = uint8(p.turned(bits.Len64(p.rotated(k.used))))
	}
	p.at = none
}
