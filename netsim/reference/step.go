package reference

import (
	"cmp"
	"math"

	"contend/router"
)

// A cycle of the reference model: all flits are sent at once.

// Step simulates one cycle.
func (r *Model) Step() {
	r.allocate()
	r.noteTurns()
	var moves []func()
	chosen, used := r.inputArbitration(), map[router.Channel]Cycle{}
	for l := range router.Link(r.w.Links()) {
		if r.links[l].nextSend > r.now {
			continue
		}
		first := r.w.First(l)
		if r.w.Kind(l) == router.Injection {
			from := r.source(l)
			p := r.ports[l]
			if p == nil && len(r.queue[from]) > 0 && r.now >= r.restsUntil[from] {
				p = r.queue[from][0]
			}
			if v, ok := r.injectionVC(l, p); ok {
				if p.flitsSent == 0 { // it holds this port from now on
					if p.injected = r.now; p.turn < 0 {
						p.turn = r.now
					}
					r.restsUntil[from] = r.now + Cycle(math.Ceil(float64(p.length)*r.c.InjectionFlitCycles))
					r.ports[l], r.queue[from], r.lastVC[l] = p, r.queue[from][1:], v
				}
				moves = append(moves, func() {
					r.transfer(first+router.Channel(v), refFlit{p: p, index: p.flitsSent})
					if p.flitsSent++; p.flitsSent == p.length {
						r.ports[l] = nil
					}
				})
			}
			continue
		}
		n := r.vcsOf(l)
		for k := range n {
			turn := (r.links[l].lastVC + 1 + k) % n
			if i, ok := r.sendable(first + router.Channel(turn)); ok && chosen[i] {
				if o := first + router.Channel(turn); !r.c.PacketsHoldLinks {
					used[i] = r.now + r.flitTime(i)
				} else if f := r.vcs[i].fifo[0]; f.index == 0 {
					used[i] = r.now + Cycle(f.p.length)*r.flitTime(o)
				}
				moves = append(moves, func() {
					r.links[l].lastVC = turn
					r.forward(i,
						first+router.Channel(turn))
				})
				break
			}
			if k == n-1 && r.links[l].nextHead > r.now {
				panic("reference: a packet that holds a link has no flit for it")
			}
		}
	}
	for _, f := range moves {
		f()
	}
	r.advancePointers(used)
	r.now++
	for i := range r.vcs {
		r.routeNext(&r.vcs[i])
	}
}

// flitTime returns the cycles a flit takes on the link of channel o.
func (r *Model) flitTime(o router.Channel) Cycle { return Cycle(r.timings[r.w.LinkOf(o)].Flit) }

// sendable returns the input FIFO from which a flit may be sent on channel o now.
func (r *Model) sendable(o router.Channel) (router.Channel, bool) {
	for i := range r.vcs {
		v := &r.vcs[i]
		if v.outputVC == o {
			if len(v.fifo) == 0 || v.fifo[0].at > r.now || r.now < v.mayBeSent {
				return 0, false
			}
			f := v.fifo[0]
			if r.c.PacketsHoldLinks && f.index == 0 && (r.links[r.w.LinkOf(o)].nextHead > r.now ||
				r.dryUntil(router.Channel(i)) > r.now) {
				return 0, false
			}
			accepts := r.w.Kind(r.w.LinkOf(o)) == router.Ejection && r.c.EjectionCreditCycles == 0
			return router.Channel(i), accepts || r.hasCredits(o, r.creditsNeeded(f.p, f.index))
		}
	}
	return 0, false
}

// dryUntil returns the cycle before which the head at the front of FIFO i, which holds a channel,
// would be sent so soon, with PacketsHoldLinks, that the tail comes late.
func (r *Model) dryUntil(i router.Channel) Cycle {
	f := r.vcs[i].fifo[0]
	tail := f.at + Cycle(f.p.length-1)*r.flitTime(i)
	return tail - Cycle(f.p.length-1)*r.flitTime(r.vcs[i].outputVC)
}

// allocates reports whether the flit at the front of FIFO i takes part in switch allocation.
func (r *Model) allocates(i router.Channel) bool {
	return !r.c.PacketsHoldLinks || r.vcs[i].fifo[0].index == 0
}

// hasCredits reports whether the sender of c has credits for need flits.
func (r *Model) hasCredits(c router.Channel, need int) bool {
	v := &r.vcs[c]
	for k := range need {
		if n := v.sent + k - r.c.BufferFlits; n >= 0 && (n >= len(v.departures) ||
			v.departures[n]+Cycle(r.timings[r.w.LinkOf(c)].Credit) > r.now) {
			return false
		}
	}
	return true
}

// creditsNeeded returns the credits that a flit of a packet needs: those for the whole packet for a
// head under cut-through.
func (r *Model) creditsNeeded(p *refPacket, index int) int {
	if index == 0 && r.c.Switching == router.VirtualCutThrough {
		return p.length
	}
	return 1
}

// forward sends the flit at the front of FIFO i on channel o.
func (r *Model) forward(i, o router.Channel) {
	v := &r.vcs[i]
	f := v.fifo[0]
	if f.index == 0 {
		q, _ := r.requestsFrom(i)
		f.p.blocked += r.now - q - Cycle(r.c.VCAllocCycles)
		if r.c.PacketsHoldLinks {
			f.p.blocked -= max(0, r.dryUntil(i)-v.mayBeSent)
			r.links[r.w.LinkOf(o)].nextHead = r.now + Cycle(f.p.length)*r.flitTime(o)
		}
		if r.w.Kind(r.w.LinkOf(o)) == router.Network {
			f.p.hops++
		}
	}
	v.fifo = v.fifo[1:]
	v.departures = append(v.departures, r.now)
	r.transfer(o, f)
	if f.index == f.p.length-1 {
		v.packet, v.outputVC, v.offered = nil, -1, nil
		r.vcs[o].holder, r.vcs[o].freeAt = nil, r.now+r.flitTime(o)
	}
}

// transfer puts a flit that is sent on channel o in the far FIFO, or delivers it.
func (r *Model) transfer(o router.Channel, f refFlit) {
	l := r.w.LinkOf(o)
	r.links[l].nextSend = r.now + r.flitTime(o)
	r.sent = append(r.sent, Sending{r.now, o, f.p.number, int32(f.index)})
	f.at = r.now + Cycle(r.timings[l].Delay)
	if r.w.Kind(l) == router.Ejection {
		if r.c.EjectionCreditCycles > 0 { // a FIFO that the flit leaves as it arrives
			r.vcs[o].sent++
			r.vcs[o].departures = append(r.vcs[o].departures, f.at)
		}
		if f.index == f.p.length-1 {
			f.p.delivered = f.at
			r.done = append(r.done, f.p)
		}
		return
	}
	v := &r.vcs[o]
	v.sent++
	v.fifo = append(v.fifo, f)
}

// routeNext sets the packet of a VC whose head has come to the front of its FIFO.
func (r *Model) routeNext(v *refVC) {
	if v.packet == nil && len(v.fifo) > 0 {
		v.packet = v.fifo[0].p
		v.headAt = v.fifo[0].at
		if n := len(v.departures); n > 0 {
			v.headAt = max(v.headAt, v.departures[n-1]+1)
		}
	}
}

// Rule 1b of the reference model: switch allocation.

// refInput is an input port of a router: a physical channel that ends at it, or one of S ports that
// have its virtual channels in turn if they are matched with outputs.
type refInput struct {
	pointer int     // virtual channel at which the search for nominees begins
	last    int     // output that it was matched with last
	until   []Cycle // for each flit, or packet, that it has sent: when that ceases to count
}

// limited reports whether rule 1b limits the port of virtual channel i.
func (r *Model) limited(i router.Channel) bool {
	return r.c.InputSpeedup > 0 && r.w.Width(r.w.LinkOf(i)) > 1
}

// port returns the number of the input port that sends from virtual channel i.
func (r *Model) port(i router.Channel) int {
	l := r.w.LinkOf(i)
	return int(l)*r.portsPerLink + int(i-r.w.First(l))%r.portsPerLink
}

// inputArbitration returns the input virtual channels that are nominated in this cycle, or the
// channels that send if ports are matched.
func (r *Model) inputArbitration() map[router.Channel]bool {
	could := map[router.Channel]bool{}
	for o := range router.Channel(len(r.vcs)) {
		l := r.w.LinkOf(o)
		if r.w.Kind(l) == router.Injection || r.links[l].nextSend > r.now {
			continue
		}
		if i, ok := r.sendable(o); ok {
			could[i] = true
		}
	}
	r.vain = map[router.Channel]bool{}
	for _, i := range r.speculating {
		if !could[i] && r.links[r.output(i)].nextSend <= r.now {
			could[i], r.vain[i] = true, true
		}
	}
	if r.c.HeadersYield {
		could = r.withoutYieldingHeads(could)
	}
	if r.c.SwitchAllocator != router.InputFirst {
		chosen := r.matchPorts(could)
		for i := range r.vain {
			r.vain[i] = chosen[i]
			delete(chosen, i)
		}
		return chosen
	}
	chosen := map[router.Channel]bool{}
	for i := range could {
		if !r.limited(i) || !r.allocates(i) {
			chosen[i] = true
		}
	}
	for l := range router.Link(r.w.Links()) {
		first, n := r.w.First(l), r.vcsOf(l)
		if !r.limited(first) {
			continue
		}
		in, left := &r.inputs[l], r.budget(first)
		for k := 0; k < n && left > 0; k++ {
			if i := first + router.Channel((in.pointer+k)%n); could[i] && r.allocates(i) {
				chosen[i] = true
				left--
			}
		}
	}
	return chosen
}

// matchPorts returns the input virtual channels that send in this cycle if outputs offer themselves
// to input ports round-robin, and these accept one of the offers round-robin, or with
// SeparableInputFirst with exchanged roles.
func (r *Model) matchPorts(could map[router.Channel]bool) map[router.Channel]bool {
	n, ports := r.w.Links(), len(r.inputs)
	output := r.output
	portTurn := func(i router.Channel) int {
		return (r.port(i) - r.links[output(i)].last - 1 + ports) % ports
	}
	outputTurn := func(i router.Channel) int {
		return (int(output(i)) - r.inputs[r.port(i)].last - 1 + n) % n
	}
	vcTurn := func(i router.Channel) int {
		v := r.vcsOf(r.w.LinkOf(i))
		return (int(i-r.w.First(r.w.LinkOf(i))) - r.inputs[r.port(i)].pointer + v) % v
	}
	late := func(i router.Channel) int {
		yields := r.c.HeadersYield && r.c.VirtualChannels > 1 && r.c.SwitchAllocator != router.ISLIP
		if yields && r.yields(i) {
			return 1
		}
		return 0
	}
	offerer := func(i router.Channel) int { return int(output(i)) }
	accepter, offerTurn, acceptTurn := r.port, portTurn, outputTurn
	if r.c.SwitchAllocator == router.SeparableInputFirst {
		offerer, accepter, offerTurn, acceptTurn = accepter, offerer, outputTurn, portTurn
	}
	offers, accepted := map[int]router.Channel{}, map[int]router.Channel{}
	for i := range could {
		if r.limited(i) && r.budget(i) == 0 {
			continue
		}
		best, has := offers[offerer(i)]
		if !has || cmp.Or(cmp.Compare(late(i), late(best)), cmp.Compare(offerTurn(i), offerTurn(best)),
			cmp.Compare(vcTurn(i), vcTurn(best))) < 0 {
			offers[offerer(i)] = i
		}
	}
	for _, i := range offers {
		best, has := accepted[accepter(i)]
		if !has || cmp.Or(cmp.Compare(late(i), late(best)),
			cmp.Compare(acceptTurn(i), acceptTurn(best))) < 0 {
			accepted[accepter(i)] = i
		}
	}
	chosen := map[router.Channel]bool{}
	for _, i := range accepted {
		chosen[i] = true
	}
	for i := range chosen {
		r.links[output(i)].last, r.inputs[r.port(i)].last = r.port(i), int(output(i))
	}
	return chosen
}

// output returns the link that the head or packet at the front of FIFO i requests.
func (r *Model) output(i router.Channel) router.Link {
	if o := r.vcs[i].outputVC; o >= 0 {
		return r.w.LinkOf(o)
	}
	return r.w.LinkOf(r.vcs[i].offered[0])
}

// yields reports whether the flit at the front of FIFO i is a head that may yield to others: if
// heads are speculative, only a head that has no channel or was granted one in this cycle yields.
func (r *Model) yields(i router.Channel) bool {
	v := &r.vcs[i]
	return v.fifo[0].index == 0 && (!r.speculative() || v.outputVC < 0 || v.mayBeSent == r.now)
}

// budget returns the number of flits, or packets, that the input port of virtual channel i may send
// now.
func (r *Model) budget(i router.Channel) int {
	left := r.c.InputSpeedup / r.portsPerLink
	for _, t := range r.inputs[r.port(i)].until {
		if t > r.now {
			left--
		}
	}
	return left
}

// advancePointers moves the pointers of the input ports past the last of the virtual channels that
// have sent in this cycle what counts in their budget until a cycle.
func (r *Model) advancePointers(sent map[router.Channel]Cycle) {
	for l := range router.Link(r.w.Links()) {
		first, n := r.w.First(l), r.vcsOf(l)
		for p := range min(n, r.portsPerLink) {
			if r.limited(first) {
				r.advancePointer(&r.inputs[r.port(first+router.Channel(p))], first, n, p, sent)
			}
		}
	}
}

// advancePointer is advancePointers for the p-th port of a link with n virtual channels.
func (r *Model) advancePointer(in *refInput, first router.Channel, n, p int,
	sent map[router.Channel]Cycle) {
	next := -1
	for k := range n {
		v := (in.pointer + k) % n
		if i := first + router.Channel(v); (sent[i] > 0 || r.vain[i]) && v%r.portsPerLink == p {
			if sent[i] > 0 {
				in.until = append(in.until, sent[i])
			}
			next = (v + 1) % n
		}
	}
	if next >= 0 {
		in.pointer = next
	}
}

// withoutYieldingHeads removes the heads for whose output another virtual channel of the same port
// may send a body or tail flit.
func (r *Model) withoutYieldingHeads(could map[router.Channel]bool) map[router.Channel]bool {
	out := map[router.Channel]bool{}
	for i := range could {
		out[i] = true
		for j := range could {
			together := r.limited(i) && r.port(i) == r.port(j) &&
				r.output(i) == r.output(j)
			if together && r.yields(i) && !r.yields(j) {
				delete(out, i)
			}
		}
	}
	return out
}
