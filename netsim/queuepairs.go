package netsim

import (
	"cmp"
	"slices"

	"contend/internal/heap"
	"contend/router"
	"contend/router/topology"
)

// SourceQueues says how the messages of a network interface wait for their turn.
type SourceQueues uint8

// The two kinds of source queues.
const (
	// OneQueue keeps all messages of an interface in the order in which they were sent.
	OneQueue SourceQueues = iota
	// QueuePerDestination keeps those for each destination in a queue of their own, a queue pair.
	// Queues with messages take turns, a packet each.
	QueuePerDestination
)

// queuePairs has the messages that wait at network interfaces, a queue for each two interfaces. The
// source queue of the router holds no more packets of an interface than the interface has ports.
// The next is offered when a head has left, so that all turns are taken as late as possible.
type queuePairs struct {
	net        *Network
	ports      int // of an interface
	interfaces []networkInterface
	at         map[[2]topology.Node]int32 // index of a queue pair by its source and destination
	list       []queuePair
	free       []int32 // unused indices of list
	waiting    []waitingMessage
	unused     []int32 // unused indices of waiting
	events     heap.Heap[pairEvent]
	happened   int64      // events so far
	control    congestion // nil: none
	count      CongestionTotals
	sweepAt    int  // queue pairs from which on those at the rate of their link are forgotten
	reports    bool // the caller wants entries
}

// networkInterface is the state of a network interface.
type networkInterface struct {
	first, last int32 // of the list of queue pairs whose turns will come; first is none if it is empty
	offered     []offeredPacket
}

// offeredPacket is a packet in the source queue of the router.
type offeredPacket struct {
	number int64 // of the packet
	job    int32
	pair   int32
	flits  int32
	last   bool // it is the last of its message
}

// queuePair is the queue of messages from one interface to another. It exists while messages wait,
// packets or notifications are under way, or its rate is below that of the link.
type queuePair struct {
	from, to    topology.Node // interfaces
	first, last int32         // messages that wait; first is none if there are none
	next        int32         // in the list of the interface
	state       pairState
	used        bool
	offered     int32   // packets in the source queue of the router
	notices     int32   // notifications on their way
	notBefore   Cycle   // from when its next packet may be offered
	back        Cycle   // time of a notification on its way, 0 if it is not known yet
	noticed     Cycle   // cycle of the last notification that its destination sent, or before all
	limiter     limiter // nil: the pair sends at the rate of the link
}

// pairState says what a queue pair waits for.
type pairState uint8

const (
	pairIdle  pairState = iota // for messages, or for the head of its packet to leave
	pairReady                  // for its turn
	pairRests                  // for its rate
)

// waitingMessage is a message in a queue, or the rest of it.
type waitingMessage struct {
	router.Offer
	next int32 // in its queue
}

// pairEvent is something that happens to a queue pair in a cycle.
type pairEvent struct {
	cycle  Cycle
	order  int64 // events of a cycle happen in the order in which they were foreseen
	pair   int32
	comes  bool // a notification comes; otherwise the pair has rested
	notice notice
}

// Before implements heap.Heap.
func (e pairEvent) Before(o pairEvent) bool {
	return cmp.Or(cmp.Compare(e.cycle, o.cycle), cmp.Compare(e.order, o.order)) < 0
}

// newQueuePairs returns the queues of a network, nil if its interfaces have one queue each.
func newQueuePairs(n *Network) *queuePairs {
	c := &n.config
	if c.SourceQueues == OneQueue {
		return nil
	}
	q := &queuePairs{net: n, ports: c.InjectionPorts, at: map[[2]topology.Node]int32{},
		interfaces: make([]networkInterface, n.wiring.Nodes()), sweepAt: minSweep}
	for i := range q.interfaces {
		q.interfaces[i].first = none
	}
	if c.Congestion != nil {
		q.control = c.Congestion.start(n)
	}
	return q
}

// pair returns the index of the queue pair of two interfaces, which it makes if there is none.
func (q *queuePairs) pair(from, to topology.Node) int32 {
	ends := [2]topology.Node{from, to}
	if i, ok := q.at[ends]; ok {
		return i
	}
	if len(q.at) >= q.sweepAt {
		q.sweep()
	}
	i := take(&q.list, &q.free)
	q.list[i] = queuePair{from: from, to: to, first: none, used: true, noticed: before}
	if q.control != nil {
		q.control.begin(&q.list[i])
	}
	q.at[ends] = i
	return i
}

// before is a cycle before all others.
const before = -1 << 62

// take returns the index of an unused place of a list, which grows if there is none.
func take[T any](list *[]T, free *[]int32) int32 {
	if k := len(*free); k > 0 {
		i := (*free)[k-1]
		*free = (*free)[:k-1]
		return i
	}
	var empty T
	*list = append(*list, empty)
	return int32(len(*list) - 1)
}

// forget frees a queue pair that has no state.
func (q *queuePairs) forget(i int32) {
	p := &q.list[i]
	if p.limiter != nil && p.limiter.released(q.net.Now()) {
		p.limiter = nil
	}
	if p.first != none || p.offered+p.notices > 0 || p.limiter != nil || p.state != pairIdle {
		return
	}
	delete(q.at, [2]topology.Node{p.from, p.to})
	*p = queuePair{}
	q.free = append(q.free, i)
}

// minSweep is the number of queue pairs from which on sweep looks for some to forget.
const minSweep = 1 << 10

// sweep forgets the queue pairs whose rates have come back to those of their links. It comes again
// when there are twice as many as it leaves.
func (q *queuePairs) sweep() {
	for i := range q.list {
		if q.list[i].used {
			q.forget(int32(i))
		}
	}
	q.sweepAt = max(minSweep, 2*len(q.at))
}

// send enters a message in its queue.
func (q *queuePairs) send(o router.Offer) {
	i := q.pair(o.From, o.To)
	m := take(&q.waiting, &q.unused)
	q.waiting[m] = waitingMessage{o, none}
	p := &q.list[i]
	if p.first == none {
		p.first = m
	} else {
		q.waiting[p.last].next = m
	}
	p.last = m
	q.await(i)
	q.fill(p.from)
}

// await lets a queue pair with messages wait for its turn, or for its rate. A pair below the rate of
// its link has one packet under way to the router at a time.
func (q *queuePairs) await(i int32) {
	p, now := &q.list[i], q.net.Now()
	switch {
	case p.state != pairIdle || p.first == none || p.limiter != nil && p.offered > 0:
	case p.notBefore > now:
		p.state = pairRests
		q.count.Rests += p.notBefore - now
		q.foresee(pairEvent{cycle: p.notBefore, pair: i})
	case q.net.failing.isCut(p.from, p.to):
		p.state = pairRests
		q.net.failing.block(i)
	default:
		s := &q.interfaces[p.from]
		p.state, p.next = pairReady, none
		if s.first == none {
			s.first = i
		} else {
			q.list[s.last].next = i
		}
		s.last = i
	}
}

// foresee enters an event.
func (q *queuePairs) foresee(e pairEvent) {
	e.order = q.happened
	q.happened++
	q.events.Push(e)
}

// fill offers packets of an interface to the router as long as it has room for them.
func (q *queuePairs) fill(node topology.Node) {
	s := &q.interfaces[node]
	for s.first != none && len(s.offered) < q.ports {
		i := s.first
		p := &q.list[i]
		if s.first, p.state = p.next, pairIdle; p.first == none { // dropped
			q.forget(i)
			continue
		}
		if p.notBefore <= q.net.Now() && !q.net.failing.isCut(p.from, p.to) {
			q.offer(s, i)
		}
		q.await(i)
	}
}

// offer offers the next packet of a queue pair to the router.
func (q *queuePairs) offer(s *networkInterface, i int32) {
	p := &q.list[i]
	m := &q.waiting[p.first]
	packet := m.Offer
	packet.Flits = min(m.Flits, int32(q.net.config.PacketFlits))
	m.Flits -= packet.Flits
	m.Number++
	m.Identity++
	s.offered = append(s.offered, offeredPacket{packet.Number, packet.Job, i, packet.Flits,
		m.Flits == 0})
	p.offered++
	if m.Flits == 0 {
		q.unused = append(q.unused, p.first)
		p.first = m.next
	}
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
	now := q.net.Now()
	for len(q.events) > 0 && q.events[0].cycle <= now {
		e := q.events.Pop()
		p := &q.list[e.pair]
		if e.comes {
			p.notices--
			q.control.notified(p, e.notice, now)
		} else {
			p.state = pairIdle
			q.await(e.pair)
			q.fill(p.from)
		}
		if p.first == none {
			q.forget(e.pair)
		}
	}
	for _, e := range left {
		if q.left(&e) && q.reports {
			entered = append(entered, e)
		}
	}
	return entered
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
	p := &q.list[o.pair]
	p.offered--
	if p.limiter != nil {
		p.notBefore = max(p.notBefore, p.limiter.next(o.flits, e.Cycle-1))
	}
	if q.control != nil {
		q.control.sent(p.from, p.to, o.flits)
	}
	q.await(o.pair)
	q.fill(e.Node)
	if q.list[o.pair].first == none {
		q.forget(o.pair)
	}
	return o.last
}

// drop removes the messages of a job that wait at an interface, and those offered, which the source
// queue of the router holds no longer, and reports the former as router.Routers.Drop does.
func (q *queuePairs) drop(node topology.Node, job int32, dropped func(message, flits int32)) {
	s := &q.interfaces[node]
	s.offered = slices.DeleteFunc(s.offered, func(o offeredPacket) bool {
		if o.job == job {
			q.list[o.pair].offered--
		}
		return o.job == job
	})
	for i := range q.list {
		p := &q.list[i]
		if !p.used || p.from != node {
			continue
		}
		at := &p.first
		for *at != none {
			m := *at
			if k := &q.waiting[m]; k.Job == job {
				dropped(k.Message, k.Flits)
				q.unused, *at = append(q.unused, m), k.next
			} else {
				p.last, at = m, &k.next
			}
		}
		if q.await(int32(i)); p.first == none {
			q.forget(int32(i))
		}
	}
	q.fill(node)
}
