package netsim

import (
	"contend/router"
	"contend/router/topology"
)

// CongestionControl holds queue pairs back whose packets meet congestion. A destination tells a
// source about it by a notification, which comes after the time of a packet of one flit that is
// alone on the network: notifications meet no congestion, and take no bandwidth.
type CongestionControl interface {
	// marking returns which packets routers mark.
	marking() router.Marking
	// check returns an error for a parameter out of its bounds.
	check() *ConfigError
	// begin returns the limiter of a queue pair without state, nil for the rate of its link.
	begin(q *queuePairs, p *queuePair) limiter
	// sent handles a head that has left its interface.
	sent(q *queuePairs, p *queuePair, flits int32)
	// arrived handles a packet that arrives.
	arrived(q *queuePairs, a *router.Arrival)
	// notified handles a notification that reaches the source of a queue pair.
	notified(q *queuePairs, p *queuePair, k *notice)
}

// notices is a part of controls that react to notifications only.
type notices struct{}

func (notices) begin(*queuePairs, *queuePair) limiter { return nil }
func (notices) sent(*queuePairs, *queuePair, int32)   {}

// notice is what a notification says beyond that it has come.
type notice struct {
	senders int   // Throttle: senders to the destination
	rest    Cycle // Throttle: cycles to rest at once
}

// limiter is the rate of a queue pair below that of its link.
type limiter interface {
	// next returns the cycle from which the next packet may be offered after one of some flits, whose
	// head left in cycle t.
	next(flits int32, t Cycle) Cycle
	// released reports whether the pair is as without notifications again, in cycle t or before. It
	// stays so until the pair sends or the next notification comes.
	released(t Cycle) bool
	// state returns what PairState has of it in cycle t, and changes nothing.
	state(t Cycle) (rate, alpha float64)
}

// CongestionTotals is what congestion control has done since the start or ResetCongestion.
type CongestionTotals struct {
	Marks         bool  // routers mark packets
	Packets       int64 // delivered
	Marked        int64 // of these
	Notifications int64 // that have reached the sources
	Rests         Cycle // sum over the packets of the time that they waited for their rates
	// QueueFlits is the mean of the queues, in flits, that heads have seen at the routers' links that
	// have marked packets: see router.Marking. 0 if none has.
	QueueFlits float64
}

// Congestion returns what congestion control has done, and false if there is none.
func (n *Network) Congestion() (t CongestionTotals, any bool) {
	if n.config.Congestion == nil {
		return t, false
	}
	t, t.Marks = n.pairs.count, n.config.marking().Marks()
	heads, queued := int64(0), int64(0)
	for l := range n.wiring.Links() {
		if seen := n.routers.Marked(router.Link(l)); seen.Marked > 0 {
			heads, queued = heads+seen.Heads, queued+seen.Queued
		}
	}
	if heads > 0 {
		t.QueueFlits = float64(queued) / float64(heads)
	}
	return t, true
}

// ResetCongestion resets Congestion.
func (n *Network) ResetCongestion() {
	n.routers.ResetMarked()
	if n.pairs != nil {
		n.pairs.count = CongestionTotals{}
	}
}

// checkCongestion returns an error if congestion control cannot act.
func (c *Config) checkCongestion() error {
	if c.Congestion == nil {
		return nil
	}
	if c.SourceQueues == OneQueue {
		return bad("Congestion", "set SourceQueues to QueuePerDestination", "is set, and messages wait "+
			"in one queue of their node: it would hold back those for other destinations")
	}
	if err := c.Congestion.check(); err != nil {
		return err
	}
	if c.Engine == "worm" && c.marking().Marks() {
		return bad("Engine", "take auto or cycle", "is worm, and packets are marked by the flits that "+
			"wait in each cycle, which only the cycle-driven engine knows")
	}
	return nil
}

// marking returns which packets routers mark.
func (c *Config) marking() (m router.Marking) {
	if c.Congestion != nil {
		m = c.Congestion.marking()
		m.Seed = c.RoutingSeed
	}
	return m
}

// arrived handles a packet that arrives, with interfaces in place of its nodes.
func (q *queuePairs) arrived(a *router.Arrival) {
	q.count.Packets++
	if a.Marked {
		q.count.Marked++
	}
	q.net.config.Congestion.arrived(q, a)
}

// notify sends a notification to the source of a queue pair in cycle t.
func (q *queuePairs) notify(t Cycle, p *queuePair, k notice) {
	if p.back == 0 {
		p.back = q.timeBack(p)
	}
	p.notices++
	q.foresee(t+p.back, p, &k)
}

// timeBack returns the time of a notification, whether links have failed or not.
func (q *queuePairs) timeBack(p *queuePair) Cycle {
	n := q.net
	links := router.UncontendedPath(nil, n.wiring, router.Whole(n.routing),
		router.Header{Source: p.to, Destination: p.from}, int32(n.config.BufferFlits))
	return n.config.ZeroLoadLatencyOver(n.timesOf(links), 1)
}

// flitTime returns the cycles of a flit at the rate of an interface.
func (q *queuePairs) flitTime(node topology.Node) float64 {
	n := q.net
	link := n.config.timingOf(n.wiring, n.wiring.LinkOf(n.wiring.Injection(node)))
	return max(float64(link.Flit), n.config.InjectionFlitCycles)
}
