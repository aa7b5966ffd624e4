package tasks

import (
	"fmt"

	"contend/patterns"
)

// matching matches messages and receives.
type matching struct {
	// flights have the same numbers whenever the same ones are under way: flight n of a Send is
	// the number of the Send plus n times the number of tasks, with the lowest free n.
	flights []flight
	queues  []routeQueues // by route
	any     []fifo[int32] // by rank: posted receives with wildcards, in the order of posting
	cleared fifo[waiter]  // flights that are matched and whose messages are clear to send
	posted  []int64       // by task: number of the event at which a receive was posted
	events  int64         // number of posted receives and arrived messages
	moving  int           // messages and requests under way, and cleared ones
	failed  error         // a message longer than its receive, which MPI forbids
	waiting int           // messages, or requests for them, that have arrived and have no receive
}

// flight is the state of a message from its Send until it is matched.
type flight struct {
	send     int32 // its task
	receive  int32 // the task that it is matched with, or none
	arrival  int64 // number of the event at which it arrived
	arrived  bool  // the message or its request has arrived
	complete bool  // the message itself has arrived
	begun    bool  // it is used
}

// The kinds of messages in the network. The tag of a message combines the number of its flight and
// its kind.
const (
	eagerKind       = iota
	requestKind     // asks to send a long message
	clearKind       // answers that the long message is clear to send
	longKind        // the long message itself
	kindsOfMessages // number of kinds
)

// none marks the absence of a task or route.
const none = -1

// routeQueues holds the unmatched messages and receives of a route.
type routeQueues struct {
	sent    fifo[int32] // flights from the first one that has not arrived, in the order of sending
	arrived fifo[int32] // flights without a receive
	posted  fifo[int32] // receives without a message
}

// newMatching returns the state before the first event of a program.
func newMatching(x *index) matching {
	return matching{queues: make([]routeQueues, len(x.routes)),
		any:    make([]fifo[int32], len(x.first)-1),
		posted: make([]int64, len(x.rank))}
}

// beginFlight begins the flight of a Send and returns its number.
func (p *program) beginFlight(send int32) int32 {
	f := send
	for int(f) < len(p.flights) && p.flights[f].begun {
		f += int32(len(p.rank))
	}
	for int(f) >= len(p.flights) {
		p.flights = append(p.flights, make([]flight, len(p.rank))...)
	}
	p.flights[f] = flight{send: send, receive: none, begun: true}
	p.queues[p.route[send]].sent.push(f)
	p.moving++
	return f
}

// deliver records the arrival of the message of flight f. A long message arrives after its receive
// was posted.
func (p *program) deliver(f int32, long bool) {
	if k := &p.flights[f]; !long {
		k.complete = true
		p.matchArrived(f)
	} else {
		p.moving--
		k.begun = false
		p.endTask(k.receive)
	}
}

// appendClears appends the answers to requests that have been matched.
func (p *program) appendClears(dst []patterns.Message) []patterns.Message {
	for p.cleared.len() > 0 {
		d := p.cleared.pop()
		m := p.message(p.flights[d.n].send, d.n, clearKind)
		m.From, m.To, m.Flits = m.To, m.From, int32(p.lengths.PadFlits)
		p.trace.Release(d.after)
		dst = append(dst, m)
	}
	return dst
}

// matchArrived records that the message of flight f, or its request, has arrived. Messages of a
// route are matched in the order of sending: matchArrived matches the first flights of the route as
// far as they have arrived.
func (p *program) matchArrived(f int32) {
	p.moving--
	p.flights[f].arrived = true
	r := p.route[p.flights[f].send]
	q := &p.queues[r]
	for q.sent.len() > 0 && p.flights[q.sent.first()].arrived {
		f := q.sent.pop()
		p.flights[f].arrival = p.event()
		if receive, ok := p.takeReceive(r); ok {
			p.match(f, receive)
		} else {
			q.arrived.push(f)
			p.waiting++
		}
	}
}

// event counts an event and returns its number.
func (p *program) event() int64 {
	p.events++
	return p.events
}

// takeReceive removes and returns the first posted receive that matches a route. It reports false
// if there is none.
func (p *program) takeReceive(r int32) (int32, bool) {
	q, k := &p.queues[r].posted, p.routes[r]
	any := &p.any[k.to]
	for i := any.head; i < len(any.list); i++ {
		t := any.list[i]
		if q.len() > 0 && p.posted[q.first()] < p.posted[t] {
			break
		}
		if p.task(t).matches(k) {
			any.remove(i)
			return t, true
		}
	}
	if q.len() == 0 {
		return none, false
	}
	return q.pop(), true
}

// matches reports whether messages of a route to its rank match a Receive.
func (t *Task) matches(k route) bool {
	return (t.Peer == AnyRank || t.Peer == k.from) && (t.Tag == AnyTag || t.Tag == k.tag)
}

// remove removes the value at an index of the list.
func (q *fifo[T]) remove(i int) {
	copy(q.list[q.head+1:i+1], q.list[q.head:i])
	q.pop()
}

// post posts a receive, and matches it with a message that has arrived.
func (p *program) post(i int32, t *Task) {
	p.posted[i] = p.event()
	r := p.route[i]
	if r < 0 {
		r = p.oldestRoute(p.rank[i], t)
	}
	switch {
	case r >= 0 && p.queues[r].arrived.len() > 0:
		p.waiting--
		p.match(p.queues[r].arrived.pop(), i)
	case p.route[i] >= 0:
		p.queues[r].posted.push(i)
	default:
		p.any[p.rank[i]].push(i)
	}
}

// oldestRoute returns the route of the first arrived message that matches a receive, or none.
func (p *program) oldestRoute(rank patterns.Rank, t *Task) int32 {
	best, first := int32(none), int64(0)
	for _, r := range p.into.at(int32(rank)) {
		if q := &p.queues[r].arrived; q.len() > 0 && t.matches(p.routes[r]) {
			if at := p.flights[q.first()].arrival; best == none || at < first {
				best, first = r, at
			}
		}
	}
	return best
}

// match matches a message with a receive. A long message is then clear to send.
func (p *program) match(f, receive int32) {
	k := &p.flights[f]
	if sent, room := p.task(k.send).Bytes, p.task(receive).Bytes; room > 0 && sent > room {
		r := p.rank[receive]
		p.failed = badTask(p.Ranks, r, receive-p.first[r],
			"it has room for %d bytes and is met by a message of %d bytes from rank %d", room, sent,
			p.rank[k.send])
		return // the receive does not end, so the program does not either
	}
	if k.receive = receive; k.complete {
		k.begun = false
		p.endTask(receive)
		return
	}
	p.moving++
	p.cleared.push(waiter{n: f, after: p.trace.Handled()})
}

// appendMatching appends the state of matching to a position. Numbers of events count back from the
// last one.
func (p *program) appendMatching(dst []int64) []int64 {
	for f := range p.flights {
		if k := &p.flights[f]; k.begun {
			state := int64(0)
			if k.arrival > 0 {
				state = 1 + p.events - k.arrival
			}
			if state *= 4; k.arrived {
				state++
			}
			if k.complete {
				state += 2
			}
			dst = append(dst, int64(f), int64(k.receive), state)
		}
	}
	dst = append(dst, none)
	posted := func(q *fifo[int32]) {
		dst = append(dst, int64(q.len()))
		for _, i := range q.list[q.head:] {
			dst = append(dst, int64(i), p.events-p.posted[i])
		}
	}
	for i := range p.queues {
		q := &p.queues[i]
		dst = append(dst, int64(q.sent.len()))
		for _, f := range q.sent.list[q.sent.head:] {
			dst = append(dst, int64(f))
		}
		posted(&q.posted)
	}
	for r := range p.any {
		posted(&p.any[r])
	}
	return appendWaiters(dst, &p.cleared)
}

// stuck returns the error of a program that is not done while nothing is under way. It names the
// receive that was posted first, otherwise a message without a receive.
func (p *program) stuck() error {
	best := int32(none)
	consider := func(q *fifo[int32]) {
		for _, i := range q.list[q.head:] {
			if best == none || p.posted[i] < p.posted[best] {
				best = i
			}
		}
	}
	for k := range p.queues {
		consider(&p.queues[k].posted)
	}
	for r := range p.any {
		consider(&p.any[r])
	}
	at := func(i int32) (patterns.Rank, int32) { return p.rank[i], i - p.first[p.rank[i]] }
	if best != none {
		r, i := at(best)
		return badTask(p.Ranks, r, i, "it waits for a message %s, and nothing is under way",
			p.task(best).source())
	}
	for k := range p.queues {
		if q := &p.queues[k].arrived; q.len() > 0 {
			r, i := at(p.flights[q.first()].send)
			return badTask(p.Ranks, r, i, "rank %d never receives its message with tag %d", p.routes[k].to,
				p.routes[k].tag)
		}
	}
	return fmt.Errorf("nothing is under way, and %d ranks have not ended", p.running)
}
