package patterns

// Processes is a program in which every process waits for messages of its own and never
// for a barrier. A process runs through its script, sends without blocking, and stops
// at a receive whose message has not arrived. Pipelined sweeps, such as those of the
// NAS benchmarks LU, BT and SP, are of this kind.
//
// Messages between the same two processes with the same tag are received in the order
// in which they were sent, even if a later one overtakes an earlier one of another
// length. Messages of the same length are interchangeable.
//
// Within an event, messages are listed in the order in which the process sends them. At
// the start process 0 runs first, then process 1, and so on.
type Processes struct {
	script   Script
	readers  []reader // by process
	ready    []int64  // ready[r] is the cycle until which process r is busy
	waits    []int32  // waits[r] is the channel that process r waits for, or finished
	trace    *Trace   // nil unless it is traced
	after    []Event  // after[r] is the event that process r waited for last; it computes since then
	channels channels
	now      int64 // cycle
	clocked  bool  // At has been called
	started  bool
	running  int // number of processes that have not finished
	inFlight int // messages that have not arrived
}

// finished is the value of waits for a process at the end of its script.
const finished = -1

// channel has the messages between two processes that have not been received.
type channel struct {
	channelKey
	// transits[head:] are the messages from the first one that has not arrived on, in
	// the order in which they were sent.
	transits []transit
	head     int
	// waiting is the number of arrived messages before those that have not been
	// received.
	waiting int
}

// transit is a message under way, or one that overtook a message under way.
type transit struct {
	flits   int32
	arrived bool
}

// NewProcesses returns the program of n processes that run a script. Every receive of the script
// must have a send, and every send a receive, and no process may wait for another that waits for
// it: the program would not end.
func NewProcesses(n int, s Script) *Processes {
	return &Processes{
		script:  s,
		readers: make([]reader, n),
		ready:   make([]int64, n),
		waits:   make([]int32, n),
		running: n,
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

// Start implements Program.
func (p *Processes) Start(dst []Message) []Message {
	if p.started {
		panic("patterns: a program started twice")
	}
	p.started = true
	for r := range p.readers {
		dst = p.run(dst, Rank(r))
	}
	return dst
}

// Delivered implements Program.
func (p *Processes) Delivered(dst []Message, m Message) []Message {
	i, ok := p.channels.find(channelKey{m.From, m.To, m.Tag})
	if !ok || !p.channels.list[i].arrive(m.Flits) {
		panic("patterns: a message arrived that was not under way")
	}
	p.inFlight--
	if p.waits[m.To] == i {
		dst = p.run(dst, m.To) // r waits again if m overtook the message it waits for
	}
	return dst
}

// Done implements Program.
func (p *Processes) Done() bool { return p.running == 0 && p.inFlight == 0 }

// run runs the script of process r until the process waits or is finished, and appends its
// messages.
func (p *Processes) run(dst []Message, r Rank) []Message {
	if p.ready[r] <= p.now { // it has waited, and does not compute
		p.ready[r] = p.now
		if p.trace != nil {
			p.after[r] = p.trace.Now
		}
	}
	for {
		o, ok := p.readers[r].peek(p.script, r)
		if !ok {
			p.waits[r] = finished
			p.running--
			return dst
		}
		switch o.kind {
		case sendOperation:
			c := &p.channels.list[p.channels.findOrAdd(channelKey{r, o.peer, o.tag})]
			c.transits = append(c.transits, transit{flits: o.flits})
			p.inFlight++
			dst = append(dst, Message{From: r, To: o.peer, Flits: o.flits, Tag: o.tag,
				Delay: p.ready[r] - p.now})
			if p.trace != nil {
				p.trace.Release(p.after[r])
			}
		case receiveOperation:
			i := p.channels.findOrAdd(channelKey{o.peer, r, o.tag})
			if p.channels.list[i].waiting == 0 {
				p.waits[r] = i
				return dst
			}
			p.channels.list[i].waiting--
		case computeOperation:
			if !p.clocked {
				panic("patterns: a process that computes has to know the time: call At")
			}
			p.ready[r] += o.cycles
		}
		p.readers[r].skip()
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
