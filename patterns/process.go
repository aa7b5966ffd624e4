package patterns

// Processes is a program in which every process waits only for its own messages and never for a
// barrier. A process runs through its script, sends without blocking, and stops at a receive whose
// message has not arrived. Pipelined sweeps, such as those of the NAS benchmarks LU, BT and SP, are
// of this kind.
//
// Messages between the same two processes with the same tag are received in the order in which they
// were sent, even if a later message overtakes an earlier message of another length. Messages of
// the same length are interchangeable.
//
// Within an event, messages are listed in the order in which the process sends them. At
// the start process 0 runs first, then process 1, and so on.
type Processes struct {
	script   Script
	threads  Rank     // of a process
	readers  []reader // by thread
	ready    []int64  // ready[v] is the cycle until which thread v is busy
	joining  []Rank   // by process: number of its threads that wait for the others
	woken    []Rank   // threads that continue in this event
	trace    *Trace   // nil unless it is traced
	after    []Event  // after[v] is the event that thread v waited for last; it has computed since
	channels channels
	now      int64 // cycle
	clocked  bool  // At has been called
	started  bool
	running  int // number of threads that have not finished
	inFlight int // messages that have not arrived
	// parts that a thread runs in an iteration, and in all; 0 if its iterations are not known
	perIteration, parts int64
	// report takes the length of each iteration of an independent thread, which began at began[v]; nil
	// unless it is asked for
	report      func(cycles int64)
	began       []int64
	independent bool // threads do not wait for each other between iterations
}

// nobody is the waiter of a channel for which no thread waits.
const nobody = -1

// channel has the messages between two processes that have not been received.
type channel struct {
	channelKey
	// transits[head:] are the messages in the order in which they were sent, from the first that has
	// not arrived on.
	transits []transit
	head     int
	// waiting is the number of messages that have arrived in order and have not been received.
	waiting int
	// receiver is the thread that waits for a message, and sender the one that waits for room, or
	// nobody.
	receiver, sender Rank
}

// outstanding returns the number of messages that have been sent and not received.
func (c *channel) outstanding() int { return len(c.transits) - c.head + c.waiting }

// transit is a message under way, or one that overtook a message under way.
type transit struct {
	flits   int32
	arrived bool
}

// NewProcesses returns the program of n processes that run a script. Every receive of the script
// must have a send and every send a receive, and processes must not wait for each other in a cycle:
// the program would not end.
func NewProcesses(n int, s Script) *Processes { return newThreads(n, 1, s) }

// newThreads returns the program of n processes of several threads each, which send and wait
// independently of each other. The script is that of threads: thread t of process r has the number
// r·threads + t. A message is received by the thread that waits for its sender and tag.
func newThreads(n, threads int, s Script) *Processes {
	return &Processes{
		script:  s,
		threads: Rank(threads),
		readers: make([]reader, n*threads),
		ready:   make([]int64, n*threads),
		joining: make([]Rank, n),
		running: n * threads,
	}
}

// At implements Timed.
func (p *Processes) At(cycle int64) {
	if cycle < p.now {
		panic("patterns: the time stepped back")
	}
	p.now, p.clocked = cycle, true
}

// Trace implements Traced.
func (p *Processes) Trace(t *Trace) { p.trace, p.after = t, make([]Event, len(p.readers)) }

// Iterated implements Iterating. It knows the iterations of independent threads.
func (p *Processes) Iterated(report func(cycles int64)) bool {
	if p.independent {
		p.report, p.began = report, make([]int64, len(p.readers))
	}
	return p.independent
}

// endPart records that thread v has run its parts below k.
func (p *Processes) endPart(v Rank, k int) {
	if p.report != nil && int64(k)%p.perIteration == 0 {
		at := max(p.now, p.ready[v])
		p.report(at - p.began[v])
		p.began[v] = at
	}
}

// Start implements Program.
func (p *Processes) Start(dst []Message) []Message {
	if p.started {
		panic("patterns: a program started twice")
	}
	p.started = true
	for v := range p.began {
		p.began[v] = p.now
	}
	for v := range p.readers {
		dst = p.run(dst, Rank(v))
	}
	return p.runWoken(dst)
}

// Delivered implements Program.
func (p *Processes) Delivered(dst []Message, m Message) []Message {
	i, ok := p.channels.find(channelKey{m.From, m.To, m.Tag})
	if !ok || !p.channels.list[i].arrive(m.Flits) {
		panic("patterns: a message arrived that was not under way")
	}
	p.inFlight--
	if v := p.channels.list[i].receiver; v != nobody {
		dst = p.run(dst, v) // v waits again if m overtook the message it waits for
	}
	return p.runWoken(dst)
}

// AppendPosition implements Positioned. Channels keep their places in the list.
func (p *Processes) AppendPosition(dst []int64, now int64) []int64 {
	first := p.parts
	for i := range p.readers {
		first = min(first, int64(p.readers[i].k))
	}
	first -= first % max(1, p.perIteration)
	for i := range p.readers {
		dst = append(dst, int64(p.readers[i].k)-first, int64(p.readers[i].next),
			max(0, p.ready[i]-now))
	}
	for _, n := range p.joining {
		dst = append(dst, int64(n))
	}
	for i := range p.channels.list {
		c := &p.channels.list[i]
		if c.outstanding() == 0 && c.receiver == nobody && c.sender == nobody {
			continue
		}
		dst = append(dst, int64(i), int64(c.receiver), int64(c.sender), int64(c.waiting),
			int64(len(c.transits)-c.head))
		for _, t := range c.transits[c.head:] {
			overtook := int64(0)
			if t.arrived {
				overtook = 1
			}
			dst = append(dst, int64(t.flits)<<1|overtook)
		}
	}
	return dst
}

// Skippable implements Skipping.
func (p *Processes) Skippable() int64 {
	if p.perIteration == 0 {
		return 0
	}
	ahead := int64(0)
	for i := range p.readers {
		ahead = max(ahead, int64(p.readers[i].k))
	}
	return (p.parts - ahead) / p.perIteration
}

// Skip implements Skipping.
func (p *Processes) Skip(iterations, cycles int64) {
	for i := range p.readers {
		p.readers[i].k += int(iterations * p.perIteration)
		p.ready[i] += cycles
	}
	for i := range p.began {
		p.began[i] += cycles
	}
	p.now += cycles
}

// runWoken runs the threads that others woke, and those that they wake.
func (p *Processes) runWoken(dst []Message) []Message {
	for i := 0; i < len(p.woken); i++ {
		dst = p.run(dst, p.woken[i])
	}
	p.woken = p.woken[:0]
	return dst
}

// Done implements Program.
func (p *Processes) Done() bool { return p.running == 0 && p.inFlight == 0 }

// run runs the script of thread v until the thread waits or is finished, and appends its messages.
func (p *Processes) run(dst []Message, v Rank) []Message {
	if p.ready[v] <= p.now { // it has waited, and does not compute
		p.ready[v] = p.now
		if p.trace != nil {
			p.after[v] = p.trace.Now
		}
	}
	r := v / p.threads
	for {
		o, ok := p.peek(v)
		if !ok {
			p.running--
			return dst
		}
		switch o.kind {
		case sendOperation:
			c := &p.channels.list[p.channels.findOrAdd(channelKey{r, o.peer, o.tag})]
			if o.window > 0 && c.outstanding() >= int(o.window) {
				c.sender = v
				return dst
			}
			c.transits = append(c.transits, transit{flits: o.flits})
			p.inFlight++
			dst = append(dst, Message{From: r, To: o.peer, Flits: o.flits, Tag: o.tag,
				Delay: p.ready[v] - p.now + o.cycles})
			if p.trace != nil {
				p.trace.Release(p.after[v])
			}
		case receiveOperation:
			c := &p.channels.list[p.channels.findOrAdd(channelKey{o.peer, r, o.tag})]
			if c.waiting == 0 {
				c.receiver = v
				return dst
			}
			c.receiver = nobody
			c.waiting--
			if c.sender != nobody {
				p.woken = append(p.woken, c.sender)
				c.sender = nobody
			}
		case computeOperation:
			if !p.clocked {
				panic("patterns: a process that computes has to know the time: call At")
			}
			p.ready[v] += o.cycles
		case joinOperation:
			if p.joining[r]++; p.joining[r] < p.threads {
				return dst
			}
			p.joining[r] = 0
			p.join(v)
		}
		p.readers[v].skip()
	}
}

// join wakes all other threads of the process of v, the last one to wait for them. All are busy as
// long as the one that is busy longest.
func (p *Processes) join(v Rank) {
	first := v - v%p.threads
	longest := first
	for u := first; u < first+p.threads; u++ {
		if p.ready[u] > p.ready[longest] {
			longest = u
		}
	}
	for u := first; u < first+p.threads; u++ {
		p.ready[u] = p.ready[longest]
		if p.trace != nil && p.ready[longest] > p.now {
			p.after[u] = p.after[longest]
		}
		if u != v {
			p.readers[u].skip()
			p.woken = append(p.woken, u)
		}
	}
}

// arrive records the arrival of the first message of this length under way. It reports
// whether there was one.
func (c *channel) arrive(flits int32) bool {
	i := c.head
	for ; i < len(c.transits); i++ {
		if t := c.transits[i]; t.flits == flits && !t.arrived {
			break
		}
	}
	if i == len(c.transits) {
		return false
	}
	c.transits[i].arrived = true
	for c.head < len(c.transits) && c.transits[c.head].arrived {
		c.head++
		c.waiting++
	}
	if 2*c.head >= len(c.transits) { // half or more has arrived: make room
		n := copy(c.transits, c.transits[c.head:])
		c.transits, c.head = c.transits[:n], 0
	}
	return true
}

// Operation is one step of a process. Send, Receive and Compute construct operations.
type Operation struct {
	kind operationKind
	// adds tells that a received part of a vector is added to the receiver's, and does not replace
	// it.
	adds bool
	// window is the most messages of a channel that are sent and not received: a send waits for room.
	// The value 0 means no limit.
	window uint8
	peer   Rank  // of a send or receive
	flits  int32 // of a send
	tag    int32 // of a send or receive
	cycles int64 // of a computation, or from a send until its message is created
	// first is, of a send, the byte of the vector of a collective at which its message begins, or
	// nothing.
	first int64
}

// nothing is the first byte of an empty part of a vector.
const nothing = -1

// operationKind is the kind of an operation.
type operationKind uint8

// The kinds of operations.
const (
	sendOperation operationKind = iota + 1
	receiveOperation
	computeOperation
	joinOperation // waits until all threads of the process do
)

// Send sends a message to another process. It does not block.
func Send(to Rank, flits, tag int32) Operation {
	return Operation{kind: sendOperation, peer: to, flits: flits, tag: tag}
}

// Receive waits for the next message with this tag from another process.
func Receive(from Rank, tag int32) Operation {
	return Operation{kind: receiveOperation, peer: from, tag: tag}
}

// Compute keeps the process busy for the given cycles.
func Compute(cycles int64) Operation {
	return Operation{kind: computeOperation, cycles: cycles}
}

// Script is the behaviour of each process of a job. It comes in parts, for example one
// for each time step, so that long programs need not be stored whole.
//
// A Script appends the operations of part k of process r, with k from 0. It reports
// false and leaves dst unchanged if there is no such part. Callers request parts in
// order. A part never changes.
type Script func(dst []Operation, r Rank, k int) ([]Operation, bool)

// Lists are the operations of each process. Lists.Part is a Script of one part for each process.
type Lists [][]Operation

// Part returns the operations of process r as part 0.
func (l Lists) Part(dst []Operation, r Rank, k int) ([]Operation, bool) {
	if k > 0 {
		return dst, false
	}
	return append(dst, l[r]...), true
}

// reader reads the script of one process.
type reader struct {
	part []Operation
	next int // index of the current operation in part
	k    int // number of the part after it
}

// peek returns the current operation of thread v. It reports false at the end.
func (p *Processes) peek(v Rank) (Operation, bool) {
	r := &p.readers[v]
	for r.next == len(r.part) {
		if r.k > 0 {
			p.endPart(v, r.k)
		}
		var ok bool
		r.part, ok = p.script(r.part[:0], v, r.k)
		r.next = 0
		if !ok {
			r.part = r.part[:0]
			return Operation{}, false
		}
		r.k++
	}
	return r.part[r.next], true
}

// skip moves to the operation after the one that peek returned.
func (r *reader) skip() { r.next++ }

// Sends returns receiver and length of a send. It reports false for other operations.
func (o Operation) Sends() (to Rank, flits int32, ok bool) {
	return o.peer, o.flits, o.kind == sendOperation
}

// Receives returns the sender of a receive. It reports false for other operations.
func (o Operation) Receives() (from Rank, ok bool) {
	return o.peer, o.kind == receiveOperation
}

// Computes returns the cycles of a computation. It reports false for other operations.
func (o Operation) Computes() (cycles int64, ok bool) {
	return o.cycles, o.kind == computeOperation
}

// Tag returns the tag of a send or a receive.
func (o Operation) Tag() int32 { return o.tag }

// channelKey identifies a channel between two processes. As in MPI, messages with the same sender,
// receiver and tag are received in the order in which they were sent.
type channelKey struct {
	from, to Rank
	tag      int32
}

// channels is a list of channels that finds them by their keys. The lookup is a hash table with
// open addressing and linear probing that only grows. With a Go map, a program of all-to-all takes
// several times as long.
type channels struct {
	list   []channel
	places []int32 // index in list plus one, 0 if free; the length is a power of two
}

// hash spreads keys over the table. The multipliers are odd, and the upper half of the product is
// mixed better.
func (k channelKey) hash() uint32 {
	h := uint64(uint32(k.from))*0x9E3779B97F4A7C15 ^
		uint64(uint32(k.to))*0xC2B2AE3D27D4EB4F ^
		uint64(uint32(k.tag))*0x165667B19E3779F9
	h ^= h >> 29
	return uint32(h * 0xBF58476D1CE4E5B9 >> 32)
}

// place returns the place of a key, or the first free one from its hash on.
func (t *channels) place(k channelKey) uint32 {
	mask := uint32(len(t.places) - 1)
	at := k.hash() & mask
	for t.places[at] != 0 && t.list[t.places[at]-1].channelKey != k {
		at = (at + 1) & mask
	}
	return at
}

// find returns the index of the channel of a key. It reports false if there is none.
func (t *channels) find(k channelKey) (int32, bool) {
	if len(t.places) == 0 {
		return 0, false
	}
	i := t.places[t.place(k)] - 1
	return i, i >= 0
}

// findOrAdd returns the index of the channel of a key, and adds the channel if it does not exist.
// It keeps the table at most half full, so that a search always ends at a free place.
func (t *channels) findOrAdd(k channelKey) int32 {
	if i, ok := t.find(k); ok {
		return i
	}
	t.list = append(t.list, channel{channelKey: k, receiver: nobody, sender: nobody})
	if 2*len(t.list) > len(t.places) {
		t.places = make([]int32, max(16, 2*len(t.places)))
		for i := range t.list[:len(t.list)-1] {
			t.places[t.place(t.list[i].channelKey)] = int32(i) + 1
		}
	}
	t.places[t.place(k)] = int32(len(t.list))
	return int32(len(t.list)) - 1
}
