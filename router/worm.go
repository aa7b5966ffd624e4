package router

import "contend/netsim/topology"

// The worm engine computes the same flit times as the cycle-driven one without
// stepping through the cycles in which flits move. With one virtual channel and
// wormhole switching the rules are a max-plus recurrence: flit j goes on channel
// k at the latest of one flit time after flit j-1 did, its own arrival from
// channel k-1, and one credit time after its place was left. Only who gets a
// channel has to be decided in the order of time. So the calendar holds the
// headers whose routing ends, the routers where a channel gets free while
// somebody waits, and the tails that arrive; a grant moves, at once and with
// their times, all flits whose times follow from it. A FIFO holds the flits
// whose going is not known yet; a flit that depends on a place not left yet
// waits for that place, not for a cycle.
//
// Whatever is computed at an event of cycle t lies at t or later, so nothing
// decided earlier is changed by it.

// Least and greatest length of a worm engine's calendar, in cycles.
const (
	leastHorizon = 255
	mostHorizon  = 4095
)

// wormHorizon returns the length of a worm engine's calendar: a tail that meets nobody arrives
// within it, unless the packet is very long.
func (b *Routers) wormHorizon() int64 {
	return max(b.timing.span(1), leastHorizon, min(b.timing.span(b.most), mostHorizon))
}

// wormEngine implements engine.
type wormEngine struct{ *Routers }

func (e wormEngine) offered(c Channel, _ topology.Node, first bool) {
	if first {
		e.flow(c)
	}
}

func (e wormEngine) ask(list int32) { e.askEach(list) }

func (e wormEngine) granted(o, i Channel) {
	e.link(o, i)
	e.fresh = append(e.fresh, o)
}

func (e wormEngine) send() {
	for _, o := range e.fresh {
		e.flow(o)
	}
	e.fresh = e.fresh[:0]
}

// flow moves whatever can be moved over channel c, and behind it.
func (b *Routers) flow(c Channel) {
	ch := &b.channels[c]
	if ch.injects {
		b.fill(c)
		return
	}
	for ch.holder >= 0 {
		in := Channel(ch.holder)
		if !b.drain(c) {
			return
		}
		b.flow(in)
	}
}

// drain sends the flits that wait in front of channel o, whose places are left
// or known to be, and reports whether there was one.
func (b *Routers) drain(o Channel) bool {
	out := &b.channels[o]
	i := Channel(out.holder)
	in, line := &b.channels[i], &b.lines[o] // with one virtual channel each, links have their numbers
	size := b.timing.Buffer
	from, to := b.times[int32(i)*size:][:size], b.times[int32(o)*size:][:size]
	if in.count == 0 || int32(out.count) == size {
		return false
	}
	p := in.packet
	for {
		place := &from[in.head]
		t := max(*place, line.free)
		if !out.sink() {
			t = max(t, to[wrapped(int32(out.head)+int32(out.count), size)]+b.credit(o))
		}
		header := in.left < 0
		if header {
			in.left = -in.left
			t = max(t, b.vcs[o].since)
			k := &b.packets[p]
			k.Blocked += t - b.vcs[i].ready
			if !out.sink() {
				k.Hops++
			}
		}
		if b.trace != nil {
			b.trace.Sent(t, o, b.packets[p].Number, b.packets[p].Length-in.left, b.vcs[i].ready)
		}
		line.free = t + b.flitTime(o)
		*place = t
		in.count--
		in.head = int16(wrapped(int32(in.head)+1, size))
		in.left--
		if !out.sink() {
			b.put(o, p, t, header)
		}
		if in.left == 0 {
			b.ended(o, out, i, in, t)
			return true
		}
		if in.count == 0 || int32(out.count) == size {
			return true
		}
	}
}

// put puts a flit sent in cycle t into FIFO o.
func (b *Routers) put(o Channel, p int32, t int64, header bool) {
	ch, size := &b.channels[o], b.timing.Buffer
	t += b.delay(o)
	b.times[int32(o)*size+wrapped(int32(ch.head)+int32(ch.count), size)] = t
	if header {
		b.entered(ch, p)
	}
	ch.count++
	if ch.packet == none {
		// The tail before it may leave later than it comes, but not with
		// room for one flit: then it has left the header's place.
		if size > 1 {
			t = max(t, b.times[int32(o)*size+wrapped(int32(ch.head)+size-1, size)]+1)
		}
		b.headed(o, ch, p, t)
	}
}

// fill injects what the node's injection channel c has room for.
func (b *Routers) fill(c Channel) {
	ch, size := &b.channels[c], b.timing.Buffer
	node := b.node(c)
	cur := &b.injecting[node]
	for int32(ch.count) < size {
		t := b.room(c, 1, cur.free)
		if cur.packet == none {
			if b.queues[node].count == 0 {
				return
			}
			turn := b.turn(node, cur.free)
			t = max(t, turn, b.now)
			p := b.newPacket(node, turn, t)
			cur.packet, cur.gone, cur.length = p, 0, b.packets[p].Length
			b.vcs[c].holder, b.vcs[c].since = source, t
		}
		cur.free = t + b.flitTime(c)
		if b.trace != nil {
			b.trace.Sent(t, c, b.packets[cur.packet].Number, cur.gone, t)
		}
		b.put(c, cur.packet, t, cur.gone == 0)
		if cur.gone++; cur.gone == cur.length {
			b.injected(c, cur)
		}
	}
}
