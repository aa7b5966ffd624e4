package reference

import (
	"math"

	"contend/router"
)

// A cycle of the reference model: which flits are sent, all of them at once.

// Step is one cycle.
func (r *Model) Step() {
	r.allocate()
	r.turns()
	var moves []func()
	chosen, used := r.nominees(), map[router.Channel]bool{}
	for l := range router.Link(r.w.Links()) {
		if r.links[l].nextSend > r.now {
			continue
		}
		first := r.w.First(l)
		if r.w.Kind(l) == router.Injection {
			from := r.source(l)
			p := r.ports[l]
			if p == nil && len(r.queue[from]) > 0 && r.now >= r.rests[from] {
				p = r.queue[from][0]
			}
			if v, ok := r.entrance(l, p); ok {
				if p.gone == 0 { // it has this port from now on: the next one sees the packet behind
					if p.injected = r.now; p.turn < 0 {
						p.turn = r.now
					}
					r.rests[from] = r.now + Cycle(math.Ceil(float64(p.length)*r.c.InjectionFlitCycles))
					r.ports[l], r.queue[from], r.entered[l] = p, r.queue[from][1:], v
				}
				moves = append(moves, func() {
					r.transfer(first+router.Channel(v), refFlit{p: p, index: p.gone})
					if p.gone++; p.gone == p.length {
						r.ports[l] = nil
					}
				})
			}
			continue
		}
		n := r.virtual(l)
		for k := range n {
			turn := (r.links[l].turn + 1 + k) % n
			if i, ok := r.sendable(first + router.Channel(turn)); ok && chosen[i] {
				used[i] = true
				moves = append(moves, func() {
					r.links[l].turn = turn
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
	r.moveInputs(used)
	r.now++
	for i := range r.vcs {
		r.newHead(&r.vcs[i])
	}
}

// flitTime returns the cycles a flit takes on the link of channel o.
func (r *Model) flitTime(o router.Channel) Cycle { return Cycle(r.timings[r.w.LinkOf(o)].Flit) }

// sendable returns the input FIFO from which a flit may go on channel o now.
func (r *Model) sendable(o router.Channel) (router.Channel, bool) {
	for i := range r.vcs {
		v := &r.vcs[i]
		if v.granted == o {
			if len(v.fifo) == 0 || v.fifo[0].at > r.now || r.now < v.sends {
				return 0, false
			}
			f := v.fifo[0]
			ejection := r.w.Kind(r.w.LinkOf(o)) == router.Ejection
			return router.Channel(i), ejection || r.room(o, r.need(f.p, f.index))
		}
	}
	return 0, false
}

// room reports whether the sender of c knows of room for need flits.
func (r *Model) room(c router.Channel, need int) bool {
	v := &r.vcs[c]
	for k := range need {
		if n := v.sent + k - r.c.BufferFlits; n >= 0 && (n >= len(v.left) ||
			v.left[n]+Cycle(r.timings[r.w.LinkOf(c)].Credit) > r.now) {
			return false
		}
	}
	return true
}

func (r *Model) need(p *refPacket, index int) int {
	if index == 0 && r.c.Switching == router.VirtualCutThrough {
		return p.length
	}
	return 1
}

func (r *Model) forward(i, o router.Channel) {
	v := &r.vcs[i]
	f := v.fifo[0]
	if f.index == 0 {
		q, _ := r.asksFrom(i)
		f.p.blocked += r.now - q - Cycle(r.c.VCAllocCycles)
		if r.w.Kind(r.w.LinkOf(o)) == router.Network {
			f.p.hops++
		}
	}
	v.fifo = v.fifo[1:]
	v.left = append(v.left, r.now)
	r.transfer(o, f)
	if f.index == f.p.length-1 {
		v.known, v.granted, v.offered = nil, -1, nil
		r.vcs[o].holder, r.vcs[o].freeAt = nil, r.now+r.flitTime(o)
	}
}

func (r *Model) transfer(o router.Channel, f refFlit) {
	l := r.w.LinkOf(o)
	r.links[l].nextSend = r.now + r.flitTime(o)
	r.sent = append(r.sent, Sending{r.now, o, f.p.number, int32(f.index)})
	f.at = r.now + Cycle(r.timings[l].Delay)
	if r.w.Kind(l) == router.Ejection {
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

// newHead notices a header that has got to the head of its FIFO.
func (r *Model) newHead(v *refVC) {
	if v.known == nil && len(v.fifo) > 0 {
		v.known = v.fifo[0].p
		v.headAt = v.fifo[0].at
		if n := len(v.left); n > 0 {
			v.headAt = max(v.headAt, v.left[n-1]+1)
		}
	}
}
