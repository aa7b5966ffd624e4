package executor

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"contend/patterns"
	"contend/patterns/tasks"
)

// crossing is a message of a send as a recorder saw it: when it was sent, when it arrived, and when
// it was received, after the work of the process.
type crossing struct {
	from, to               patterns.Rank
	sent, arrived, receive int64
}

// recorder is a program of tasks whose messages are recorded. The length of a message tells which
// send it is of.
type recorder struct {
	patterns.Waking
	now     int64
	open    map[int32][]*crossing // by flight
	sends   map[int32][]*crossing // by length in flits: one message, or request, answer and message
	arrival map[int32]int64       // by tag, of the last packet
	late    bool                  // a packet has waited
}

// perFlight is the kinds of messages. The first and the last have the length of the send.
const perFlight = 4

func (r *recorder) At(cycle int64) { r.now = cycle; r.Waking.At(cycle) }

// Trace is that of the program, if it has one.
func (r *recorder) Trace(t *patterns.Trace) { r.Waking.(patterns.Traced).Trace(t) }

func (r *recorder) Sent(m patterns.Message) {
	flight, kind := m.Tag/perFlight, m.Tag%perFlight
	if kind < 2 {
		r.open[flight] = nil
	}
	r.open[flight] = append(r.open[flight], &crossing{from: m.From, to: m.To, sent: r.now})
	if kind == 0 || kind == 3 {
		r.sends[m.Flits] = r.open[flight]
	}
	r.Waking.Sent(m)
}

func (r *recorder) Delivered(dst []patterns.Message, m patterns.Message) []patterns.Message {
	list := r.open[m.Tag/perFlight]
	k := list[len(list)-1]
	k.arrived, k.receive = r.arrival[m.Tag], r.now
	return r.Waking.Delivered(dst, m)
}

// sums is what is on a path: cycles of computing, of work for messages, and messages.
type sums struct{ computing, software, messages int64 }

// taskTimes are the times of a task. A send frees its stream when its request has left.
type taskTimes struct {
	started, known     bool // known says that its end is
	ready, start, free int64
	order              int // of what was ready at once, receives come before the streams' tasks
	end                int64
	before             *taskTimes // that had the stream before, or nil
	rank               int
	task               *tasks.Task
	sends              []*crossing // of a send, or of the send that a receive receives
	// selfSend is the send to the rank itself that a receive receives, selfReceive that receive.
	selfSend, selfReceive *taskTimes
	earlier               []*taskTimes
}

// oracle finds the critical paths of a graph from the times of its messages, by going back from
// time to equal time. Where several requirements were met at once it follows all of them.
type oracle struct {
	ranks    [][]*taskTimes
	software Software
	end      int64
	rng      *rand.Rand // nil for the order of the tasks
	crossed  []*crossing
	paths    map[any]map[sums]bool
}

// newOracle takes the times of messages from a recorder and finds those of tasks: each starts when
// all that it waits for is over, on its stream in the order in which they get ready. Those that get
// ready at once are in their order, some of them in another one that rng draws, as by two messages
// that come in one cycle. It reports false if this does not explain the times of messages and the
// end of the job.
func newOracle(graph [][]tasks.Task, r *recorder, s Software, end int64, rng *rand.Rand) (*oracle,
	bool) {
	o := &oracle{software: s, paths: map[any]map[sums]bool{}, rng: rng}
	type route struct {
		from, to patterns.Rank
		tag      int32
	}
	sends := map[route][]*taskTimes{}
	for rank, list := range graph {
		o.ranks = append(o.ranks, nil)
		for i := range list {
			t := &taskTimes{rank: rank, task: &list[i]}
			o.ranks[rank] = append(o.ranks[rank], t)
			if k := t.task; k.Kind == tasks.Send {
				at := route{patterns.Rank(rank), k.Peer, k.Tag}
				t.earlier = sends[at]
				t.sends = r.sends[int32(k.Bytes/8)]
				o.crossed = append(o.crossed, t.sends...)
				sends[at] = append(sends[at], t)
			}
		}
	}
	for rank := range o.ranks {
		for _, t := range o.ranks[rank] {
			if k := t.task; k.Kind == tasks.Receive {
				at := route{k.Peer, patterns.Rank(rank), k.Tag}
				send := sends[at][0]
				sends[at] = sends[at][1:]
				t.sends, t.earlier = send.sends, send.earlier
				if int(k.Peer) == rank {
					t.selfSend, send.selfReceive = send, t
				}
			}
		}
	}
	stream := map[[2]int]*taskTimes{}
	for {
		next := o.next(stream)
		if next == nil {
			break
		}
		if !o.begin(next, stream) {
			return nil, false
		}
	}
	for _, list := range o.ranks {
		for _, t := range list {
			if !t.known {
				return nil, false
			}
			o.end = max(o.end, t.end)
		}
	}
	for _, k := range o.crossed {
		o.end = max(o.end, k.receive)
	}
	return o, o.end == end && len(o.critical()) > 0
}

// next returns the task that starts next.
func (o *oracle) next(stream map[[2]int]*taskTimes) (best *taskTimes) {
	for rank, list := range o.ranks {
	task:
		for i, t := range list {
			if t.started {
				continue
			}
			t.ready, t.order = 0, i
			if t.task.Kind == tasks.Receive {
				t.order = -1
			}
			for _, i := range t.task.After {
				if !list[i].known {
					continue task
				}
				t.ready = max(t.ready, list[i].end)
			}
			for _, i := range t.task.With {
				if !list[i].started {
					continue task
				}
				t.ready = max(t.ready, list[i].start)
			}
			t.start = t.ready
			if t.task.Kind != tasks.Receive {
				if t.before = stream[[2]int{rank, int(t.task.CPU)}]; t.before != nil {
					t.start = max(t.start, t.before.free)
				}
			}
			if o.rng != nil && o.rng.IntN(8) == 0 {
				t.order = o.rng.IntN(len(list))
			}
			if best == nil || cmp.Or(cmp.Compare(t.start, best.start),
				cmp.Compare(t.ready, best.ready), cmp.Compare(t.order, best.order)) < 0 {
				best = t
			}
		}
	}
	return best
}

// begin finds when a task ends.
func (o *oracle) begin(t *taskTimes, stream map[[2]int]*taskTimes) bool {
	t.started, t.known, t.end = true, true, t.start
	switch t.task.Kind {
	case tasks.Calc:
		t.end += t.task.Time
		t.free = t.end
	case tasks.Send:
		if int(t.task.Peer) == t.rank {
			t.free = t.end
			if k := t.selfReceive; k.started {
				k.known, k.end = true, max(k.start, t.start)
			}
			break
		}
		if len(t.sends) == 0 || t.sends[0].sent < t.start+o.software.Send {
			return false // the message left before its task could begin
		}
		t.free, t.end = t.sends[0].sent, t.sends[len(t.sends)-1].sent
	case tasks.Receive:
		if k := t.selfSend; k != nil {
			t.known, t.end = k.started, max(t.end, k.start)
		} else if len(t.sends) == 1 {
			t.end = max(t.end, o.here(t))
		} else {
			t.end = t.sends[2].receive
		}
		return true
	}
	stream[[2]int{t.rank, int(t.task.CPU)}] = t
	return true
}

// here returns when the message of a receive, or its request, counts: not before those that were
// sent before.
func (o *oracle) here(t *taskTimes) (at int64) {
	for _, k := range o.heldBy(t) {
		at = max(at, k.receive)
	}
	return at
}

func (o *oracle) heldBy(t *taskTimes) (list []*crossing) {
	for _, e := range t.earlier {
		list = append(list, e.sends[0])
	}
	return append(list, t.sends[0])
}

// key names an event: the start or end of a task, a message that leaves or is received.
type key struct {
	of  any
	end bool
}

// critical returns what may be on a critical path.
func (o *oracle) critical() map[sums]bool {
	all := map[sums]bool{}
	for _, list := range o.ranks {
		for _, t := range list {
			if t.end == o.end {
				o.add(all, key{t, true}, sums{})
			}
		}
	}
	for _, k := range o.crossed {
		if k.receive == o.end {
			o.add(all, key{k, true}, sums{})
		}
	}
	return all
}

// add adds what is on the paths to an event, and more.
func (o *oracle) add(all map[sums]bool, e key, more sums) {
	for s := range o.to(e) {
		all[sums{s.computing + more.computing, s.software + more.software,
			s.messages + more.messages}] = true
	}
}

// to returns what is on the paths to an event.
func (o *oracle) to(e key) map[sums]bool {
	if all, ok := o.paths[e]; ok {
		return all
	}
	all := map[sums]bool{}
	o.paths[e] = all
	switch of := e.of.(type) {
	case *taskTimes:
		if e.end {
			o.toEnd(all, of)
		} else {
			o.toStart(all, of)
		}
	case *crossing:
		if e.end {
			o.toReceipt(all, of)
		} else {
			o.toSending(all, of)
		}
	}
	return all
}

func (o *oracle) toStart(all map[sums]bool, t *taskTimes) {
	if t.start == 0 {
		all[sums{}] = true
	}
	for _, i := range t.task.After {
		if k := o.ranks[t.rank][i]; k.end == t.start {
			o.add(all, key{k, true}, sums{})
		}
	}
	for _, i := range t.task.With {
		if k := o.ranks[t.rank][i]; k.start == t.start {
			o.add(all, key{k, false}, sums{})
		}
	}
	if k := t.before; t.task.Kind != tasks.Receive && k != nil && k.free == t.start {
		if k.task.Kind == tasks.Send && len(k.sends) > 0 {
			o.add(all, key{k.sends[0], false}, sums{})
		} else {
			o.add(all, key{k, true}, sums{})
		}
	}
}

func (o *oracle) toEnd(all map[sums]bool, t *taskTimes) {
	switch last := len(t.sends) - 1; {
	case t.task.Kind == tasks.Calc:
		o.add(all, key{t, false}, sums{computing: t.task.Time})
	case t.task.Kind == tasks.Send && last < 0:
		o.add(all, key{t, false}, sums{})
	case t.task.Kind == tasks.Send:
		o.add(all, key{t.sends[last], false}, sums{})
	case last > 0:
		o.add(all, key{t.sends[last], true}, sums{})
	default:
		o.toMatch(all, t, t.end)
	}
}

// toMatch adds the paths to a cycle in which a receive got its message, or the request for it.
func (o *oracle) toMatch(all map[sums]bool, t *taskTimes, at int64) {
	if t.start == at {
		o.add(all, key{t, false}, sums{})
	}
	if k := t.selfSend; k != nil {
		if k.start == at {
			o.add(all, key{k, false}, sums{})
		}
		return
	}
	for _, k := range o.heldBy(t) {
		if k.receive == at {
			o.add(all, key{k, true}, sums{})
		}
	}
}

// toSending adds the paths to a message that leaves: it was released, or its process was busy.
func (o *oracle) toSending(all map[sums]bool, k *crossing) {
	begun := k.sent - o.software.Send
	more := sums{software: o.software.Send}
	for _, list := range o.ranks {
		for _, t := range list {
			at := slices.Index(t.sends, k)
			switch {
			case at == 0 && t.task.Kind == tasks.Send && t.start == begun:
				o.add(all, key{t, false}, more)
			case at == 1 && t.task.Kind == tasks.Receive && max(t.start, o.here(t)) == begun:
				match := map[sums]bool{}
				o.toMatch(match, t, begun)
				for s := range match {
					all[sums{s.computing, s.software + more.software, s.messages}] = true
				}
			case at == 2 && t.task.Kind == tasks.Send && t.sends[1].receive == begun:
				o.add(all, key{t.sends[1], true}, more)
			}
		}
	}
	if len(all) == 0 {
		o.toBusy(all, k, k.from, begun, more)
	}
}

func (o *oracle) toReceipt(all map[sums]bool, k *crossing) {
	begun := k.receive - o.software.Receive
	if k.arrived == begun {
		o.add(all, key{k, false}, sums{software: o.software.Receive, messages: 1})
	} else {
		o.toBusy(all, k, k.to, begun, sums{software: o.software.Receive})
	}
}

// toBusy adds the paths to other work of a process that ends in a cycle.
func (o *oracle) toBusy(all map[sums]bool, but *crossing, r patterns.Rank, at int64, more sums) {
	if o.software == (Software{}) {
		return
	}
	for _, k := range o.crossed {
		if k != but && k.from == r && k.sent == at {
			o.add(all, key{k, false}, more)
		}
		if k != but && k.to == r && k.receive == at {
			o.add(all, key{k, true}, more)
		}
	}
}
