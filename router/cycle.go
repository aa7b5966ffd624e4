package router

import (
	"slices"

	"contend/netsim/topology"
)

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
	x *buffers
}

func newCycleEngine(b *Routers) engine {
	b.buffers = newBuffers(b.w, &b.timing)
	t := &b.timing
	b.buffers.counted = b.view != nil
	plain := t.Links == nil && t.Flit == 1 && t.Switching == Wormhole && b.escapes == nil
	b.buffers.prompt = plain && t.Link == 1 && t.Credit == 1
	b.buffers.lone = plain && b.buffers.shift == 0
	return &cycleEngine{b, b.buffers}
}

func (e *cycleEngine) offered(_ Channel, node topology.Node, first bool) {
	if first || e.w.InjectionPorts > 1 {
		e.tryNode(node, e.now)
	}
}

func (e *cycleEngine) ask(list int32) {
	if e.x.whole || e.only == nil {
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
	if x.lone { // the channel will send or not, whoever holds it
		from, to := x.slots[i], x.slots[o]
		x.fifos[from].wants, x.fifos[to].behind = to, from
		return
	}
	s := x.slots[before]
	x.in[s>>6].room &^= 1 << (s & 63)
	e.granted(o, i)
}

func (e *cycleEngine) tally(int32) {}

// begin is what happens before stage 2: flits and credits arrive, and links are free again.
func (e *cycleEngine) begin() {
	x := e.x
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
	if x.cut || e.escapes != nil {
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

// creditedSlowly has credits come back where headers need room for their packets, or ask for
// channels whose FIFOs are empty.
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
		if e.escapes != nil && f.credits == e.timing.Buffer {
			e.emptied(x.link(s))
		}
	}
}

// emptied has the router that sends on a link look at its waiting headers: it knows now that the
// FIFO of a virtual channel of the link is empty.
func (e *cycleEngine) emptied(l Link) {
	if e.w.kind[l] != Network {
		return
	}
	if r := int32(e.w.Leaves(l)); e.requests[r].first != none {
		e.serveLater(r, e.now)
	}
}

// cameWhole has headers ask whose packets, stored and forwarded, are there as a whole now.
func (e *cycleEngine) cameWhole(list []int32) {
	for _, s := range list {
		c, f := e.x.channel[s], &e.x.fifos[s]
		if k := &e.vcs[c]; k.state == arriving && f.here == -f.left {
			k.ready, k.state = e.now, routing
			e.routed(k, c)
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
			x.mark(x.slot(Link(^l)))
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
// first at or after its pointer, as many as it may send flits.
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
	if x.speedup == 1 && x.budget == nil {
		able = x.firsts(able, w.ahead)
	} else if x.speedup > 0 {
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

// choose returns the channels that send: of those of a link that nominees want, the next in turn.
// Where links have one virtual channel each, nobody else wants the channel that a nominee holds.
func (e *cycleEngine) choose() []int32 {
	x := e.x
	list, fifos := x.nominees.take(), x.fifos
	if x.shift == 0 {
		for k, from := range list {
			list[k] = fifos[from].wants
		}
		return list
	}
	out, asked := x.out, x.asked
	for _, from := range list {
		s := fifos[from].wants
		out[s>>6].asked |= 1 << (s & 63)
		asked[s>>12] |= 1 << (s >> 6 & 63)
	}
	for k, words := range asked {
		if words == 0 {
			continue
		}
		for asked[k] = 0; words != 0; words &= words - 1 {
			at := k<<6 + first(words)
			w := &out[at]
			set := x.firsts(w.asked, w.ahead)
			w.asked, w.ahead = 0, x.past(w.ahead, set)
			x.senders.unfold(at, set)
		}
	}
	return x.senders.take()
}

// sendEach sends a flit on each of a list of channels.
func (e *cycleEngine) sendEach(list []int32) {
	x := e.x
	x.ends = slices.Grow(x.ends[:0], len(list))[:len(list)]
	if e.trace != nil {
		e.traceSent(list)
	}
	if x.prompt {
		e.movePrompt(list)
	} else {
		e.move(list)
	}
	if x.speedup > 0 {
		x.turnPointers()
	}
	if x.carries != nil {
		e.occupy(list)
	}
	e.sentEnds()
}

// move sends a flit on each of a list of channels.
func (e *cycleEngine) move(list []int32) {
	x := e.x
	fifos, in, ends, n := x.fifos, x.in, x.ends, 0
	for _, o := range list {
		to := &fifos[o]
		i := to.behind
		from, w := &fifos[i], &in[i>>6]
		here, room := from.here-1, to.credits-to.keeps
		from.here, to.credits = here, room
		w.sent |= 1 << (i & 63)
		// The last flit of the FIFO has left, or the last place of the next one been taken.
		w.some &^= below(here, 1) << (i & 63)
		w.room &^= below(room, 1) << (i & 63)
		// It was a header, whose packet has a negative number of flits left, or the tail.
		ends[n] = i
		n += int(below(from.left, 2))
		from.left--
	}
	x.ends = ends[:n]
	if x.alike {
		e.onTheirWay(list)
		return
	}
	x.countEach(list)
	for _, o := range list {
		e.onItsWay(o, fifos[o].behind)
	}
}

// countEach counts flits that are sent now on channels of a list, where they are counted.
func (x *buffers) countEach(list []int32) {
	if !x.counted {
		return
	}
	for _, o := range list {
		to := &x.fifos[o]
		to.count += to.keeps
		x.fifos[to.behind].count--
	}
}

// onTheirWay puts flits on their way on channels of a list, and credits on their way back, where
// all links are alike.
func (e *cycleEngine) onTheirWay(list []int32) {
	x, fifos := e.x, e.x.fifos
	x.countEach(list)
	coming := x.arrivals.grown(e.now+e.timing.Link, len(list))
	back := x.returns.grown(e.now+e.timing.Credit, len(list))
	flits, credits, c := coming.n, back.n, 0
	for k, o := range list {
		to := &fifos[o]
		coming.list[flits+c] = o
		c += int(to.keeps)
		back.list[credits+k] = to.behind
	}
	coming.n, back.n = flits+c, credits+len(list)
	e.calendar.at(e.now + e.timing.Link)
	e.calendar.at(e.now + e.timing.Credit)
}

// onItsWay puts a flit on its way from FIFO i on channel o, and a credit on its way back.
func (e *cycleEngine) onItsWay(o, i int32) {
	x := e.x
	if x.fifos[o].keeps != 0 {
		e.carry(o)
	}
	t := e.now + e.credit(x.channel[i])
	x.returns.add(t, i)
	e.calendar.at(t)
}

// movePrompt is move where flits and credits take a cycle, as by default. What ports nominate in
// this cycle is known already, so they may arrive at once.
func (e *cycleEngine) movePrompt(list []int32) {
	x := e.x
	fifos, in, few := x.fifos, x.in, x.few
	ends, n := x.ends, 0
	for _, o := range list {
		to := &fifos[o]
		i := to.behind
		from, w := &fifos[i], &in[i>>6]
		before, keeps := from.behind, to.keeps
		here, room := from.here-1, to.credits-keeps
		from.here, to.credits = here, room
		to.here += keeps
		from.credits++
		w.sent |= 1 << (i & 63)
		w.some &^= below(here, 1) << (i & 63)
		w.room &^= below(room, 1) << (i & 63)
		in[o>>6].some |= uint64(keeps) << (o & 63)
		in[before>>6].room |= 1 << (before & 63)
		ends[n] = i
		n += int(below(from.left, 2))
		from.left--
		if !few {
			x.mark(o)
			x.mark(before)
		}
		if before == x.spare && from.credits == 1 {
			e.credited(i, e.now+1)
		}
	}
	x.ends = ends[:n]
}

// below is 1 if a is less than b, which both are small, and else 0.
func below(a, b int32) uint64 { return uint64(uint32(a-b) >> 31) }

// carry puts a flit on its way on a channel.
func (e *cycleEngine) carry(o int32) {
	if x := e.x; x.prompt {
		x.fifos[o].here++
		if x.lone {
			x.tryLone(&x.fifos[o])
		} else {
			x.in[o>>6].some |= 1 << (o & 63)
			x.mark(o)
		}
		e.calendar.at(e.now + 1)
		return
	}
	t := e.now + e.delay(e.x.channel[o])
	e.x.arrivals.add(t, o)
	e.calendar.at(t)
}

// occupy notes that the links of some channels carry flits from now on, for longer than a cycle.
func (e *cycleEngine) occupy(list []int32) {
	x := e.x
	for _, o := range list {
		l := x.link(o)
		x.carries[l] = e.now + e.flitTime(x.channel[o])
		e.reopenAt(x.carries[l], int32(l))
		i := x.link(x.fifos[o].behind)
		for s := x.slot(l); s < x.slot(l+1); s++ {
			from := x.fifos[s].behind
			x.in[from>>6].open &^= 1 << (from & 63)
		}
		if x.budget != nil && e.w.first[i+1]-e.w.first[i] > 1 { // others are not limited
			x.budget[i]--
			e.reopenAt(e.now+e.flitTime(e.w.first[i]), ^int32(i))
		}
	}
}

// reopenAt enters a link that is busy until a cycle, or a port.
func (e *cycleEngine) reopenAt(cycle int64, l int32) {
	e.x.reopened.add(cycle, l)
	e.calendar.at(cycle)
}

// turnPointers moves the pointers of input ports past the last of their virtual channels that sent.
func (x *buffers) turnPointers() {
	for _, at := range x.nominated {
		w := &x.in[at]
		last := w.sent
		if x.speedup > 1 {
			last = x.lasts(last, w.ahead)
		}
		w.ahead, w.sent = x.past(w.ahead, last), 0
	}
}

// traceSent tells of the flits that are sent now on channels of a list.
func (e *cycleEngine) traceSent(list []int32) {
	x := e.x
	for _, o := range list {
		f, i := &x.fifos[x.fifos[o].behind], x.channel[x.fifos[o].behind]
		k := &e.packets[e.vcs[i].packet]
		e.trace.Sent(e.now, x.channel[o], k.Number, k.Length-max(f.left, -f.left), e.vcs[i].ready)
	}
}
