package netsim

import (
	"math"

	"contend/router"
)

// DCQCN is the congestion control of Zhu et al., Congestion Control for Large-Scale RDMA
// Deployments, SIGCOMM 2015, sec. 3. Routers mark by random early detection. A destination that
// gets a marked packet of a flow sends a notification, at most one every CNPCycles. The source cuts
// the rate of the flow by its estimate alpha of congestion, and raises it again by a timer and by
// the flits sent. A flow is a queue pair. Rates are in units of that of the link of the source.
type DCQCN struct {
	notices
	// MarkFrom and MarkTo (K_min and K_max) are queues in flits, MarkShare (P_max) is the probability
	// of a mark at MarkTo, above 0 and at most 1; beyond it is 1.
	MarkFrom, MarkTo int
	MarkShare        float64
	// CNPCycles (N) is the minimum time between two notifications of a flow, AlphaCycles (K) that
	// without one after which alpha decays, TimerCycles (T) the period of the timer that raises rates.
	// At least 1.
	CNPCycles, AlphaCycles, TimerCycles int
	// CounterFlits (B) is the number of flits sent that raises the rate. At least 1.
	CounterFlits int
	// Gain (g) is the weight of a notification in alpha, above 0 and at most 1.
	Gain float64
	// Recovery (F) is the number of steps of fast recovery. At least 1.
	Recovery int
	// Additive (R_AI) and Hyper (R_HAI) are the steps of the target rate in additive and hyper
	// increase, and Least is the minimum of rates: above 0 and at most 1.
	Additive, Hyper, Least float64
}

// marking implements CongestionControl.
func (c *DCQCN) marking() router.Marking {
	return router.Marking{Low: int32(c.MarkFrom), High: int32(c.MarkTo), Most: c.MarkShare, Beyond: 1}
}

// check implements CongestionControl.
func (c *DCQCN) check() *ConfigError {
	if c.MarkFrom < 0 || c.MarkTo < c.MarkFrom || c.MarkTo > math.MaxInt32 {
		return bad("Congestion", "MarkFrom (kmin) must be at least 0 and at most MarkTo (kmax)",
			"is DCQCN with MarkFrom %d and MarkTo %d", c.MarkFrom, c.MarkTo)
	}
	for _, n := range []int{c.CNPCycles, c.AlphaCycles, c.TimerCycles, c.CounterFlits, c.Recovery} {
		if n < 1 {
			return bad("Congestion", "its times, CounterFlits and Recovery must be at least 1",
				"is DCQCN with %d", n)
		}
	}
	for _, x := range []float64{c.MarkShare, c.Gain, c.Additive, c.Hyper, c.Least} {
		if !(x > 0 && x <= 1) {
			return bad("Congestion", "MarkShare, Gain, Additive, Hyper and Least must be above 0 and at "+
				"most 1", "is DCQCN with %v", x)
		}
	}
	return nil
}

// arrived implements CongestionControl: the notification point, sec. 3.2. The first marked packet
// is returned at once. Windows of N follow each other from then on, and one with a marked packet
// ends in a notification, until there is none.
func (c *DCQCN) arrived(q *queuePairs, a *router.Arrival) {
	if !a.Marked {
		return
	}
	p, n := q.pair(a.From, a.To), Cycle(c.CNPCycles)
	if sent := max(a.Delivered, p.nextNotice); a.Delivered >= p.nextNotice-n {
		p.nextNotice = sent + n // if it is not now, this packet is the first of its window
		q.notify(sent, p, notice{})
	}
}

// notified implements CongestionControl: the reaction point, eq. (1).
func (c *DCQCN) notified(q *queuePairs, p *queuePair, _ *notice) {
	t := q.net.Now()
	r, ok := p.limiter.(*dcqcnRate)
	if !ok {
		r = &dcqcnRate{of: c, flitTime: q.flitTime(p.from), current: 1, alpha: 1, timerFrom: t,
			alphaFrom: t}
		p.limiter = r
	}
	r.advance(t)
	r.target = r.current
	r.current = max(r.current*(1-r.alpha/2), c.Least)
	r.alpha = float64((1-c.Gain)*r.alpha) + c.Gain
	r.timerFrom, r.alphaFrom, r.timers, r.counters, r.flits = t, t, 0, 0, 0
}

// dcqcnRate is the rate of a flow below that of its link.
type dcqcnRate struct {
	of                   *DCQCN
	flitTime             float64 // cycles of a flit at the rate of the link
	current, target      float64 // R_C and R_T
	alpha                float64
	timerFrom, alphaFrom Cycle   // beginnings of the periods of the timer, and of alpha
	timers, counters     int     // periods of the timer (T) and of the counter (BC) since the last cut
	flits                int     // sent in the period of the counter
	rest                 float64 // of a cycle that the times of packets have left
}

// advance brings the state up to cycle t: eq. (2), and the timer of Algorithm 1.
func (r *dcqcnRate) advance(t Cycle) {
	for k := Cycle(r.of.AlphaCycles); t-r.alphaFrom >= k; r.alphaFrom += k {
		if r.alpha < 1e-12 {
			r.alphaFrom = t - (t-r.alphaFrom)%k
			break
		}
		r.alpha *= 1 - r.of.Gain
	}
	for k := Cycle(r.of.TimerCycles); t-r.timerFrom >= k && !r.restored(); r.timerFrom += k {
		r.increase()
		r.timers++
	}
}

// restored reports whether the rate is less than a step below that of the link.
func (r *dcqcnRate) restored() bool { return r.current > 1-r.of.Additive }

// increase raises the rate: RATEINCREASE of Algorithm 1, eqs. (3) and (4), with the periods before
// this one, so that there are F steps of fast recovery, as the text and the fluid model (Zhu et
// al., CoNEXT 2016, sec. 3) have it. What hyper increase adds is that of QCN (IEEE 802.1Qau), to
// which the paper refers.
func (r *dcqcnRate) increase() {
	switch f := r.of.Recovery; {
	case max(r.timers, r.counters) < f:
	case min(r.timers, r.counters) > f:
		r.target += float64(float64(min(r.timers, r.counters)-f) * r.of.Hyper)
	default:
		r.target += r.of.Additive
	}
	r.target = min(r.target, 1)
	r.current = (r.target + r.current) / 2
}

// next implements limiter.
func (r *dcqcnRate) next(flits int32, t Cycle) Cycle {
	r.advance(t)
	wait := float64(float64(flits)*r.flitTime/r.current) + r.rest
	r.rest = wait - math.Floor(wait)
	for r.flits += int(flits); r.flits >= r.of.CounterFlits; r.flits -= r.of.CounterFlits {
		r.increase()
		r.counters++
	}
	return t + Cycle(wait)
}

// released implements limiter: once its rate is restored a flow is limited no longer, and the next
// notification is its first (rpg_max_rate and initial_alpha_value of NVIDIA's adapters).
func (r *dcqcnRate) released(t Cycle) bool {
	r.advance(t)
	return r.restored()
}
