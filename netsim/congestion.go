package netsim

import (
	"math"

	"contend/router"
	"contend/router/topology"
)

// CongestionControl slows queue pairs whose packets meet congestion. A destination sends a
// notification to the source, which arrives after the time of a packet of one flit that is alone on
// the network: notifications meet no congestion and take no bandwidth.
//
// On machines of islands, such as GPUs with NVLink, a router may be a host: its nodes send faster
// than all of its links to other routers, its cards, and no packets of others pass it. A control
// acts between hosts only. A pair has at most the rate of a card then, from its first packet on,
// and links of a host mark nothing.
type CongestionControl interface {
	// marking returns which packets routers mark.
	marking() router.Marking
	// check returns an error for a parameter out of its bounds.
	check() *ConfigError
	// begin returns the limiter of a queue pair that has none, or nil if the pair may send at the rate
	// of its link.
	begin(q *queuePairs, p *queuePair) limiter
	// sent handles a head that has left its interface.
	sent(q *queuePairs, p *queuePair, flits int32)
	// arrived handles a packet that arrives.
	arrived(q *queuePairs, a *router.Arrival)
	// notified handles a notification that reaches the source of a queue pair.
	notified(q *queuePairs, p *queuePair, k *notice)
}

// notices implements sent for controls that react to notifications only.
type notices struct{}

func (notices) sent(*queuePairs, *queuePair, int32) {}

// notice is the content of a notification.
type notice struct {
	senders int   // Throttle: senders to the destination
	rest    Cycle // Throttle: cycles to rest at once
}

// limiter is the rate of a queue pair below that of its link.
type limiter interface {
	// next returns the cycle from which the next packet may be offered, after a packet of the given
	// flits whose head left in cycle t.
	next(flits int32, t Cycle) Cycle
	// released reports whether the limit has ended by cycle t, so that the pair is in the state of a
	// pair without notifications. This holds until the pair sends or the next notification comes.
	released(t Cycle) bool
	// state returns the rate and alpha of PairState in cycle t, and changes nothing.
	state(t Cycle) (rate, alpha float64)
	// delay moves its times.
	delay(by Cycle)
	// append appends the whole state in cycle t, with times counted from t, and changes nothing. A
	// limit that has ended has no state.
	append(words []int64, t Cycle) []int64
	// recovers returns an upper bound of the time from cycle t until the limit ends if no
	// notification comes, and of the time for which earlier notifications matter.
	recovers(t Cycle) Cycle
}

// CongestionTotals counts the packets, marks, notifications and delays of congestion control since
// the start or ResetCongestion.
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

// Congestion returns the totals of congestion control, and false if there is none.
func (n *Network) Congestion() (t CongestionTotals, any bool) {
	if n.config.Congestion == nil {
		return t, false
	}
	t, t.Marks = n.pairs.count, n.config.Congestion.marking().Marks()
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

// ResetCongestion sets the totals of Congestion to zero.
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
	if c.Engine == "worm" && c.Congestion.marking().Marks() {
		return bad("Engine", "take auto or cycle", "is worm, and packets are marked by the flits that "+
			"wait in each cycle, which the worm engine does not know")
	}
	return nil
}

// marking returns which packets routers mark.
func (c *Config) marking(w *router.Wiring) (m router.Marking) {
	if c.Congestion == nil {
		return m
	}
	m = c.Congestion.marking()
	m.Seed = c.RoutingSeed
	if cards := c.cardFlitCycles(w); cards != nil && m.Marks() {
		m.Spared = make([]bool, len(cards))
		for r := range cards {
			m.Spared[r] = cards[r] > 0
		}
	}
	return m
}

// arrived handles a packet that arrives, with interfaces in place of its nodes.
func (q *queuePairs) arrived(a *router.Arrival) {
	q.count.Packets++
	if a.Marked {
		q.count.Marked++
	}
	if !q.inHost(a.From, a.To) {
		q.net.config.Congestion.arrived(q, a)
	}
}

// notify sends a notification to the source of a queue pair in cycle t.
func (q *queuePairs) notify(t Cycle, p *queuePair, k notice) {
	if p.back == 0 {
		p.back = q.timeBack(p)
	}
	p.notices++
	q.foresee(t+p.back, p, &k)
}

// timeBack returns the time that a notification of a queue pair takes, over all links, failed ones
// included.
func (q *queuePairs) timeBack(p *queuePair) Cycle {
	n := q.net
	links := router.UncontendedPath(nil, n.wiring, router.Whole(n.routing),
		router.Header{Source: p.to, Destination: p.from}, int32(n.config.BufferFlits))
	return n.config.ZeroLoadLatencyOver(n.timesOf(links), 1)
}

// flitTime returns the cycles of a flit at the rate of an interface, or of the cards of its host.
func (q *queuePairs) flitTime(node topology.Node) float64 {
	if card := q.card(node); card > 0 {
		return card
	}
	return q.net.config.injectionFlitCycles(q.net.wiring, node)
}

// card returns the cycles of a flit on the cards of the host of an interface, 0 if it has no host.
func (q *queuePairs) card(node topology.Node) float64 {
	if q.cards == nil {
		return 0
	}
	return q.cards[q.router(node)]
}

// inHost reports whether two interfaces are of the same host, so that no control acts.
func (q *queuePairs) inHost(from, to topology.Node) bool {
	return q.card(from) > 0 && q.router(from) == q.router(to)
}

// router returns the router of an interface.
func (q *queuePairs) router(node topology.Node) topology.Router {
	return q.net.wiring.Enters(q.net.wiring.Injection(node))
}

// DCQCN is the congestion control of Zhu et al., Congestion Control for Large-Scale RDMA
// Deployments, SIGCOMM 2015, sec. 3. Routers mark by random early detection. A destination that
// gets a marked packet of a flow sends a notification, at most one every CNPCycles. The source cuts
// the rate of the flow by its estimate alpha of congestion, and raises it again by a timer and by
// the flits sent. A flow is a queue pair. Rates are in units of the rate of the source's link, or
// of the cards of its host.
type DCQCN struct {
	notices
	// MarkFrom and MarkTo (K_min and K_max) are queues in flits, MarkShare (P_max) is the probability
	// of a mark at MarkTo, above 0 and at most 1; above MarkTo the probability is 1.
	MarkFrom, MarkTo int
	MarkShare        float64
	// CNPCycles (N) is the minimum time between two notifications of a flow, AlphaCycles (K) the time
	// without a notification after which alpha decays, TimerCycles (T) the period of the timer that
	// raises rates. At least 1.
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

// begin implements CongestionControl.
func (c *DCQCN) begin(q *queuePairs, p *queuePair) limiter {
	if q.card(p.from) == 0 {
		return nil
	}
	r, ok := p.limiter.(*dcqcnRate)
	if !ok {
		r = &dcqcnRate{}
	}
	c.restart(q, p, r)
	return r
}

// restart sets the rate of a flow to that of its link.
func (c *DCQCN) restart(q *queuePairs, p *queuePair, r *dcqcnRate) {
	t := q.net.Now()
	*r = dcqcnRate{of: c, flitTime: q.flitTime(p.from), current: 1, alpha: 1, timerFrom: t,
		alphaFrom: t}
}

// arrived implements CongestionControl: the notification point, sec. 3.2. The first marked packet
// causes a notification at once and begins a window of N cycles. A window in which a marked packet
// arrives ends in a notification and begins the next window; a window without one is the last.
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
		r = &dcqcnRate{}
		c.restart(q, p, r)
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

// restored reports whether the rate is less than one step below the rate of the link.
func (r *dcqcnRate) restored() bool { return r.current > 1-r.of.Additive }

// increase raises the rate: RATEINCREASE of Algorithm 1, eqs. (3) and (4), counting the periods
// before this one, so that fast recovery has F steps, as in the text and the fluid model (Zhu et
// al., CoNEXT 2016, sec. 3). The amount of hyper increase is that of QCN (IEEE 802.1Qau), to which
// the paper refers.
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

// released implements limiter. A flow whose rate is restored has no limit, and the next
// notification counts as its first (rpg_max_rate and initial_alpha_value of NVIDIA's adapters).
func (r *dcqcnRate) released(t Cycle) bool {
	r.advance(t)
	return r.restored()
}

// IBCCA is the congestion control of InfiniBand (InfiniBand Architecture Specification 1.2.1, vol.
// 1, Annex A10). Routers mark packets behind queues above a threshold (FECN), a destination returns
// each mark (BECN), and each return moves the queue pair up a table of delays between packets. A
// timer moves it down again.
type IBCCA struct {
	notices
	// MarkFrom is the queue in flits above which packets are marked, at least 0, and MarkingRate the
	// mean number of packets between two marked ones, at least 0.
	MarkFrom, MarkingRate int
	// Increase (CCTI_Increase) is the number of table entries by which a return moves the index up, at
	// least 1. Limit (CCTI_Limit) and Least (CCTI_Min) bound the index, 0 <= Least < Limit.
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
	if c.Least > 0 || q.card(p.from) > 0 {
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

// at returns the index in cycle t, which is not before the cycle of the last call.
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
