package router

import (
	"fmt"

	"contend/router/topology"
)

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
// Flits that follow each other at the pace of their link move as one, into places that were left
// at that pace: where the first of them is held up to, the others are as well. So in deep buffers
// the work is that of headers, whatever the length of packets.
//
// Whatever is computed at an event of cycle t lies at t or later, so nothing
// decided earlier is changed by it.

// Least and greatest length of a worm engine's calendar, in cycles.
const (
	minHorizon = 255
	maxHorizon = 4095
)

// wormHorizon returns the length of a worm engine's calendar: a tail that meets nobody arrives
// within it, unless the packet is very long.
func (b *Routers) wormHorizon() int64 {
	return max(b.timing.span(1), minHorizon, min(b.timing.span(b.packetFlits), maxHorizon))
}

// channel is what the worm engine knows of a virtual channel, which is its link.
type channel struct {
	holder     int32 // as in vcState, but always source where the channel comes from a node
	outputVC   int32 // channel the packet at the head of the FIFO holds, or none
	packet     int32 // that packet, or none; of a node source
	lastPacket int32 // the packet that came last, of those in the FIFO
	// flits of packet that have not been sent on; less than 0 until its header is, then their
	// negative
	flitsLeft    int32
	occupancy    int16 // flits in the FIFO
	buffersFlits bool  // ends at a router: at a node no flits are kept
	injects      bool  // comes from a node
	lastSent     int64 // cycle in which the last flit left the FIFO
	// the flits in the FIFO, oldest first, and its other places, in the order they were left
	flits, places runs
}

// mostPlaces is how many places a FIFO of the worm engine has at most.
const maxBufferFlits = 1<<15 - 1

// sink reports whether the channel ends at a node, which always accepts.
func (c *channel) sink() bool { return !c.buffersFlits }

// newFIFOs makes the state of the worm engine.
func (b *Routers) newFIFOs() {
	if b.timing.Buffer > maxBufferFlits {
		panic(fmt.Sprintf("router: FIFOs of %d places, at most %d are possible", b.timing.Buffer,
			maxBufferFlits))
	}
	b.channels, b.linkFreeAt = make([]channel, len(b.vcs)), make([]int64, b.w.Links())
	length := min(b.timing.Buffer, 2) // of a ring
	b.trains = trains{list: make([]run, 2*int(length)*len(b.vcs)), mask: int16(length - 1)}
	for i := range b.channels {
		k := channel{holder: none, outputVC: none, packet: none, buffersFlits: true, lastSent: -never,
			flits: runs{ring: 2 * int32(i) * length}, places: runs{ring: (2*int32(i) + 1) * length}}
		b.push(&k.places, run{-never, b.timing.Buffer, int32(b.flitTime(Channel(i)))})
		switch b.w.kind[i] {
		case Injection:
			k.holder, k.injects = source, true
		case Ejection:
			k.packet, k.buffersFlits = source, false
		}
		b.channels[i] = k
	}
}

// wormEngine implements engine.
type wormEngine struct{ *Routers }

func (e wormEngine) offered(c Channel, _ topology.Node, first bool) {
	if first {
		e.flow(c)
	}
}

func (e wormEngine) receive() {}

func (e wormEngine) computeRoutes(list int32) { e.computeEachRoute(list) }

func (e wormEngine) granted(o, i Channel) {
	e.hold(o, i)
	e.newGrants = append(e.newGrants, o)
}

// hold notes in the FIFOs that the header at the head of i holds channel o.
func (e wormEngine) hold(o, i Channel) {
	e.channels[i].outputVC, e.channels[o].holder = int32(o), int32(i)
}

func (e wormEngine) handOver(o, before, i Channel) {
	e.channels[before].outputVC = none
	e.hold(o, i)
}

func (e wormEngine) updatePacket(int32) {}

func (e wormEngine) send() {
	for _, o := range e.newGrants {
		e.flow(o)
	}
	e.newGrants = e.newGrants[:0]
}

// flow moves whatever can be moved over channel c, and behind it.
func (b *Routers) flow(c Channel) {
	ch := &b.channels[c]
	if ch.injects {
		b.injectFlits(c)
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
	in, line := &b.channels[i], &b.linkFreeAt[o] // with one virtual channel each, links have their numbers
	size, pace := b.timing.Buffer, int32(b.flitTime(o))
	if in.occupancy == 0 || int32(out.occupancy) == size {
		return false
	}
	p := in.packet
	for {
		from := b.trains.first(&in.flits)
		t, n := max(from.at, *line), from.count
		if from.pace != pace {
			n = 1
		}
		if !out.sink() {
			place := b.trains.first(&out.places)
			t = max(t, place.at+b.credit(o))
			if n = min(n, place.count); place.pace != pace {
				n = 1
			}
		}
		header := in.flitsLeft < 0
		if header {
			in.flitsLeft = -in.flitsLeft
			t = max(t, b.vcs[o].since)
			k := &b.packets[p]
			k.Blocked += t - b.vcs[i].ready
			if b.waits != nil && t > b.vcs[i].ready {
				b.reportSent(o, i, t)
			}
			if !out.sink() {
				k.Hops++
			}
		}
		n = min(n, in.flitsLeft)
		if b.trace != nil {
			b.traceRun(run{t, n, pace}, o, b.notes[p].number, b.packets[p].Length-in.flitsLeft, b.vcs[i].ready)
		}
		*line = t + int64(n)*int64(pace)
		b.trains.take(&in.flits, from, n)
		b.push(&in.places, run{t, n, pace})
		in.lastSent = *line - int64(pace)
		in.occupancy -= int16(n)
		in.flitsLeft -= n
		if !out.sink() {
			b.enqueueFlits(o, p, run{t, n, pace}, header)
		}
		if in.flitsLeft == 0 {
			b.packetLeft(o, i, in, in.lastSent)
			return true
		}
		if in.occupancy == 0 || int32(out.occupancy) == size {
			return true
		}
	}
}

// traceRun tells of flits of a packet from one on.
func (b *Routers) traceRun(r run, c Channel, packet int64, from int32, ready int64) {
	for j := range r.count {
		b.trace.Sent(r.at+int64(j)*int64(r.pace), c, packet, from+j, ready)
	}
}

// put puts flits sent so into FIFO o, which takes the first of its places.
func (b *Routers) enqueueFlits(o Channel, p int32, sent run, header bool) {
	ch := &b.channels[o]
	sent.at += b.delay(o)
	b.trains.take(&ch.places, b.trains.first(&ch.places), sent.count)
	b.push(&ch.flits, sent)
	if header {
		if ch.packet != none {
			b.notes[ch.lastPacket].after = p
		}
		ch.lastPacket = p
	}
	ch.occupancy += int16(sent.count)
	if ch.packet == none {
		// The tail before it may leave later than it comes, but not with
		// room for one flit: then it has left the header's place.
		b.startRoutingIn(o, ch, p, max(sent.at, ch.lastSent+1))
	}
}

// begun has packet p at the head of the FIFO of channel c, where its header is routed from cycle h
// on.
func (b *Routers) startRoutingIn(c Channel, ch *channel, p int32, h int64) {
	ch.packet, ch.flitsLeft, ch.outputVC = p, -b.packets[p].Length, none
	b.startRouting(c, p, h)
}

// ended ends the stay in FIFO i of the packet at its head, whose tail was sent on channel o in
// cycle t. The next packet of the FIFO, if there is one, is at its head then.
func (b *Routers) packetLeft(o, i Channel, in *channel, t int64) {
	b.release(o, i, t)
	b.channels[o].holder = none
	if in.outputVC = none; in.occupancy > 0 {
		b.startRoutingIn(i, in, b.notes[in.packet].after, max(t+1, b.trains.first(&in.flits).at))
		return
	}
	k := &b.vcs[i]
	in.packet, k.packet, k.state = none, none, idle
}

// fill injects what the node's injection channel c has room for.
func (b *Routers) injectFlits(c Channel) {
	ch, size, pace := &b.channels[c], b.timing.Buffer, int32(b.flitTime(c))
	node := b.node(c)
	cur := &b.injecting[node]
	for int32(ch.occupancy) < size {
		place := b.trains.first(&ch.places)
		t, n := max(cur.free, place.at+b.credit(c)), place.count
		if cur.packet == none {
			if b.queues[node].count == 0 {
				return
			}
			turn := b.turnOf(node, cur.free)
			t = max(t, turn, b.now)
			p := b.newPacket(node, turn, t)
			cur.packet, cur.flitsSent, cur.length = p, 0, b.packets[p].Length
			b.vcs[c].holder, b.vcs[c].since = source, t
		}
		if n = min(n, cur.length-cur.flitsSent); place.pace != pace {
			n = 1
		}
		cur.free = t + int64(n)*int64(pace)
		if b.trace != nil {
			b.traceRun(run{t, n, pace}, c, b.notes[cur.packet].number, cur.flitsSent, t)
		}
		b.enqueueFlits(c, cur.packet, run{t, n, pace}, cur.flitsSent == 0)
		if cur.flitsSent += n; cur.flitsSent == cur.length {
			b.tailInjected(c, cur)
		}
	}
}
