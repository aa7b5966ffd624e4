package router

import "contend/router/topology"

// The cycle-driven engine moves flits in the cycle in which they are sent. It is exact for every
// network. What it asks of all virtual channels in each cycle are bits in words: see buffers.
// Wheels have the flits and credits that are under way; when they come, bits are set and counts go
// up. In a cycle every input port nominates, and then each link sends a flit of one of the
// nominees. So one flit costs two steps: from a FIFO to the channel it is nominated for, and from a
// channel that sends to the FIFO it sends from. Neither depends on how full FIFOs are by a jump
// that could not be predicted.

// cycleEngine implements engine.
type cycleEngine struct {
	*Routers
	x        *buffers
	granting []grant // of headers that may not be sent yet, where Timing.Allocation is above 0
}

// grant is a channel that the header at the head of a FIFO holds, and may be sent on from a cycle.
type grant struct {
	cycle   int64
	out, in Channel
}

func newCycleEngine(b *Routers) engine {
	b.buffers = newBuffers(b.w, &b.timing)
	t := &b.timing
	b.buffers.counted = b.view != nil
	plain := t.Links == nil && t.Flit == 1 && t.Switching == Wormhole && b.escapes == nil
	b.buffers.prompt = plain && t.Link == 1 && t.Credit == 1
	b.buffers.lone = plain && b.buffers.shift == 0
	return &cycleEngine{Routers: b, x: b.buffers}
}

func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.tryNode(node, e.now)
	}
}

func (e *cycleEngine) granted(o, i Channel) {
	if a := e.timing.Allocation; a > 0 {
		e.x.out[o>>6].held |= 1 << (o & 63)
		e.granting = append(e.granting, grant{e.now + a, o, i})
		e.calendar.at(e.now + a)
		return
	}
	e.ready(o, i)
}

// allocated has the headers be sent whose allocation is over.
func (e *cycleEngine) allocated() {
	n := 0
	for ; n < len(e.granting) && e.granting[n].cycle <= e.now; n++ {
		k := e.granting[n]
		if e.ready(k.out, k.in); e.waits != nil {
			e.waits.allocated(k.in, e.vcs[k.in].ready, e.timing.Allocation)
		}
	}
	e.granting = append(e.granting[:0], e.granting[n:]...)
}

// ready has the header at the head of FIFO i, which holds channel o, be sent when it can.
func (e *cycleEngine) ready(o, i Channel) {
	x := e.x
	to, from := int32(o), int32(i)
	f, w, bit := &x.fifos[from], &x.in[from>>6], uint64(1)<<(from&63)
	f.wants, x.fifos[to].behind = to, from
	x.out[to>>6].held |= 1 << (to & 63)
	if e.waits != nil {
		e.waits.crowded[o] = !x.roomFor(to, x.need(f))
	}
	if x.lone {
		if x.fifos[to].credits > 0 {
			x.tries = append(x.tries, to)
		}
		return
	}
	w.open |= bit
	if x.carries != nil && x.carries[x.link(to)] > e.now {
		w.open &^= bit
	}
	if x.roomFor(to, x.need(f)) {
		w.room |= bit
		x.mark(from)
	}
}

// need returns the room that the packet at the head of a FIFO needs to go on.
func (x *buffers) need(f *fifo) int32 {
	if x.cut && f.left < 0 {
		return -f.left
	}
	return 1
}

func (e *cycleEngine) passed(o, before, i Channel) {
	x := e.x
	if e.timing.Allocation > 0 {
		for k := range e.granting { // it is one of this cycle
			if g := &e.granting[k]; g.out == o {
				g.in = i
			}
		}
		return
	}
	if x.lone { // the channel will send or not, whoever holds it
		from, to := int32(i), int32(o)
		x.fifos[from].wants, x.fifos[to].behind = to, from
		return
	}
	x.in[before>>6].room &^= 1 << (before & 63)
	e.granted(o, i)
}

func (e *cycleEngine) tally(int32) {}

// begin is what happens before stage 2: flits and credits arrive, and links are free again.
func (e *cycleEngine) begin() {
	x := e.x
	if len(e.granting) > 0 {
		e.allocated()
	}
	if x.lone {
		e.beginLone()
		return
	}
	fifos, in, few := x.fifos, x.in, x.few
	arrivals := x.arrivals.on(e.now).take()
	for _, s := range arrivals {
		fifos[s].here++
		in[s>>6].some |= 1 << (s & 63)
		if !few {
			x.mark(s)
		}
	}
	if x.whole {
		e.cameWhole(arrivals)
	}
	returns := x.returns.on(e.now).take()
	if x.cut {
		e.creditedSlowly(returns)
	} else {
		for _, s := range returns {
			f := &fifos[s]
			f.credits++
			i := f.behind
			in[i>>6].room |= 1 << (i & 63)
			if !few {
				x.mark(i)
			}
			if f.credits == 1 && i == x.spare {
				e.credited(s, e.now)
			}
		}
	}
	if e.escapes != nil {
		e.emptied(returns)
	}
	if x.carries != nil {
		e.reopen()
	}
}

// credited has a node look at a channel, whose slot is given, on which it knows of a place from a
// cycle on.
func (e *cycleEngine) credited(s int32, cycle int64) {
	if l := e.x.link(s); e.w.kind[l] == Injection {
		e.roomAtNode(l, cycle)
	}
}

// creditedSlowly has credits come back where headers need room for their packets.
func (e *cycleEngine) creditedSlowly(list []int32) {
	x := e.x
	for _, s := range list {
		f := &x.fifos[s]
		f.credits++
		e.credited(s, e.now)
		if i := f.behind; i != x.spare && f.credits >= x.need(&x.fifos[i]) {
			x.in[i>>6].room |= 1 << (i & 63)
			x.mark(i)
		}
	}
}

// emptied has routers look at their waiting headers that know now that a FIFO is empty, of those to
// which credits have come back.
func (e *cycleEngine) emptied(list []int32) {
	for _, s := range list {
		if e.x.fifos[s].credits < e.timing.Buffer || e.w.kind[e.x.link(s)] != Network {
			continue
		}
		if r := int32(e.w.Leaves(e.x.link(s))); e.requests[r].first != none {
			e.serveLater(r, e.now)
		}
	}
}

// cameWhole has headers ask whose packets, stored and forwarded, are there as a whole now.
func (e *cycleEngine) cameWhole(list []int32) {
	for _, s := range list {
		f := &e.x.fifos[s]
		if k := &e.vcs[s]; k.state == arriving && f.here == -f.left {
			k.ready, k.state = e.now, routing
			e.routed(k, Channel(s))
		}
	}
}

// reopen has links carry flits again that were busy with the ones before, and has input ports
// send again that had sent as many as they may.
func (e *cycleEngine) reopen() {
	x := e.x
	for _, l := range x.reopened.on(e.now).take() {
		switch {
		case l < 0: // it is the port at the end of a link
			x.budget[^l]++
			x.mark(x.slot(Link(^l / x.ports)))
		case e.w.kind[l] == Injection:
			e.sendOn(e.port(Link(l)), e.now)
		default:
			for s := x.slot(Link(l)); s < x.slot(Link(l+1)); s++ {
				from := x.fifos[s].behind
				x.in[from>>6].open |= 1 << (from & 63)
				x.mark(from)
			}
		}
	}
}

func (e *cycleEngine) send() {
	if e.x.lone {
		e.sendLone()
		return
	}
	e.nominate()
	e.inject()
	if len(e.x.nominated) > 0 {
		e.sendEach(e.choose())
		e.calendar.at(e.now + 1)
	}
}

// nominate has every input port nominate those of its virtual channels that may send now: the
// first at or after its pointer, as many as it may send flits. Where outputs come first, all.
func (e *cycleEngine) nominate() {
	x := e.x
	x.nominated = x.nominated[:0]
	if x.few {
		for at := range x.in {
			x.nominateIn(at, &x.in[at])
		}
		return
	}
	for k, words := range x.active {
		for ; words != 0; words &= words - 1 {
			if at := k<<6 + first(words); !x.nominateIn(at, &x.in[at]) {
				x.active[k] &^= words & -words
			}
		}
	}
}

// nominateIn is nominate for the ports of a word. It reports whether there are nominees.
func (x *buffers) nominateIn(at int, w *inputWord) bool {
	able := w.some & w.room & w.open
	if able == 0 {
		return false
	}
	if x.yield {
		if heads := able & w.heads & x.of(able&^w.heads); heads != 0 {
			able = x.yielding(at, able, heads)
		}
	}
	switch {
	case x.speedup == 0:
	case x.islip != nil:
		able = x.within(at, able, 0)
	case x.speedup == 1 && x.budget == nil:
		able = x.firsts(able, w.ahead)
	default:
		able = x.chosen(at, able)
	}
	x.nominated = append(x.nominated, int32(at))
	x.nominees.unfold(at, able)
	return true
}

// yielding returns the FIFOs of a set without those of some headers that have to wait: another FIFO
// of the same port has a flit for the same output that is no header.
func (x *buffers) yielding(at int, able, heads uint64) uint64 {
	bodies, fifos := able&^x.in[at].heads, x.fifos[at<<6:][:64]
	for ; heads != 0; heads &= heads - 1 {
		head := heads & -heads
		l := x.link(fifos[first(heads)].wants)
		for same := bodies & x.of(head); same != 0; same &= same - 1 {
			body := first(same)
			if x.link(fifos[body].wants) == l && x.port(int32(body)) == x.port(int32(first(head))) {
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
		all |= x.within(at, some, n)
	}
	return all
}

// within returns those of a set whose ports may still send more than n flits.
func (x *buffers) within(at int, some uint64, n int32) uint64 {
	for set := some; set != 0 && x.budget != nil; set &= set - 1 {
		if int32(x.budget[x.port(int32(at<<6+first(set)))]) <= n {
			some &^= set & -set
		}
	}
	return some
}
