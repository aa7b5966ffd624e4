package router

import (
	"slices"

	"contend/router/topology"
)

// Marking marks packets at the root of congestion, for the sources that react to it. When the head
// of a packet is sent on a link, the queue is the flits of other packets in the FIFOs of the router
// that wait for the link, after the flits of the cycle have been sent; flits on the links to the
// router are not in it. For a link to a node these are the flits for the node. For a link to
// another router, only packets at the front of a FIFO have a known next link. So the queue is the
// flits in the FIFOs whose packet at the front holds or waits for a VC of the link. The probability
// of a mark rises from 0 at Low to Most at High and is Beyond above (random early detection, Floyd
// and Jacobson, ToN 1993). A link whose far FIFO has no room for the packet, or for as much of it
// as the FIFO holds, is a victim of congestion elsewhere and marks nothing (InfiniBand Architecture
// 1.2.1, vol. 1, Annex A10). Virtual cut-through sends no head without that room, so there the far
// FIFO needs room for two such packets. The zero value marks no packets.
type Marking struct {
	Low, High    int32   // flits of the queue, Low at most High
	Most, Beyond float64 // probabilities, from 0 to 1
	Seed         uint64  // of the draws
	Spared       []bool  // by router: its links mark nothing; nil for none
}

// Marks reports whether packets may be marked.
func (m Marking) Marks() bool { return m.Most > 0 || m.Beyond > 0 }

// probability returns the probability of a mark behind a queue.
func (m *Marking) probability(queue int32) float64 {
	switch {
	case queue <= m.Low:
		return 0
	case queue > m.High:
		return m.Beyond
	}
	return m.Most * float64(queue-m.Low) / float64(m.High-m.Low)
}

// marker is the state of marking. Entries of a link belong to the part of the router that the link
// leaves.
type marker struct {
	Marking
	marked []bool       // by packet
	links  []MarkedLink // by link
	drawn  []int64      // by link: marks that a draw decided
}

// MarkedLink counts heads and marks on a link that leaves a router, since the start or ResetMarked.
type MarkedLink struct {
	Heads  int64 // heads sent
	Marked int64 // packets marked
	Queued int64 // sum over the heads of the queue for the link, in flits
}

// newMarker returns the state of marking, nil if packets are not marked.
func newMarker(m Marking, links int) *marker {
	if !m.Marks() {
		return nil
	}
	return &marker{Marking: m, links: make([]MarkedLink, links), drawn: make([]int64, links)}
}

// Marked returns the counts of link l, zeros if packets are not marked.
func (b *Routers) Marked(l Link) MarkedLink {
	if b.marker == nil {
		return MarkedLink{}
	}
	return b.marker.links[l]
}

// ResetMarked resets Marked.
func (b *Routers) ResetMarked() {
	if b.marker != nil {
		clear(b.marker.links)
	}
}

// drawSteps is the number of steps of the draws of marks.
const drawSteps = 1 << 30

// markHeads marks packets whose heads have been sent in this cycle. All FIFOs still have these
// packets at the front, so the order of heads does not matter.
func (e *cycleEngine) markHeads() {
	x := e.x
	for _, from := range x.headsAndTails {
		if x.in[from>>6].headAtFront>>(from&63)&1 != 0 { // otherwise it is a tail
			o := x.fifos[from].outputVC
			e.markHead(Channel(from), Channel(o), e.vcs[from].packet, e.storedOf(from),
				x.fifos[o].credits+1)
		}
	}
}

// markHeads marks packets whose heads have been sent in this cycle.
func (e packetEngine) markHeads() {
	x := e.x
	for _, k := range x.sent {
		e.markHead(Channel(k.from), Channel(k.to), k.packet,
			e.stored(Channel(k.from), &x.hops[x.vcs[k.from].lastGone], e.now+1), k.credits)
	}
	x.sent = x.sent[:0]
}

// markHead draws whether packet p is marked, whose head has been sent from FIFO from on VC o. The
// FIFO still has stored flits of it, and the VC had credits before.
func (b *Routers) markHead(from, o Channel, p, stored, credits int32) {
	m, r := b.marker, b.vcs[from].router
	if m.Spared != nil && m.Spared[r] {
		return
	}
	l, k, queue, sink := b.w.link(o), &b.packets[p], -stored, b.vcs[o].sink()
	if sink {
		queue += b.queueForNode(k.To, topology.Router(r), b.now+1)
	} else {
		queue += b.queueFor(l, topology.Router(r))
	}
	seen := &m.links[l]
	seen.Heads++
	seen.Queued += int64(queue)
	room := k.Length
	if b.timing.Switching == VirtualCutThrough {
		room *= 2
	}
	victim := !sink && credits < min(room, b.timing.Buffer)
	chance := m.probability(queue)
	if victim || m.marked[p] || chance == 0 {
		return
	}
	if chance < 1 {
		m.drawn[l]++
	}
	if float64(Draw(m.Seed, k.Identity, int64(r), drawSteps)) < chance*drawSteps {
		m.marked[p] = true
		seen.Marked++
	}
}

// MarksDrawn returns how many packets a draw has marked, or not marked, on some links. Between two
// moments with the same number nothing depends on draws of marks.
func (b *Routers) MarksDrawn(links []Link) (n int64) {
	for i := 0; b.marker != nil && i < len(links); i++ {
		n += b.marker.drawn[links[i]]
	}
	return n
}

// queueFor returns the flits in those FIFOs of router r whose packet at the front holds or waits
// for a VC of link l, including the flits of packets behind it, after this cycle.
func (b *Routers) queueFor(l Link, r topology.Router) (flits int32) {
	for c := b.w.in[r]; c < b.w.in[r+1]; c++ {
		if b.stands(c) {
			continue
		}
		n := b.occupancy(c, b.now+1)
		if n == 0 || b.tailLeaves(c) {
			continue
		}
		switch v, o := &b.vcs[c], b.leavesBy(c); {
		case o != none || v.state == active || v.state == waitingVC && b.offered == nil:
			mayTake := o == none && v.state == waitingVC && b.linkGroups != nil
			if o == none {
				o = Channel(v.outputVC)
			}
			if of := b.w.link(o); of == l || mayTake && b.queueOfLink(of) == b.queueOfLink(l) {
				flits += n
			}
		case v.state == waitingVC && slices.ContainsFunc(b.offers(c), func(o Channel) bool {
			return b.w.link(o) == l
		}):
			flits += n
		}
	}
	return flits
}

// occupancy returns the flits in FIFO c before the flits of cycle t arrive.
func (b *Routers) occupancy(c Channel, t int64) (flits int32) {
	x := b.byPacket
	if x == nil {
		return b.buffers.fifos[c].occupancy
	}
	for i := x.vcs[c].oldest; i != none; i = x.hops[i].next {
		flits += b.stored(c, &x.hops[i], t)
	}
	return flits
}

// tailLeaves reports whether a tail leaves FIFO c in this cycle.
func (b *Routers) tailLeaves(c Channel) bool {
	if x := b.byPacket; x != nil {
		return x.vcs[c].tailAt == b.now
	}
	return b.buffers.fifos[c].flitsLeft == 0
}

// leavesBy returns the VC on which a packet leaves FIFO c whose head has been sent and whose tail
// has not, or none if the engine has that packet at the front, with its VC.
func (b *Routers) leavesBy(c Channel) Channel {
	if x := b.byPacket; x != nil && x.vcs[c].tailAt > b.now {
		return Channel(x.vcs[c].goneTo)
	}
	return none
}

// QueuedFor returns the flits for a node in the FIFOs of its router, or -1 with the worm engine,
// which does not know where flits are.
func (b *Routers) QueuedFor(node topology.Node) int32 {
	if b.buffers == nil && b.byPacket == nil {
		return -1
	}
	l := b.w.link(b.w.ejection[node])
	return b.partOfLink(l, false).queueForNode(node, b.w.Leaves(l), b.now)
}

// queueForNode returns the flits for a node in the FIFOs of router r before the flits of cycle t
// arrive.
func (b *Routers) queueForNode(node topology.Node, r topology.Router, t int64) (flits int32) {
	for c := b.w.in[r]; c < b.w.in[r+1]; c++ {
		if x := b.byPacket; b.stands(c) {
			continue
		} else if x != nil {
			for i := x.vcs[c].oldest; i != none; i = x.hops[i].next {
				if h := &x.hops[i]; b.packets[h.packet].To == node {
					flits += b.stored(c, h, t)
				}
			}
		} else if b.buffers.fifos[c].occupancy > 0 {
			flits += b.storedFor(int32(c), node)
		}
	}
	return flits
}

// storedFor returns the flits for a node in FIFO c.
func (b *Routers) storedFor(c int32, node topology.Node) (flits int32) {
	p, n := b.vcs[c].packet, b.storedOf(c)
	for rest := b.buffers.fifos[c].occupancy; ; {
		if b.packets[p].To == node {
			flits += n
		}
		if rest -= n; rest == 0 {
			return flits
		}
		p = b.notes[p].after
		n = min(rest, b.packets[p].Length)
	}
}

// storedOf returns the flits in FIFO c of the packet at its front.
func (b *Routers) storedOf(c int32) int32 {
	f := &b.buffers.fifos[c]
	return min(f.occupancy, max(f.flitsLeft, -f.flitsLeft))
}
