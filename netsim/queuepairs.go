package netsim

import (
	"cmp"
	"slices"

	"contend/internal/heap"
	"contend/router"
	"contend/router/topology"
)

// SourceQueues is the kind of queues in which the messages of a network interface wait.
type SourceQueues uint8

// The two kinds of source queues.
const (
	// OneQueue keeps all messages of an interface in the order in which they were sent.
	OneQueue SourceQueues = iota
	// QueuePerDestination keeps the messages for each destination in a separate queue, a queue pair.
	// Queues with messages take turns, a packet each.
	QueuePerDestination
)

// Names are the names of the constants in a study, in their order.
func (SourceQueues) Names() []string {
	return []string{"fifo", "destination"}
}

// queuePairs holds the messages that wait at network interfaces, in one queue for each pair of
// interfaces. The source queue of the router holds at most as many packets of an interface as the
// interface has ports. The next packet is offered when a head has left, so that turns are taken as
// late as possible.
type queuePairs struct {
	net        *Network
	interfaces []networkInterface
	pairs      int // number of pairs
	sweepAt    int // number of pairs that triggers the next sweep
	events     heap.Heap[pairEvent]
	foreseen   int64 // events so far
	count      CongestionTotals
	delays     []delays                   // by node of the machine
	reports    bool                       // the caller wants entries
	watched    map[[2]topology.Node]int64 // notifications of pairs: see PairState
	cards      []float64                  // Config.cardFlitCycles
}

// delays are the notifications that have reached a node, and the time for which its packets have
// waited for their rates, since a packet of the node has arrived: see Delivery.
type delays struct {
	notifications int64
	rests         Cycle
}

// delaysOf returns the delays of the node of an interface.
func (q *queuePairs) delaysOf(from topology.Node) *delays { return &q.delays[from%q.net.nodes] }

// networkInterface is the state of a network interface.
type networkInterface struct {
	pairs   []*queuePair // by destination, in ascending order
	turns   []*queuePair // queue pairs whose turns will come, in this order
	offered []offeredPacket
	owed    *throttledNode // of Throttle: as a destination; nil without senders
}

// offeredPacket is a packet in the source queue of the router.
type offeredPacket struct {
	number     int64
	pair       *queuePair
	flits, job int32
	last       bool // it is the last of its message
}

// queuePair is the queue of messages from one interface to another. It exists at least while
// messages wait, packets or notifications are under way, or its rate is below that of the link.
type queuePair struct {
	from, to   topology.Node // interfaces
	waiting    []router.Offer
	busy       bool    // it waits for its turn or for its rate
	offered    int     // packets in the source queue of the router
	notices    int     // notifications on their way
	notBefore  Cycle   // from when its next packet may be offered
	back       Cycle   // time of a notification on its way, 0 if it is not known yet
	nextNotice Cycle   // DCQCN: from when its destination may send another notification
	limiter    limiter // nil: the pair sends at the rate of the link
	frozen     bool    // its clock stands: see Frozen
}

// pairEvent is an event of a queue pair: a notification arrives, or the wait for its rate ends.
type pairEvent struct {
	cycle  Cycle
	order  int64 // events of a cycle happen in the order in which they were foreseen
	pair   *queuePair
	notice *notice // the notification that comes; nil: the pair has waited for its rate
}

// Before implements heap.Heap.
func (e pairEvent) Before(o pairEvent) bool {
	return cmp.Or(cmp.Compare(e.cycle, o.cycle), cmp.Compare(e.order, o.order)) < 0
}

// minSweep is the minimum number of queue pairs at which a sweep forgets pairs without state.
const minSweep = 1 << 10

// newQueuePairs returns the queues of a network, nil if its interfaces have one queue each.
func newQueuePairs(n *Network) *queuePairs {
	if n.config.SourceQueues == OneQueue {
		return nil
	}
	q := &queuePairs{net: n, interfaces: make([]networkInterface, n.wiring.Nodes()),
		delays: make([]delays, n.nodes), sweepAt: minSweep, watched: map[[2]topology.Node]int64{}}
	if n.config.Congestion != nil {
		q.cards = n.config.cardFlitCycles(n.wiring)
	}
	return q
}

// find returns the place of the queue pair to a destination, and whether it exists.
func (s *networkInterface) find(to topology.Node) (i int, found bool) {
	return slices.BinarySearchFunc(s.pairs, to, func(p *queuePair, to topology.Node) int {
		return cmp.Compare(p.to, to)
	})
}

// pair returns the queue pair of two interfaces, and makes it if it does not exist.
func (q *queuePairs) pair(from, to topology.Node) *queuePair {
	s := &q.interfaces[from]
	i, found := s.find(to)
	if found {
		return s.pairs[i]
	}
	if q.pairs >= q.sweepAt { // twice as many as the last time left
		q.sweep()
		q.sweepAt = max(minSweep, 2*q.pairs)
		i, _ = s.find(to)
	}
	p := &queuePair{from: from, to: to}
	if c := q.net.config.Congestion; c != nil && !q.inHost(from, to) {
		p.limiter = c.begin(q, p)
	}
	s.pairs = slices.Insert(s.pairs, i, p)
	q.pairs++
	return p
}

// sweep forgets the queue pairs without state.
func (q *queuePairs) sweep() {
	for i := range q.interfaces {
		for _, p := range slices.Backward(q.interfaces[i].pairs) {
			q.forget(p)
		}
	}
}

// release resets the state of a queue pair that is released, and reports whether it has none.
func (q *queuePairs) release(p *queuePair) (released bool) {
	if released = p.limiter == nil || p.limiter.released(q.net.Now()); released && p.limiter != nil {
		p.limiter = q.net.config.Congestion.begin(q, p)
	}
	return released
}

// forget deletes a queue pair without state: a new pair has the same state.
func (q *queuePairs) forget(p *queuePair) {
	now := q.net.Now()
	if !p.frozen && len(p.waiting)+p.offered+p.notices == 0 && !p.busy &&
		max(p.notBefore, p.nextNotice) <= now && q.release(p) {
		s := &q.interfaces[p.from]
		if i, found := s.find(p.to); found && s.pairs[i] == p {
			s.pairs = slices.Delete(s.pairs, i, i+1)
			q.pairs--
		}
	}
}

// send enters a message in its queue.
func (q *queuePairs) send(o router.Offer) {
	p := q.pair(o.From, o.To)
	p.waiting = append(p.waiting, o)
	q.await(p)
}

// await makes a queue pair with messages wait for its turn or for its rate, and forgets a pair
// without messages. A pair limited below the rate of its link offers one packet at a time to the
// router.
func (q *queuePairs) await(p *queuePair) {
	q.release(p)
	switch now := q.net.Now(); {
	case p.busy || len(p.waiting) == 0 || p.limiter != nil && p.offered > 0:
	case p.notBefore > now:
		p.busy = true
		q.count.Rests += p.notBefore - now
		q.delaysOf(p.from).rests += p.notBefore - now
		q.foresee(p.notBefore, p, nil)
	case q.net.failing.isCut(p.from, p.to):
		p.busy = true
		q.net.failing.block(p)
	default:
		p.busy = true
		s := &q.interfaces[p.from]
		s.turns = append(s.turns, p)
	}
	q.fill(p.from)
	q.forget(p)
}

// foresee enters an event.
func (q *queuePairs) foresee(cycle Cycle, p *queuePair, k *notice) {
	q.events.Push(pairEvent{cycle, q.foreseen, p, k})
	q.foreseen++
}

// fill offers packets of an interface to the router as long as it has room for them.
func (q *queuePairs) fill(node topology.Node) {
	s := &q.interfaces[node]
	for len(s.turns) > 0 && len(s.offered) < q.net.config.InjectionPorts {
		p := s.turns[0]
		s.turns, p.busy = s.turns[1:], false
		if len(p.waiting) > 0 && p.notBefore <= q.net.Now() && !q.net.failing.isCut(p.from, p.to) {
			q.offer(s, p) // otherwise all is dropped, or its rate or its way is gone since
		}
		q.await(p)
	}
}

// offer offers the next packet of a queue pair to the router.
func (q *queuePairs) offer(s *networkInterface, p *queuePair) {
	m := &p.waiting[0]
	packet := *m
	packet.Flits = min(m.Flits, int32(q.net.config.PacketFlits))
	m.Flits, m.Number, m.Identity = m.Flits-packet.Flits, m.Number+1, m.Identity+1
	last := m.Flits == 0
	if last {
		p.waiting = p.waiting[1:]
	}
	p.offered++
	s.offered = append(s.offered, offeredPacket{packet.Number, p, packet.Flits, packet.Job, last})
	q.net.routers.Offer(packet)
}

// until returns the cycle up to which the routers may advance.
func (q *queuePairs) until(cycle Cycle) Cycle {
	if len(q.events) > 0 {
		return min(cycle, q.events[0].cycle)
	}
	return cycle
}

// serve handles the events of this cycle, and the heads that have left, and returns the messages
// that have left the source queues, if they are wanted.
func (q *queuePairs) serve(left, entered []router.Entry) []router.Entry {
	for now := q.net.Now(); len(q.events) > 0 && q.events[0].cycle <= now; {
		e := q.events.Pop()
		if e.notice != nil {
			e.pair.notices--
			q.count.Notifications++
			q.delaysOf(e.pair.from).notifications++
			q.watch(e.pair)
			q.release(e.pair)
			q.net.config.Congestion.notified(q, e.pair, e.notice)
		} else {
			e.pair.busy = false
		}
		q.await(e.pair)
	}
	for i := range left {
		if q.left(&left[i]) && q.reports {
			entered = append(entered, left[i])
		}
	}
	return entered
}

// watch counts a notification that reaches a pair whose state is read: see PairState.
func (q *queuePairs) watch(p *queuePair) {
	ends := [2]topology.Node{p.from, p.to}
	if n, watched := q.watched[ends]; watched {
		q.watched[ends] = n + 1
	}
}

// left handles a head that has left the source queue of the router in the last cycle, and reports
// whether its packet was the last of a message.
func (q *queuePairs) left(e *router.Entry) (last bool) {
	s := &q.interfaces[e.Node]
	k := slices.IndexFunc(s.offered, func(o offeredPacket) bool { return o.number == e.Number })
	if k < 0 {
		return false // it has left before, and is sent again
	}
	o := s.offered[k]
	s.offered = slices.Delete(s.offered, k, k+1)
	p := o.pair
	p.offered--
	if q.release(p); p.limiter != nil {
		p.notBefore = max(p.notBefore, p.limiter.next(o.flits, e.Cycle-1))
	}
	if c := q.net.config.Congestion; c != nil && !q.inHost(p.from, p.to) {
		c.sent(q, p, o.flits)
	}
	q.await(p)
	return o.last
}

// drop removes the messages of a job that wait at an interface and calls dropped for each. It also
// forgets the job's packets that were offered and are no longer in the source queue of the router.
func (q *queuePairs) drop(node topology.Node, job int32, dropped func(message, flits int32)) {
	s := &q.interfaces[node]
	s.offered = slices.DeleteFunc(s.offered, func(o offeredPacket) bool {
		if o.job == job {
			o.pair.offered--
		}
		return o.job == job
	})
	list := slices.Clone(s.pairs)
	for _, p := range list {
		p.waiting = slices.DeleteFunc(p.waiting, func(o router.Offer) bool {
			if o.Job == job {
				dropped(o.Message, o.Flits)
			}
			return o.Job == job
		})
	}
	for _, p := range list {
		q.await(p)
	}
}

// PairState is the state of a queue pair.
type PairState struct {
	// Rate is the rate of the pair over the rate of its link: 1 without congestion.
	Rate float64
	// Alpha is the estimate of congestion of DCQCN, 1 before it is used; 0 without DCQCN.
	Alpha float64
	// Notifications is the number of notifications that have reached the source since the first call
	// of Network.PairState for the pair.
	Notifications int64
	// QueuedFlits is the queue for the link to the destination: the flits for it in its router. The
	// worm engine does not know the number: it is -1.
	QueuedFlits int64
}

// PairState returns the state of the queue pair of two network interfaces (of two nodes if each has
// one interface), and false without queue pairs. Calls do not affect the run.
func (n *Network) PairState(from, to topology.Node) (s PairState, ok bool) {
	q := n.pairs
	if q == nil {
		return s, false
	}
	ends := [2]topology.Node{from, to}
	s = PairState{Rate: 1, Notifications: q.watched[ends], QueuedFlits: int64(n.routers.QueuedFor(to))}
	q.watched[ends] = s.Notifications
	if _, any := n.config.Congestion.(*DCQCN); any {
		s.Alpha = 1
	}
	k := &q.interfaces[from]
	if i, found := k.find(to); found && k.pairs[i].limiter != nil {
		s.Rate, s.Alpha = k.pairs[i].limiter.state(n.Now())
	}
	return s, true
}

// state implements limiter.
func (r *dcqcnRate) state(t Cycle) (rate, alpha float64) {
	k := *r
	if k.released(t) {
		return 1, 1
	}
	return k.current, k.alpha
}

// state implements limiter.
func (r *ibccaRate) state(t Cycle) (rate, alpha float64) {
	k := *r
	return 1 / (1 + float64(float64(k.at(t))*k.of.DelayStep)), 0
}

// state implements limiter.
func (r *throttleRate) state(t Cycle) (rate, alpha float64) {
	if r.released(t) {
		return 1, 0
	}
	return r.rate, 0
}
