package router

import (
	"math/bits"

	"contend/netsim/topology"
)

// With speculative requests a header requests the switch from the cycle on in which it asks for a
// channel, whether it can be sent or not (Peh and Dally, "A delay model and speculative
// architecture for pipelined routers", HPCA 2001). The switch does not know which requests are in
// vain: an output that takes one sends nothing in that cycle, nor does its input port. Outputs
// take nominees in turn by the channel these came by, since a header that waits has no virtual
// channel to take turns by. A router none of whose flits could be sent does nothing.

// speculation is the state of the switch beside that of crossbar.
type speculation struct {
	took    []int32           // of each link the input channel that it took last, or none
	live    []topology.Router // of which a flit could be sent in this cycle: scratch
	alive   []bool            // of each router, whether it is in live: false between cycles
	winners []winner          // scratch
	place   []int32           // of each link, its place in winners, or none: none between cycles
}

// winner is the nominee that an output takes.
type winner struct {
	link Link
	from Channel // the input channel
	vain bool    // it cannot be sent
}

func newSpeculation(w *Wiring) *speculation {
	return &speculation{took: filled(w.Links()), place: filled(w.Links()),
		alive: make([]bool, w.Topology.Routers())}
}

// sendSpeculative is sendSwitched where headers that cannot be sent request the switch too.
func (b *Routers) sendSpeculative(nodes []topology.Node, list []Channel) {
	x, s := b.crossbar, b.speculation
	b.injectEach(nodes)
	for _, c := range list {
		if b.due(c) { // else it has been looked at, or will be later
			b.askInputs(c)
		}
	}
	for _, a := range x.asks {
		if r := b.w.Leaves(b.w.link[a.first]); !s.alive[r] {
			s.alive[r], s.live = true, append(s.live, r)
			b.askInVain(r)
		}
	}
	for i := range x.busy {
		x.nominate(&x.busy[i], b.now, b.flitTime(x.ports[x.busy[i].port].first))
	}
	for _, r := range s.live {
		b.takeNominees(r)
		s.alive[r] = false
	}
	for _, k := range s.winners {
		b.sendWinner(k)
	}
	for _, a := range x.asks {
		b.lookAgain(a.first)
	}
	for i := range x.busy {
		x.turnPast(&x.busy[i])
	}
	x.busy, x.asks, s.live, s.winners = x.busy[:0], x.asks[:0], s.live[:0], s.winners[:0]
}

// askInVain adds the requests of those headers of router r that cannot be sent now.
func (b *Routers) askInVain(r topology.Router) {
	x := b.crossbar
	for i := Channel(b.w.in[r]); i < Channel(b.w.in[r+1]); i++ {
		if !b.inVain(i) {
			continue
		}
		l := b.w.link[i]
		p := &x.ports[l]
		if x.yield && p.at != none && b.sendsBody(p, b.w.link[b.vcs[i].want]) {
			continue
		}
		if p.at == none {
			p.at = int32(len(x.busy))
			x.busy = append(x.busy, candidates{port: l, body: none})
		}
		bit := uint64(1) << (i - p.first)
		x.busy[p.at].could |= bit
		x.busy[p.at].vain |= bit
	}
}

// inVain reports whether the header at the head of FIFO i requests the switch and cannot be sent:
// it has no channel, or that has no room for it. The output is to be free.
func (b *Routers) inVain(i Channel) bool {
	in := &b.vcs[i]
	if in.state != waitingVC && (in.state != active || b.channels[i].left > 0) {
		return false
	}
	o := Channel(in.want)
	if b.lines[b.w.link[o]].free > b.now {
		return false
	}
	return in.state == waitingVC || b.earliest(o, b.now) > b.now
}

// sendsBody reports whether input port p could send a flit on link l now that is no header.
func (b *Routers) sendsBody(p *inputPort, l Link) bool {
	k := &b.crossbar.busy[p.at]
	for set := k.could &^ k.vain; set != 0; set &= set - 1 {
		i := p.first + Channel(bits.TrailingZeros64(set))
		if b.channels[i].left > 0 && b.w.link[b.vcs[i].want] == l {
			return true
		}
	}
	return false
}

// takeNominees has each output of router r take the first nominee after the input channel that it
// took last.
func (b *Routers) takeNominees(r topology.Router) {
	x, s, from := b.crossbar, b.speculation, len(b.speculation.winners)
	for i := Channel(b.w.in[r]); i < Channel(b.w.in[r+1]); i++ {
		p := &x.ports[b.w.link[i]]
		if p.at == none {
			continue
		}
		k, bit := &x.busy[p.at], uint64(1)<<(i-p.first)
		if k.chosen&bit == 0 {
			continue
		}
		l := b.w.link[b.vcs[i].want]
		w := winner{l, i, k.vain&bit != 0}
		switch at := s.place[l]; {
		case at == none:
			s.place[l] = int32(len(s.winners))
			s.winners = append(s.winners, w)
		case int32(s.winners[at].from) <= s.took[l] && int32(i) > s.took[l]:
			s.winners[at] = w // the first after the one taken last, where those before have come first
		}
	}
	for _, w := range s.winners[from:] {
		s.place[w.link] = none
	}
}

// sendWinner has an output send the flit of the nominee that it takes, if it can be sent.
func (b *Routers) sendWinner(w winner) {
	x, l := b.crossbar, b.w.link[w.from]
	p := &x.ports[l]
	b.speculation.took[w.link] = int32(w.from)
	x.busy[p.at].used |= 1 << (w.from - p.first)
	if !w.vain {
		x.note(l, p, b.now)
		b.move(Channel(b.vcs[w.from].want))
	}
}

// lookAgain has the physical channel led by first looked at when it may next send a flit.
func (b *Routers) lookAgain(first Channel) {
	again, soonest := never, max(b.lines[b.w.link[first]].free, b.now+1)
	for set := b.crossbar.able[first]; set != 0 && again > soonest; set &= set - 1 {
		again = min(again, b.earliestSwitched(first+Channel(bits.TrailingZeros64(set)), soonest))
	}
	if again < never {
		b.try(first, again)
	}
}
