package router

import "contend/router/topology"

// The closed form of the worm engine does without body flits. Where a FIFO is
// deep enough for full throughput (B·F >= D + C) and every packet's length is a
// multiple of B, the time flit j of a packet is sent on its k-th channel follows
// from when its header was sent on that and the next channels:
//
//	s(j,k) = max over m = 0 .. floor(j/B) of s(0,k+m) + m·C + (j - m·B)·F
//
// (a longest path in the recurrence: m places given back from m channels ahead,
// the other steps flit after flit; a step to a channel ahead and a place given
// back together are never longer than B flits after each other). So a header
// sent on channel k settles when the tail is sent on channel k - floor((L-1)/B),
// and one sent to the node settles it for all channels that are left. The last B
// flits of a packet follow each other at the full rate, so the next packet's
// first B flits never find a place taken once its header has found one; and when
// they leave a FIFO is known all at once, so one time a FIFO says it all, and a
// header never waits behind another packet's flits whose going is not known. The
// work is that of headers, whatever the length of packets.
//
// Where D + R >= B·F - C, as in the defaults and in single-flit buffers, a header
// takes longer from channel to channel than the terms above lose, so the last one
// is the greatest and the earlier times need not be known.
//
// Delays D and credits C may differ from link to link as long as all links have one F and
// every link to a router has B·F >= D + C of its own. A path in the recurrence from the
// header on one channel to flit j on channel k is made of steps from flit to flit, of steps
// ahead over a link (D of that link) and of places given back over a link (C of that link,
// B flits on). A path that crosses a link ahead and back crosses some link ahead and back
// with nothing but steps from flit to flit in between, and these are as long on any channel:
// so D + C <= B·F of that link lets B such steps take the place of the two. What is left
// goes back only, and m·C becomes the sum of C over the m links from channel k on, or goes
// ahead only, and is no longer than the header's own way. With more than one F a slow link
// behind a header would set the pace of its packet's flits ahead, and a fast one the next
// packet's: worm.go counts those flit by flit.

// closedEngine implements engine.
type closedEngine struct{ *Routers }

func (e closedEngine) offered(c Channel, node topology.Node, first bool) {
	if first {
		e.injectHead(c, node)
	}
}

func (e closedEngine) receive() {}

func (e closedEngine) computeRoutes(list int32) {
	if e.outputVC != nil {
		e.requestOutputs(list)
	} else {
		e.computeEachRoute(list)
	}
}

func (e closedEngine) granted(o, _ Channel) { e.newGrants = append(e.newGrants, o) }

func (e closedEngine) handOver(_, _, _ Channel) {}

func (e closedEngine) send() { e.sendHeads() }

func (e closedEngine) updatePacket(p int32) { e.copyProgress(p, 0) }

// progress is what the closed form remembers of a packet.
type progress struct {
	blocked int64 // as in Packet, which learns of it at the end
	// the channel the tail was settled on last; before that the complement of the injection channel
	last   int32
	next   int32 // channels the header has been sent on
	steps  int32 // channels ahead of the tail's that settle it: floor((L-1)/B)
	length int32 // L
	job    int32 // whose packet it is
	goal   int32 // where it goes: a place on a mesh of two dimensions, elsewhere a node
}

// closed is the state of the closed form.
type closed struct {
	progress      []progress // of each packet
	tailAdvance   int64      // B·F - C
	spaceDelay    int64      // from when a tail left a FIFO until there is room for a header: C - (B-1)·F
	mask          int32      // length of a ring of times, less one
	inlineRouting bool       // startMost knows all that has to be done
	// when the header of packet p was sent on the last channels, from p·(mask+1); nil where the last
	// will do
	times      []int64
	creditSums []creditSum // of each packet, where links differ
	recording  *recording  // nil where nobody is told of flits
}

// way has sums of the credits of the links on a packet's way, from its node on.
type creditSum struct {
	sent    int64 // of the links before that on which the header was sent last
	last    int64 // that link's own
	settled int64 // of the links before that on which the tail is settled
}

// ClosedFormIsExact reports whether the closed form gives the times of packets
// of all the given lengths.
func ClosedFormIsExact(w *Wiring, x Routing, t Timing, lengths ...int32) bool {
	t = t.normalized()
	ok := WormsAreExact(w, x, t)
	for l := range Link(w.Links()) {
		k := t.on(l)
		ok = ok && int64(k.Flit) == t.Flit && (w.kind[l] == Ejection ||
			int64(t.Buffer)*t.Flit >= int64(k.Delay)+int64(k.Credit))
	}
	for _, l := range lengths {
		ok = ok && l%t.Buffer == 0
	}
	return ok
}

// newClosed returns the state of the closed form. Where links differ their credits are added
// one by one, and all times are remembered: so what that takes costs nothing where they do not.
func newClosed(most int32, t Timing) *closed {
	c := &closed{tailAdvance: int64(t.Buffer)*t.Flit - t.Credit}
	if t.Links != nil {
		c.tailAdvance, c.creditSums = int64(t.Buffer)*t.Flit, []creditSum{}
	}
	c.spaceDelay = t.Flit - c.tailAdvance
	if t.Links != nil || t.Link+t.Routing < c.tailAdvance {
		c.remember(most, t.Buffer)
	}
	return c
}

// remember has the times of a packet's last headers kept, as many as settle a tail.
func (c *closed) remember(most, buffer int32) {
	c.inlineRouting = false
	for c.times = []int64{}; c.mask < (most-1)/buffer; {
		c.mask = 2*c.mask + 1
	}
}

// begin makes room for packet p, on its way from an injection channel to a goal.
func (c *closed) add(p int32, k *Packet, buffer int32, from Channel, goal int32) {
	for int32(len(c.progress)) <= p {
		c.progress = append(c.progress, progress{})
		if c.times != nil {
			c.times = append(c.times, make([]int64, c.mask+1)...)
		}
	}
	if c.creditSums != nil {
		for int32(len(c.creditSums)) <= p {
			c.creditSums = append(c.creditSums, creditSum{})
		}
		c.creditSums[p] = creditSum{}
	}
	c.progress[p] = progress{last: ^int32(from), steps: (k.Length - 1) / buffer, length: k.Length,
		job: k.Job, goal: goal}
}

// remembered notes when the header of packet p is sent on its next channel o, and returns the
// time that a flit takes on it. Where links differ the time has the credits of those before in it.
func (b *Routers) recordHead(p int32, w *progress, o Channel, t int64) (delay int64) {
	c := b.closed
	if c.creditSums != nil {
		k := &c.creditSums[p]
		k.sent += k.last
		if k.last = 0; !b.vcs[o].sink() {
			k.last = int64(b.linkTimings[o].Credit)
		}
		t += k.sent
	}
	c.times[p*(c.mask+1)+w.next&c.mask] = t
	return b.delay(o)
}

// measured copies into packet p what its progress knows: 1 for ejected where its header
// has been sent to its node, 0 where not.
func (b *Routers) copyProgress(p, ejected int32) {
	k, w := &b.packets[p], &b.closed.progress[p]
	k.Blocked, k.Hops = w.blocked, w.next-1-ejected
}
