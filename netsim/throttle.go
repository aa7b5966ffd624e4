package netsim

import (
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Throttle is a congestion control of destinations, by the rule of the component merlin of SST
// (portControl, enable_congestion_management), an open analogue of that of Slingshot. When at least
// Senders sources owe a destination at least Outstanding flits, it tells each of them their number
// k. They rest, and then send a packet of n flits in the time of (2+k)·n flits, until there are
// fewer than Senders. A source of packets below Smallest flits is not a sender. The control needs
// no marks. Merlin counts flits that have arrived at the last router; here all flits count that
// have left their source and have not arrived.
type Throttle struct {
	// Outstanding and Smallest are in flits, at least 1; Senders is at least 2.
	Outstanding, Senders, Smallest int
}

// begin implements CongestionControl.
func (c *Throttle) begin(q *queuePairs, p *queuePair) limiter {
	if card := q.card(p.from); card > 0 {
		return &throttleRate{of: c, rate: 1, flitTime: card}
	}
	return nil
}

// marking implements CongestionControl.
func (c *Throttle) marking() router.Marking { return router.Marking{} }

// check implements CongestionControl.
func (c *Throttle) check() *ConfigError {
	if c.Outstanding < 1 || c.Senders < 2 || c.Smallest < 1 {
		return bad("Congestion", "Outstanding and Smallest must be at least 1, and Senders at least 2",
			"is %+v", *c)
	}
	return nil
}

// throttledNode is a destination with senders.
type throttledNode struct {
	flits   int64 // that sources owe it
	counted int64 // of these, in packets of at least Smallest flits
	active  bool  // it throttles its senders
	senders []throttledSender
}

// throttledSender is a source that sends to a destination.
type throttledSender struct {
	node      topology.Node
	flits     int64 // that it owes, in packets of at least Smallest flits
	last      Cycle // cycle in which it sent last
	announced int   // senders named in the last notification to it; 0: none
}

// window returns the time without sending after which a source stops being a sender: 1.5 packet
// times for each sender and one more, or 5 if they are throttled, as in merlin.
func (q *queuePairs) window(to topology.Node, held bool, senders int) Cycle {
	packets := 1.5
	if held {
		packets = 5
	}
	return Cycle(packets * float64(senders+1) * float64(q.net.config.PacketFlits) * q.flitTime(to))
}

// sent implements CongestionControl.
func (c *Throttle) sent(q *queuePairs, p *queuePair, flits int32) {
	d := q.interfaces[p.to].owed
	if d == nil {
		d = &throttledNode{}
		q.interfaces[p.to].owed = d
	}
	c.removeIdle(q, d, p.to)
	d.flits += int64(flits)
	if int(flits) < c.Smallest {
		return
	}
	d.counted += int64(flits)
	i := slices.IndexFunc(d.senders, func(s throttledSender) bool { return s.node == p.from })
	if i < 0 {
		i = len(d.senders)
		d.senders = append(d.senders, throttledSender{})
	}
	s := &d.senders[i]
	if q.net.Now()-s.last >= q.window(p.to, d.active, len(d.senders)) {
		s.announced = 0 // its rate is that of the link again: see throttleRate
	}
	s.node, s.flits, s.last = p.from, s.flits+int64(flits), q.net.Now()
	switch {
	case d.active && s.announced == 0:
	case !d.active && d.counted >= int64(c.Outstanding) && len(d.senders) >= c.Senders:
		d.active = true
	default:
		return
	}
	rest := Cycle(4 * float64(d.flits) * q.flitTime(p.to)) // as in merlin
	for i := range d.senders {
		if s := &d.senders[i]; s.announced < len(d.senders) {
			s.announced = len(d.senders)
			q.notify(q.net.Now(), q.pair(s.node, p.to), notice{s.announced, rest})
		}
	}
}

// arrived implements CongestionControl.
func (c *Throttle) arrived(q *queuePairs, a *router.Arrival) {
	d := q.interfaces[a.To].owed
	d.flits -= int64(a.Length)
	if int(a.Length) >= c.Smallest {
		d.counted -= int64(a.Length)
	}
	for i := range d.senders {
		if s := &d.senders[i]; s.node == a.From && int(a.Length) >= c.Smallest {
			s.flits -= int64(a.Length)
		}
	}
	if c.removeIdle(q, d, a.To); len(d.senders) == 0 && d.flits == 0 {
		q.interfaces[a.To].owed = nil
	}
}

// removeIdle removes the senders to a destination that owe it nothing and have not sent for the
// window. While the destination throttles, it notifies the remaining senders of their new number.
func (c *Throttle) removeIdle(q *queuePairs, d *throttledNode, to topology.Node) {
	now, before := q.net.Now(), len(d.senders)
	window := q.window(to, d.active, before)
	d.senders = slices.DeleteFunc(d.senders, func(s throttledSender) bool {
		return s.flits == 0 && now-s.last >= window
	})
	n := len(d.senders)
	if !d.active || n == before {
		return
	}
	if d.active = n >= c.Senders; !d.active {
		n = 0
	}
	for i := range d.senders {
		d.senders[i].announced = n
		q.notify(now, q.pair(d.senders[i].node, to), notice{n, 0})
	}
}

// notified implements CongestionControl.
func (c *Throttle) notified(q *queuePairs, p *queuePair, k *notice) {
	if p.limiter = c.begin(q, p); k.senders == 0 {
		return
	}
	t, window := q.net.Now(), q.window(p.to, true, k.senders)
	times := float64(2 + k.senders)
	p.limiter = &throttleRate{c, 1 / times, times * q.flitTime(p.from), window, t + k.rest + window}
	p.notBefore = max(p.notBefore, t+k.rest)
}

// throttleRate is the rate of a queue pair whose destination throttles it.
type throttleRate struct {
	of            *Throttle
	rate          float64 // over that of the link
	flitTime      float64 // cycles of a flit at that rate
	window, until Cycle   // until ends the limit unless a packet of at least Smallest flits is sent
}

// next implements limiter.
func (r *throttleRate) next(flits int32, t Cycle) Cycle {
	if int(flits) >= r.of.Smallest {
		r.until = t + r.window
	}
	return t + Cycle(float64(flits)*r.flitTime)
}

// released implements limiter.
func (r *throttleRate) released(t Cycle) bool { return t >= r.until }
