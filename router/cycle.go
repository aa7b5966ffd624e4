package router

import (
	"math/bits"

	"contend/netsim/topology"
)

// The cycle-driven engine moves flits in the cycle in which they are sent. It is exact for every
// network. What it asks of all virtual channels in each cycle are bits: see buffers. Wheels have the
// flits and credits that are under way; when they come, bits are set and counts go up, for all
// channels of a word at once. In a cycle every input port nominates, and then each link sends a
// flit of one of the nominees. So one flit costs two steps: from a FIFO to the channel it is
// nominated for, and from a channel that sends to the FIFO it sends from.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	x *buffers
}

func newCycleEngine(b *Routers) engine {
	b.buffers = newBuffers(b.w, &b.timing, b.view != nil)
	e := &cycleEngine{b, b.buffers}
	for node := range topology.Node(b.w.Nodes()) {
		for i := range b.ports(node) {
			for v := range b.w.NodeVirtualChannels {
				s := e.x.slots[b.w.injection[node]+Channel(i*b.w.NodeVirtualChannels+v)]
				e.x.fifos[s].behind = int32(int(node)*b.w.InjectionPorts + i)
			}
		}
	}
	return e
}

func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.tryNode(node, e.now)
	}
}

func (e *cycleEngine) ask(list int32) {
	if e.timing.Switching == StoreAndForward || e.only == nil {
		e.askEach(list)
		return
	}
	e.askOrdered(list)
	for _, o := range e.fresh {
		e.granted(o, Channel(e.vcs[o].holder))
	}
	e.fresh = e.fresh[:0]
}

func (e *cycleEngine) granted(o, i Channel) {
	x := e.x
	to, from := x.slots[o], x.slots[i]
	f, w, bit := &x.fifos[from], &x.in[from>>6], uint64(1)<<(from&63)
	f.wants, x.fifos[to].behind = to, from
	w.heads |= bit
	w.open |= bit
	if x.carries != nil && x.carries[x.link(to)] > e.now {
		w.open &^= bit
	}
	need := int32(1)
	if x.cut {
		need = -f.left
	}
	if x.roomFor(to, need) {
		w.room |= bit
	}
	x.mark(from >> 6)
}

func (e *cycleEngine) passed(o, before, i Channel) {
	s := e.x.slots[before]
	e.x.in[s>>6].room &^= 1 << (s & 63)
	e.granted(o, i)
}

func (e *cycleEngine) tally(int32) {}

// begin is what happens before stage 2: flits and credits arrive, and links are free again.
func (e *cycleEngine) begin() {
	x := e.x
	list := x.arrivals.on(e.now)
	for _, h := range *list {
		x.here.add(int(h.at), h.set)
		x.in[h.at].some |= h.set
		x.mark(h.at)
		if e.timing.Switching == StoreAndForward {
			e.cameWhole(h)
		}
	}
	*list = (*list)[:0]
	list = x.returns.on(e.now)
	for _, h := range *list {
		e.credited(int(h.at), h.set)
	}
	*list = (*list)[:0]
	if x.carries != nil {
		e.reopen()
	}
}

// credited has credits come back to channels of a word.
func (e *cycleEngine) credited(at int, set uint64) {
	x := e.x
	w := &x.out[at]
	x.credits.add(at, set)
	if e.escapes != nil {
		e.emptied(at, set)
	}
	came := set
	set &^= w.room
	w.room |= set
	if x.cut {
		e.creditedHeaders(at, came)
	}
	for n := set & w.nodes; n != 0; n &= n - 1 {
		e.roomAtNode(at<<6 + first(n))
	}
	for set &^= w.nodes; set != 0; set &= set - 1 {
		from := x.fifos[at<<6+first(set)].behind
		if v := &x.in[from>>6]; !x.cut || !is(v.heads, from) {
			v.room |= 1 << (from & 63)
			x.mark(from >> 6)
		}
	}
}

// creditedHeaders is credited for headers that need room for their packets.
func (e *cycleEngine) creditedHeaders(at int, set uint64) {
	x := e.x
	for ; set != 0; set &= set - 1 {
		o := int32(at<<6 + first(set))
		if is(x.out[at].nodes, o) {
			e.roomAtNode(int(o))
			continue
		}
		from := x.fifos[o].behind
		if v := &x.in[from>>6]; is(v.heads, from) && x.roomFor(o, -x.fifos[from].left) {
			v.room |= 1 << (from & 63)
			x.mark(from >> 6)
		}
	}
}

// emptied has the routers that send on channels of a set look at their waiting headers if the
// FIFO at the other end is known to be empty.
func (e *cycleEngine) emptied(at int, set uint64) {
	for ; set != 0; set &= set - 1 {
		s := int32(at<<6 + first(set))
		if l := e.x.link(s); e.w.kind[l] == Network && e.x.credits.get(s) == e.timing.Buffer {
			e.grant(e.w.Leaves(l), e.now)
		}
	}
}

// cameWhole has headers ask whose packets, stored and forwarded, are there as a whole now.
func (e *cycleEngine) cameWhole(h happening) {
	for set := h.set; set != 0; set &= set - 1 {
		s := h.at<<6 + int32(first(set))
		c := e.x.channel[s]
		if k := &e.vcs[c]; k.state == arriving && e.x.here.get(s) == -e.x.fifos[s].left {
			k.ready, k.state = e.now, routing
			e.routed(k, c)
		}
	}
}

// reopen has links carry flits again that were busy with the ones before, and has input ports
// send again that had sent as many as they may.
func (e *cycleEngine) reopen() {
	x := e.x
	list := x.reopened.on(e.now)
	for _, h := range *list {
		l := Link(h.at)
		if h.set == 0 { // it is the port at the end of the link
			x.budget[l]++
			x.mark(x.slot(l) >> 6)
			continue
		}
		for s := x.slot(l); s < x.slot(l)+1<<x.shift; s++ {
			if e.w.kind[l] == Injection {
				e.reopenNode(s)
				continue
			}
			from := x.fifos[s].behind
			x.in[from>>6].open |= 1 << (from & 63)
			x.mark(from >> 6)
		}
	}
	*list = (*list)[:0]
}

func (e *cycleEngine) send() {
	w := &e.calendar
	at := w.now(e.now)
	e.nominate()
	e.injectBodies()
	e.injectEach(w.nodes[at])
	w.nodes[at] = w.nodes[at][:0]
	e.sendEach()
	e.settle()
}

// nominate has every input port nominate those of its virtual channels that may send now: the
// first at or after its pointer, as many as it may send flits.
func (e *cycleEngine) nominate() {
	x := e.x
	x.nominated = x.nominated[:0]
	for k, words := range x.active {
		for ; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			w := &x.in[at]
			able := w.some & w.room & w.open
			if able == 0 {
				x.active[k] &^= words & -words
				continue
			}
			switch {
			case x.yield && able&w.heads != 0:
				able = x.yielding(at, able)
			}
			if x.speedup == 1 && x.budget == nil {
				able = x.firsts(able, w.ahead)
			} else if x.speedup > 0 {
				able = x.chosen(at, able)
			}
			x.nominated = append(x.nominated, int32(at))
			for fifos := x.fifos[at<<6:][:64]; able != 0; able &= able - 1 {
				s := uint32(fifos[first(able)].wants)
				x.out[s>>6].asked |= 1 << (s & 63)
				x.asked[s>>12] |= 1 << (s >> 6 & 63)
			}
		}
	}
}

// yielding returns the FIFOs of a set without those whose header has to wait: another FIFO of
// the same port has a flit for the same output that is no header.
func (x *buffers) yielding(at int, able uint64) uint64 {
	bodies, fifos := able&^x.in[at].heads, x.fifos[at<<6:][:64]
	for heads := able & x.in[at].heads & x.of(bodies); heads != 0; heads &= heads - 1 {
		head := heads & -heads
		l := x.link(fifos[first(heads)].wants)
		for same := bodies & x.of(head); same != 0; same &= same - 1 {
			if x.link(fifos[first(same)].wants) == l {
				able &^= head
			}
		}
	}
	return able
}

// chosen returns those of a set that their ports nominate, where ports may send several flits or
// not in each cycle.
func (x *buffers) chosen(at int, able uint64) (all uint64) {
	for n := range x.speedup {
		some := x.firsts(able, x.in[at].ahead)
		able &^= some
		for set := some; set != 0 && x.budget != nil; set &= set - 1 {
			l := x.link(int32(at<<6 + first(set)))
			if int32(x.budget[l]) <= n {
				some &^= set & -set
			}
		}
		all |= some
	}
	return all
}

// sendEach has each link that ports nominate for send a flit of one of the nominees: the next in
// turn.
func (e *cycleEngine) sendEach() {
	x := e.x
	for k, words := range x.asked {
		if words == 0 {
			continue
		}
		x.asked[k] = 0
		for ; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			w := &x.out[at]
			set := x.firsts(w.asked, w.ahead)
			w.asked, w.ahead = 0, x.past(w.ahead, set)
			if e.trace != nil {
				e.traceSent(at, set)
			}
			if kept := set & w.keeps; kept != 0 {
				x.take(at, kept)
				e.carry(at, kept)
			}
			if x.carries != nil {
				e.occupy(at, set)
			}
			for fifos := x.fifos[at<<6:][:64]; set != 0; set &= set - 1 {
				from := fifos[first(set)].behind
				x.in[from>>6].sent |= 1 << (from & 63)
				if f := &x.fifos[from]; f.left > 1 {
					f.left--
				} else {
					e.sentEnd(int32(at<<6+first(set)), from)
				}
			}
		}
	}
}

// carry puts the flits that are sent now on channels of a word on their links.
func (e *cycleEngine) carry(at int, set uint64) {
	x := e.x
	if x.alike {
		x.enter(e.now+e.timing.Link, at, set)
		return
	}
	for ; set != 0; set &= set - 1 {
		t := e.now + e.delay(x.channel[at<<6+first(set)])
		x.enter(t, at, set&-set)
		e.calendar.at(t)
	}
}

// occupy notes that links carry flits from now on, for longer than a cycle.
func (e *cycleEngine) occupy(at int, set uint64) {
	x := e.x
	for ; set != 0; set &= set - 1 {
		o := int32(at<<6 + first(set))
		l := x.link(o)
		x.carries[l] = e.now + e.flitTime(x.channel[o])
		x.reopenAt(&e.calendar, x.carries[l], l, 1)
		for s := x.slot(l); s < x.slot(l)+1<<x.shift; s++ {
			from := x.fifos[s].behind
			x.in[from>>6].open &^= 1 << (from & 63)
		}
		if x.budget == nil {
			continue
		}
		i := x.link(x.fifos[o].behind)
		if e.w.first[i+1]-e.w.first[i] > 1 { // others are not limited
			x.budget[i]--
			x.reopenAt(&e.calendar, e.now+e.flitTime(e.w.first[i]), i, 0)
		}
	}
}

// reopenAt enters a link that is busy until a cycle.
func (x *buffers) reopenAt(w *calendar, cycle int64, l Link, link uint64) {
	x.reopened.add(cycle, int(l), link)
	w.at(cycle)
}

// settle ends the cycle for the FIFOs that have sent: their flits leave, credits go back, and the
// pointers of their ports move past the last that sent.
func (e *cycleEngine) settle() {
	x, back := e.x, e.now+e.timing.Credit
	for _, at := range x.nominated {
		w := &x.in[at]
		sent := w.sent
		if sent == 0 {
			continue
		}
		w.sent = 0
		w.some &^= x.here.sub(int(at), sent)
		if x.counts.planes != nil {
			x.counts.sub(int(at), sent)
		}
		if x.speedup == 1 {
			w.ahead = x.past(w.ahead, sent)
		} else if x.speedup > 1 {
			w.ahead = x.past(w.ahead, x.lasts(sent, w.ahead))
		}
		if x.alike {
			x.returns.add(back, int(at), sent)
			continue
		}
		for ; sent != 0; sent &= sent - 1 {
			t := e.now + e.credit(x.channel[int(at)<<6+first(sent)])
			x.returns.add(t, int(at), sent&-sent)
			e.calendar.at(t)
		}
	}
	if len(x.nominated) > 0 {
		e.calendar.at(e.now + 1)
		if x.alike {
			e.calendar.at(e.now + e.timing.Link)
			e.calendar.at(back)
		}
	}
}

func (e *cycleEngine) traceSent(at int, set uint64) {
	for ; set != 0; set &= set - 1 {
		o := at<<6 + first(set)
		from := e.x.fifos[o].behind
		f, i := &e.x.fifos[from], e.x.channel[from]
		k := &e.packets[e.vcs[i].packet]
		e.trace.Sent(e.now, e.x.channel[o], k.Number, k.Length-max(f.left, -f.left), e.vcs[i].ready)
	}
}

// first returns the place of the first bit of a set.
func first(set uint64) int { return bits.TrailingZeros64(set) }
