package router

import "contend/netsim/topology"

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
	b.buffers = newBuffers(b.w, &b.timing, b.most, b.view != nil)
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
	x.out[to>>6].held |= 1 << (to & 63)
	w.open |= bit
	if x.carries != nil && x.carries[x.link(to)] > e.now {
		w.open &^= bit
	}
	need := int32(1)
	if x.cut {
		need = x.left.get(from)
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
		e.emptied(at, set&x.credits.are(at, e.timing.Buffer))
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
		if v := &x.in[from>>6]; is(v.heads, from) && x.roomFor(o, x.left.get(from)) {
			v.room |= 1 << (from & 63)
			x.mark(from >> 6)
		}
	}
}

// emptied has the routers that send on channels of a set, of which they know now that the FIFOs at
// the other ends are empty, look at their waiting headers.
func (e *cycleEngine) emptied(at int, set uint64) {
	for set &^= e.x.out[at].nodes; set != 0; set &= set - 1 {
		r := e.w.Leaves(e.x.link(int32(at<<6 + first(set))))
		if e.requests[r].first != none {
			e.serveLater(int32(r), e.now)
		}
	}
}

// cameWhole has headers ask whose packets, stored and forwarded, are there as a whole now.
func (e *cycleEngine) cameWhole(h happening) {
	for set := h.set; set != 0; set &= set - 1 {
		s := h.at<<6 + int32(first(set))
		c := e.x.channel[s]
		if k := &e.vcs[c]; k.state == arriving && e.x.here.get(s) == e.x.left.get(s) {
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
	e.nominate()
	e.injectBodies()
	at := e.calendar.now(e.now)
	nodes := e.calendar.nodes[at]
	e.calendar.nodes[at] = nodes[:0]
	e.injectEach(nodes)
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
			if x.yield {
				if heads := able & w.heads & x.of(able&^w.heads); heads != 0 {
					able = x.yielding(at, able, heads)
				}
			}
			if x.speedup == 1 && x.budget == nil {
				able = x.firsts(able, w.ahead)
			} else if x.speedup > 0 {
				able = x.chosen(at, able)
			}
			if x.shift == 0 {
				w.sent = able // nobody else wants their channels
			}
			x.nominated = append(x.nominated, int32(at))
			x.nominees.unfold(at, able)
		}
	}
	fifos, out, asked := x.fifos, x.out, x.asked
	for _, from := range x.nominees.take() {
		s := uint32(fifos[from].wants)
		out[s>>6].asked |= 1 << (s & 63)
		asked[s>>12] |= 1 << (s >> 6 & 63)
	}
}

// yielding returns the FIFOs of a set without those of some headers that have to wait: another FIFO
// of the same port has a flit for the same output that is no header.
func (x *buffers) yielding(at int, able, heads uint64) uint64 {
	bodies, fifos := able&^x.in[at].heads, x.fifos[at<<6:][:64]
	for ; heads != 0; heads &= heads - 1 {
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
			set := w.asked
			if w.asked = 0; x.shift > 0 {
				set = x.firsts(set, w.ahead)
				w.ahead = x.past(w.ahead, set)
				x.senders.unfold(at, set)
			}
			if e.trace != nil {
				e.traceSent(at, set)
			}
			if x.carries != nil {
				e.occupy(at, set)
			}
			if set &= w.keeps; set != 0 {
				e.carry(at, set)
			}
		}
	}
	fifos, in := x.fifos, x.in
	for _, o := range x.senders.take() {
		from := uint32(fifos[o].behind)
		in[from>>6].sent |= 1 << (from & 63)
	}
}

// carry puts flits that are sent now on channels of a word on their links.
func (e *cycleEngine) carry(at int, set uint64) {
	x := e.x
	x.take(at, set)
	if x.counts.planes != nil {
		x.counts.add(at, set)
	}
	for _, k := range x.classesOf(at) {
		if some := set & k.set; some != 0 {
			x.arrivals.add(e.now+k.delay, at, some)
			e.calendar.at(e.now + k.delay)
		}
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
	x := e.x
	for _, at := range x.nominated {
		at := int(at)
		w := &x.in[at]
		sent := w.sent
		if sent == 0 {
			continue
		}
		w.sent = 0
		w.some &^= x.here.sub(at, sent)
		if x.counts.planes != nil {
			x.counts.sub(at, sent)
		}
		if x.speedup == 1 {
			w.ahead = x.past(w.ahead, sent)
		} else if x.speedup > 1 {
			w.ahead = x.past(w.ahead, x.lasts(sent, w.ahead))
		}
		for _, k := range x.classesOf(at) {
			if some := sent & k.set; some != 0 {
				x.returns.add(e.now+k.credit, at, some)
				e.calendar.at(e.now + k.credit)
			}
		}
		x.heads.unfold(at, sent&w.heads)
		w.heads &^= sent
		x.tails.unfold(at, x.left.sub(at, sent))
	}
	if len(x.nominated) > 0 {
		e.calendar.at(e.now + 1)
		e.sentHeads(x.heads.take())
		e.sentTails(x.tails.take())
	}
}

// traceSent tells of the flits that are sent now on channels of a word.
func (e *cycleEngine) traceSent(at int, set uint64) {
	for ; set != 0; set &= set - 1 {
		o := at<<6 + first(set)
		from := e.x.fifos[o].behind
		i := e.x.channel[from]
		k := &e.packets[e.vcs[i].packet]
		e.trace.Sent(e.now, e.x.channel[o], k.Number, k.Length-e.x.left.get(from), e.vcs[i].ready)
	}
}
