package reference

import (
	"math"

	"contend/router"
)

// A cycle of the reference model: all flits are sent at once.

// Step simulates one cycle.
func (r *Model) Step() {
	r.allocate()
	r.noteTurns()
	var moves []func()
	chosen, used := r.inputArbitration(), map[router.Channel]bool{}
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
				used[i] = true
				last := turn
				if f := r.vcs[i].fifo[0]; r.c.PacketsHoldLinks && r.c.InputSpeedup == 0 &&
					f.index < f.p.length-1 {
					last = (turn - 1 + n) % n
				}
				moves = append(moves, func() {
					r.links[l].lastVC = last
					r.forward(i,
						first+router.Channel(turn))
				})
				break
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
			accepts := r.w.Kind(r.w.LinkOf(o)) == router.Ejection && r.c.EjectionCreditCycles == 0
			return router.Channel(i), accepts || r.hasCredits(o, r.creditsNeeded(f.p, f.index))
		}
	}
	return 0, false
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

// creditsNeeded returns the credits that a flit of a packet needs: of a head under cut-through
// those for the whole packet.
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
