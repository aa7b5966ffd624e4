package netsim

import (
	"contend/router"
	"contend/router/topology"
)

// Throttle is a congestion control of destinations, by the rule of the component merlin of SST
// (portControl, enable_congestion_management), an open analogue of that of Slingshot. A destination
// that is owed Outstanding flits or more by Senders sources or more tells each of them how many
// they are, k: they rest, and then send a packet of n flits in the time of (2+k)·n until they are
// fewer than Senders. It needs no marks. Merlin counts what has arrived at the last router; here all
// that has left its source and has not arrived counts.
type Throttle struct {
	// Outstanding is in flits, at least 1; Senders is at least 2.
	Outstanding, Senders int
}

// marking implements CongestionControl.
func (c *Throttle) marking() router.Marking { return router.Marking{} }

// check implements CongestionControl.
func (c *Throttle) check() *ConfigError {
	if c.Outstanding < 1 || c.Senders < 2 {
		return bad("Congestion", "Outstanding must be at least 1, and Senders at least 2",
			"is Throttle with Outstanding %d and Senders %d", c.Outstanding, c.Senders)
	}
	return nil
}

// start implements CongestionControl.
func (c *Throttle) start(n *Network) congestion {
	return &throttle{Throttle: c, net: n, at: map[topology.Node]*throttledNode{}}
}

// throttle implements congestion.
type throttle struct {
	*Throttle
	net *Network
	at  map[topology.Node]*throttledNode // by destination: those with senders
}

// throttledNode is a destination.
type throttledNode struct {
	flits   int64 // that it is owed
	active  bool  // it holds its senders back
	senders []throttledSender
}

// throttledSender is a source that sends to a destination.
type throttledSender struct {
	node  topology.Node
	flits int64 // that it owes
	last  Cycle // cycle in which it sent last
	told  int32 // senders of which it was told last, 0: none
}

// begin implements congestion.
func (c *throttle) begin(*queuePair) {}

// Windows of sources that are free and that are held back, in packet times times the number of
// senders and one more, as in merlin.
const (
	freeWindow = 1.5
	heldWindow = 5
)

// window returns the time after which a source that has sent nothing is no sender any more.
func (c *throttle) window(to topology.Node, held bool, senders int) Cycle {
	packets := freeWindow
	if held {
		packets = heldWindow
	}
	return Cycle(packets * float64(senders+1) * float64(c.net.config.PacketFlits) *
		c.net.flitTime(to))
}

// restFlits is the time, in flit times over what a destination is owed, that senders rest at once.
const restFlits = 4

// sent implements congestion.
func (c *throttle) sent(from, to topology.Node, flits int32) {
	d := c.at[to]
	if d == nil {
		d = &throttledNode{}
		c.at[to] = d
	}
	d.flits += int64(flits)
	i := 0
	for i < len(d.senders) && d.senders[i].node != from {
		i++
	}
	if i == len(d.senders) {
		d.senders = append(d.senders, throttledSender{node: from})
	}
	s := &d.senders[i]
	if c.net.Now()-s.last >= c.window(to, d.active, len(d.senders)) {
		s.told = 0 // its rate is that of the link again: see throttleRate
	}
	s.flits, s.last = s.flits+int64(flits), c.net.Now()
	switch {
	case d.active && s.told == 0:
	case !d.active && d.flits >= int64(c.Outstanding) && len(d.senders) >= c.Senders:
		d.active = true
	default:
		return
	}
	rest := Cycle(restFlits * float64(d.flits) * c.net.flitTime(to))
	for i := range d.senders {
		if s := &d.senders[i]; int(s.told) < len(d.senders) {
			c.tell(s, to, len(d.senders), rest)
		}
	}
}

// tell tells a sender how many there are to a destination, 0 that it is free.
func (c *throttle) tell(s *throttledSender, to topology.Node, senders int, rest Cycle) {
	s.told = int32(senders)
	q := c.net.pairs
	q.notify(q.pair(s.node, to), notice{s.told, rest})
}

// arrived implements congestion.
func (c *throttle) arrived(a *router.Arrival) {
	d := c.at[a.To]
	d.flits -= int64(a.Length)
	window, n := c.window(a.To, d.active, len(d.senders)), 0
	for _, s := range d.senders {
		if s.node == a.From {
			s.flits -= int64(a.Length)
		}
		if s.flits == 0 && a.Delivered-s.last >= window {
			if s.told > 0 {
				c.tell(&s, a.To, 0, 0)
			}
			continue
		}
		d.senders[n] = s
		n++
	}
	fewer := n < len(d.senders)
	d.senders = d.senders[:n]
	switch {
	case n == 0:
		delete(c.at, a.To)
	case d.active && fewer:
		if d.active = n >= c.Senders; !d.active {
			n = 0
		}
		for i := range d.senders {
			c.tell(&d.senders[i], a.To, n, 0)
		}
	}
}

// notified implements congestion.
func (c *throttle) notified(p *queuePair, k notice, t Cycle) {
	if k.senders == 0 {
		p.limiter = nil
		return
	}
	r := &throttleRate{flitTime: float64(2+k.senders) * c.net.flitTime(p.from),
		window: c.window(p.to, true, int(k.senders))}
	r.until = t + k.rest + r.window
	p.limiter, p.notBefore = r, max(p.notBefore, t+k.rest)
}

// throttleRate is the rate of a queue pair whose destination holds it back.
type throttleRate struct {
	flitTime      float64
	window, until Cycle // until when it lasts if nothing is sent
}

// next implements limiter.
func (r *throttleRate) next(flits int32, t Cycle) Cycle {
	r.until = t + r.window
	return t + Cycle(float64(flits)*r.flitTime)
}

// released implements limiter.
func (r *throttleRate) released(t Cycle) bool { return t >= r.until }
