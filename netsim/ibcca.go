package netsim

import (
	"math"

	"contend/router"
)

// IBCCA is the congestion control of InfiniBand (InfiniBand Architecture Specification 1.2.1, vol.
// 1, Annex A10). Routers mark packets behind queues above a threshold (FECN), a destination returns
// each mark (BECN), and each return moves the queue pair up a table of delays between packets, down
// which it moves again by a timer.
type IBCCA struct {
	notices
	// MarkFrom is the queue in flits above which packets are marked, at least 0, and MarkingRate the
	// mean number of packets between two marked ones, at least 0.
	MarkFrom, MarkingRate int
	// Increase (CCTI_Increase) is how far a return moves the index of the table up, at least 1.
	// Limit (CCTI_Limit) and Least (CCTI_Min) bound the index, 0 <= Least < Limit.
	Increase, Limit, Least int
	// TimerCycles (CCTI_Timer) is the period in which the index moves down by 1, at least 1. It
	// begins with the return that moves a pair up from Least.
	TimerCycles int
	// DelayStep is the step of the table, above 0: entry i delays the next packet by i times
	// DelayStep times the time of the packet on the link.
	DelayStep float64
}

// marking implements CongestionControl.
func (c *IBCCA) marking() router.Marking {
	return router.Marking{Low: int32(c.MarkFrom), High: int32(c.MarkFrom),
		Beyond: 1 / (1 + float64(c.MarkingRate))}
}

// check implements CongestionControl.
func (c *IBCCA) check() *ConfigError {
	switch {
	case c.MarkFrom < 0 || c.MarkFrom > math.MaxInt32 || c.MarkingRate < 0 || c.Increase < 1 ||
		c.TimerCycles < 1 || !(c.DelayStep > 0):
		return bad("Congestion", "MarkFrom and MarkingRate must be at least 0, Increase and TimerCycles "+
			"at least 1, DelayStep above 0", "is %+v", *c)
	case c.Least < 0 || c.Limit <= c.Least || c.Limit > math.MaxInt32:
		return bad("Congestion", "Least (ccti_min) must be at least 0 and below Limit (ccti_limit)",
			"is IBCCA with Least %d and Limit %d", c.Least, c.Limit)
	}
	return nil
}

// begin implements CongestionControl.
func (c *IBCCA) begin(q *queuePairs, p *queuePair) limiter {
	if c.Least > 0 {
		return &ibccaRate{c, q.flitTime(p.from), c.Least, q.net.Now()}
	}
	return nil
}

// arrived implements CongestionControl.
func (c *IBCCA) arrived(q *queuePairs, a *router.Arrival) {
	if a.Marked {
		q.notify(a.Delivered, q.pair(a.From, a.To), notice{})
	}
}

// notified implements CongestionControl.
func (c *IBCCA) notified(q *queuePairs, p *queuePair, _ *notice) {
	t := q.net.Now()
	r, ok := p.limiter.(*ibccaRate)
	if !ok {
		r = &ibccaRate{c, q.flitTime(p.from), 0, t}
		p.limiter = r
	}
	r.index = min(r.at(t)+c.Increase, c.Limit)
}

// ibccaRate is the delay between the packets of a queue pair.
type ibccaRate struct {
	of       *IBCCA
	flitTime float64 // cycles of a flit at the rate of the link
	index    int     // of the table (CCTI)
	from     Cycle   // beginning of the period of the timer
}

// at returns the index in cycle t, no earlier than the last one.
func (r *ibccaRate) at(t Cycle) int {
	k := Cycle(r.of.TimerCycles)
	periods := min((t-r.from)/k, Cycle(r.index-r.of.Least))
	r.index, r.from = r.index-int(periods), r.from+periods*k
	return r.index
}

// next implements limiter.
func (r *ibccaRate) next(flits int32, t Cycle) Cycle {
	packets := 1 + float64(float64(r.at(t))*r.of.DelayStep)
	return t + Cycle(math.Ceil(float64(flits)*r.flitTime*packets))
}

// released implements limiter.
func (r *ibccaRate) released(t Cycle) bool { return r.at(t) == r.of.Least }
