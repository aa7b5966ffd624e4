package tasks

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"contend/internal/heap"
	"contend/patterns"
)

// program is one run of a graph.
type program struct {
	*index
	Work
	lengths    patterns.Config // FlitBytes, PadFlits, Scale and RendezvousFlits
	iterations int64           // of each rank
	now        int64           // cycle
	order      int64           // number of computations that have begun

	waits     []int32      // by task: number of tasks that it still waits for
	left      []int32      // by rank: number of tasks that have not ended in this iteration
	iteration []int64      // by rank: number of iterations that have ended
	running   int          // number of ranks that have not finished
	lanes     []lane       // by stream
	ready     fifo[waiter] // tasks that became ready
	open      fifo[int32]  // streams whose next task may begin
	ends      heap.Heap[calcEnd]
	trace     *patterns.Trace // nil unless it is traced
	matching
}

// lane is the state of a stream.
type lane struct {
	queue heap.Heap[waiter] // tasks that are ready
	busy  bool              // with a Calc, or a Send that has not left
	freed patterns.Event    // freed the stream, if the first task of the queue had to wait
	rest  int64             // fraction of a cycle left over by computations, in 1/Nanoseconds
}

// Program implements patterns.Work, for a graph that Check accepts.
func (w Work) Program(c patterns.Config, iterations int64) patterns.Program {
	c = withLengths(c)
	w.Cycles, w.Nanoseconds = cmp.Or(w.Cycles, 1), cmp.Or(w.Nanoseconds, 1)
	x, n := w.index(), len(w.Ranks)
	return &program{index: x, Work: w, lengths: c, iterations: iterations,
		waits: append([]int32(nil), x.waits...), left: make([]int32, n), iteration: make([]int64, n),
		running: n, lanes: make([]lane, x.streams), matching: newMatching(x)}
}

// withLengths fills in the defaults of what sets the lengths of messages.
func withLengths(c patterns.Config) patterns.Config {
	c.FlitBytes, c.PadFlits, c.Scale = cmp.Or(c.FlitBytes, 8), cmp.Or(c.PadFlits, 1),
		cmp.Or(c.Scale, 1)
	return c
}

// flitsOf returns the length of the message of a Send.
func flitsOf(t *Task, c *patterns.Config) int32 {
	return patterns.FlitsOf(t.Bytes, int64(c.FlitBytes), int64(c.PadFlits), c.Scale)
}

// task returns a task by its number.
func (p *program) task(i int32) *Task {
	r := p.rank[i]
	return &p.Ranks[r][i-p.first[r]]
}

// At implements patterns.Timed.
func (p *program) At(cycle int64) {
	if cycle < p.now {
		panic("tasks: the time stepped back")
	}
	p.now = cycle
}

// Trace implements patterns.Traced.
func (p *program) Trace(t *patterns.Trace) { p.trace = t }

// Start implements patterns.Program.
func (p *program) Start(dst []patterns.Message) []patterns.Message {
	for r := range p.Ranks {
		p.beginIteration(patterns.Rank(r))
	}
	return p.run(dst)
}

// Delivered implements patterns.Program.
func (p *program) Delivered(dst []patterns.Message, m patterns.Message) []patterns.Message {
	f, kind := m.Tag/kindsOfMessages, m.Tag%kindsOfMessages
	switch kind {
	case clearKind:
		p.trace.Release(p.trace.Handled())
		return append(dst, p.message(p.flights[f].send, f, longKind))
	case requestKind:
		p.matchArrived(f)
		return p.appendClears(dst)
	}
	p.deliver(f, kind == longKind)
	return p.run(dst)
}

// Wake implements patterns.Waking.
func (p *program) Wake(dst []patterns.Message) []patterns.Message {
	for len(p.ends) > 0 && p.ends[0].cycle <= p.now {
		e := p.ends.Pop()
		p.trace.Handle(e.event)
		p.freeStream(p.stream[e.task])
		p.endTask(e.task)
	}
	return p.run(dst)
}

// Sent implements patterns.Waking.
func (p *program) Sent(m patterns.Message) {
	send, kind := p.flights[m.Tag/kindsOfMessages].send, m.Tag%kindsOfMessages
	if kind == eagerKind || kind == requestKind {
		p.freeStream(p.stream[send])
	}
	if kind == eagerKind || kind == longKind {
		p.endTask(send)
	}
}

// Done implements patterns.Program.
func (p *program) Done() bool { return p.running == 0 && p.moving == 0 && p.waiting == 0 }

// Next implements patterns.Waking.
func (p *program) Next() (cycle int64, err error) {
	switch {
	case p.failed != nil:
		return patterns.Never, p.failed
	case p.ready.len()+p.open.len() > 0:
		return p.now, nil
	case len(p.ends) > 0:
		return p.ends[0].cycle, nil
	case p.moving == 0 && !p.Done():
		return patterns.Never, p.stuck()
	}
	return patterns.Never, nil
}

// beginIteration begins an iteration of a rank.
func (p *program) beginIteration(r patterns.Rank) {
	first, end := p.first[r], p.first[r+1]
	if p.left[r] = end - first; first == end {
		p.running--
		return
	}
	copy(p.waits[first:end], p.index.waits[first:end])
	for i := first; i < end; i++ {
		if p.waits[i] == 0 {
			p.ready.push(waiter{n: i, after: p.trace.Handled()})
		}
	}
}

// run begins the tasks that are ready, until none is, and appends their messages. A stream begins
// its next task when no receive is left to begin, since one whose message is here readies others.
func (p *program) run(dst []patterns.Message) []patterns.Message {
	for {
		for p.ready.len() > 0 {
			d := p.ready.pop()
			if t := p.task(d.n); t.Kind == Receive {
				p.trace.Handle(d.after)
				p.beginTask(d.n)
				p.post(d.n, t)
				continue
			}
			s := p.stream[d.n]
			d.cycle = p.now
			p.lanes[s].queue.Push(d)
			p.open.push(s)
		}
		if p.open.len() == 0 {
			return p.appendClears(dst)
		}
		dst = p.advanceStream(dst, p.open.pop())
	}
}

// advanceStream begins the next task of a stream if the stream is free, and appends its message.
func (p *program) advanceStream(dst []patterns.Message, s int32) []patterns.Message {
	l := &p.lanes[s]
	if l.busy || len(l.queue) == 0 {
		return dst
	}
	l.busy = true
	d := l.queue.Pop()
	if l.freed != nil {
		d.after, l.freed = l.freed, nil
	}
	p.trace.Handle(d.after)
	i := d.n
	p.beginTask(i)
	t := p.task(i)
	switch {
	case t.Kind == Send && t.Peer == p.rank[i]: // a message to itself takes no network and no time
		f := p.beginFlight(i)
		p.freeStream(s)
		p.endTask(i)
		p.deliver(f, false)
		return dst
	case t.Kind == Send:
		m := p.message(i, p.beginFlight(i), eagerKind)
		if long := p.lengths.RendezvousFlits; long > 0 && int64(m.Flits) >= long {
			m.Flits, m.Tag = int32(p.lengths.PadFlits), m.Tag+requestKind
		}
		p.trace.Release(d.after)
		return append(dst, m)
	}
	if cycles := p.cycles(l, p.rank[i], t.Time); cycles > 0 {
		end := p.now + cycles
		p.ends.Push(calcEnd{end, p.order, i, p.trace.Computes(end)})
		p.order++
		return dst
	}
	p.freeStream(s)
	p.endTask(i)
	return dst
}

// freeStream frees a stream for its next task.
func (p *program) freeStream(s int32) {
	l := &p.lanes[s]
	l.busy = false
	if len(l.queue) > 0 {
		l.freed = p.trace.Handled()
		p.open.push(s)
	}
}

// beginTask records the beginning of a task.
func (p *program) beginTask(i int32) { p.satisfy(p.begun.at(i)) }

// endTask records the end of a task, and begins the next iteration of its rank after the last one.
func (p *program) endTask(i int32) {
	p.satisfy(p.ended.at(i))
	r := p.rank[i]
	if p.left[r]--; p.left[r] > 0 {
		return
	}
	if p.iteration[r]++; p.iteration[r] < p.iterations {
		p.beginIteration(r)
		return
	}
	p.running--
}

// satisfy removes one requirement of each task of a list. Tasks without any left are ready.
func (p *program) satisfy(list []int32) {
	for _, i := range list {
		if p.waits[i]--; p.waits[i] == 0 {
			p.ready.push(waiter{n: i, after: p.trace.Handled()})
		}
	}
}

// message returns a message of a Send with the number of its flight and its kind in its tag.
func (p *program) message(send, flight, kind int32) patterns.Message {
	t, c := p.task(send), &p.lengths
	return patterns.Message{From: p.rank[send], To: t.Peer, Tag: flight*kindsOfMessages + kind,
		Rail: t.NIC, Flits: flitsOf(t, c)}
}

// Flits implements patterns.Sized.
func (w Work) Flits(c patterns.Config) (sum int64) {
	for _, tasks := range w.Ranks {
		for i := range tasks {
			if t := &tasks[i]; t.Kind == Send {
				sum += int64(flitsOf(t, &c))
			}
		}
	}
	return sum
}

// Pairs implements patterns.TaskGraph.
func (w Work) Pairs(c patterns.Config) (pairs []patterns.Pair) {
	for r, tasks := range w.Ranks {
		for i := range tasks {
			if t, from := &tasks[i], patterns.Rank(r); t.Kind == Send && t.Peer != from {
				pairs = append(pairs, patterns.Pair{From: from, To: t.Peer})
				if c.RendezvousFlits > 0 {
					pairs = append(pairs, patterns.Pair{From: t.Peer, To: from})
				}
			}
		}
	}
	return pairs
}

// Arrivals implements patterns.TaskGraph.
func (w Work) Arrivals(c patterns.Config) (sum int64) {
	c = withLengths(c)
	for r, tasks := range w.Ranks {
		for i := range tasks {
			switch t := &tasks[i]; {
			case t.Kind != Send || t.Peer == patterns.Rank(r):
			case c.RendezvousFlits > 0 && int64(flitsOf(t, &c)) >= c.RendezvousFlits:
				sum += 3 // the request and the answer
			default:
				sum++
			}
		}
	}
	return sum
}

// AppendPosition implements patterns.Positioned.
func (p *program) AppendPosition(dst []int64, now int64) []int64 {
	first := slices.Min(p.iteration)
	for r := range p.iteration {
		dst = append(dst, p.iteration[r]-first, int64(p.left[r]))
	}
	for _, n := range p.waits {
		dst = append(dst, int64(n))
	}
	dst = appendWaiters(dst, &p.ready)
	for _, s := range p.open.list[p.open.head:] {
		dst = append(dst, int64(s))
	}
	dst = append(dst, none)
	for i := range p.lanes {
		l := &p.lanes[i]
		dst = append(dst, l.rest, int64(len(l.queue)))
		for _, w := range slices.SortedFunc(slices.Values(l.queue), func(a, b waiter) int {
			return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.n, b.n))
		}) {
			dst = append(dst, int64(w.n), min(1, now-w.cycle))
		}
		if l.busy {
			dst = append(dst, none)
		}
	}
	ends := slices.SortedFunc(slices.Values(p.ends), func(a, b calcEnd) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	for _, e := range ends {
		dst = append(dst, int64(e.task), e.cycle-now)
	}
	dst = append(dst, none)
	return p.appendMatching(dst)
}

// appendWaiters appends the length of a queue and its values.
func appendWaiters(dst []int64, q *fifo[waiter]) []int64 {
	dst = append(dst, int64(q.len()))
	for _, w := range q.list[q.head:] {
		dst = append(dst, int64(w.n))
	}
	return dst
}

// Skippable implements patterns.Skipping.
func (p *program) Skippable() int64 { return max(0, p.iterations-1-slices.Max(p.iteration)) }

// Skip implements patterns.Skipping.
func (p *program) Skip(iterations, cycles int64) {
	for r := range p.iteration {
		p.iteration[r] += iterations
	}
	for i := range p.ends {
		p.ends[i].cycle += cycles
	}
	p.now += cycles
	for i := range p.lanes {
		for k := range p.lanes[i].queue {
			p.lanes[i].queue[k].cycle += cycles
		}
	}
}

// maxCycles bounds the cycles of a computation.
const maxCycles = 1 << 60

// cycles converts the time of a computation of a stream to cycles.
func (p *program) cycles(l *lane, r patterns.Rank, time int64) int64 {
	if int(r) < len(p.Slow) {
		time = int64(min(math.Round(float64(time)*p.Slow[r]), maxCycles))
	}
	high, low := bits.Mul64(uint64(time), uint64(p.Cycles))
	low, carry := bits.Add64(low, uint64(l.rest), 0)
	if high += carry; high >= uint64(p.Nanoseconds) {
		return maxCycles
	}
	cycles, rest := bits.Div64(high, low, uint64(p.Nanoseconds))
	l.rest = int64(rest)
	return int64(min(cycles, maxCycles))
}

// fifo is a first-in, first-out queue.
type fifo[T any] struct {
	list []T
	head int // index of the first value
}

// len returns the number of values.
func (q *fifo[T]) len() int { return len(q.list) - q.head }

// first returns the first value.
func (q *fifo[T]) first() T { return q.list[q.head] }

// push appends a value.
func (q *fifo[T]) push(i T) { q.list = append(q.list, i) }

// pop removes and returns the first value.
func (q *fifo[T]) pop() T {
	i := q.list[q.head]
	if q.head++; 2*q.head >= len(q.list) { // half or more is gone: make room
		q.list, q.head = q.list[:copy(q.list, q.list[q.head:])], 0
	}
	return i
}

// waiter is the number of a task or flight that may continue, with the event that it waited for
// last.
type waiter struct {
	n     int32
	after patterns.Event // nil where nothing is traced
	cycle int64          // in which it joined the queue of a stream
}

// Before orders the tasks of a stream in a heap.Heap.
func (a waiter) Before(b waiter) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.n < b.n
}

// calcEnd is the end of a computation.
type calcEnd struct {
	cycle, order int64 // the order of beginning decides between equal cycles
	task         int32
	event        patterns.Event // nil where nothing is traced
}

// Before orders ends in a heap.Heap.
func (a calcEnd) Before(b calcEnd) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// place is an index of a list.
type place int32

// Before orders places in a heap.Heap.
func (a place) Before(b place) bool { return a < b }

// Order returns the places 0 to n-1 of a list such that each comes after those that it waits for,
// and otherwise in ascending order. If places wait for each other in a cycle, Order reports false
// and returns two of them, of which the first waits for the second.
func Order(n int, waitsFor func(i int32) []int32) (order []int32, cycle [2]int32, ok bool) {
	waits, next := make([]int, n), make([][]int32, n)
	var ready heap.Heap[place]
	for i := range int32(n) {
		list := waitsFor(i)
		if waits[i] = len(list); waits[i] == 0 {
			ready.Push(place(i))
		}
		for _, before := range list {
			next[before] = append(next[before], i)
		}
	}
	for len(ready) > 0 {
		i := int32(ready.Pop())
		order = append(order, i)
		for _, j := range next[i] {
			if waits[j]--; waits[j] == 0 {
				ready.Push(place(j))
			}
		}
	}
	if len(order) == n {
		return order, cycle, true
	}
	for i := range int32(n) {
		if waits[i] > 0 {
			cycle[1] = i
		}
	}
	for range 2 * n { // steps back end in a cycle
		cycle[0] = cycle[1]
		for _, before := range waitsFor(cycle[0]) {
			if waits[before] > 0 {
				cycle[1] = before
				break
			}
		}
	}
	return nil, cycle, false
}
