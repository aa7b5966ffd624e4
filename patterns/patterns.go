// Package patterns generates the communication of parallel programs: senders, receivers and lengths
// of messages, and the messages that must arrive before others are sent.
//
// A Pattern is one iteration of a communication in phases, such as all-to-all. Its Program repeats
// it until a number of iterations or a quota of messages is reached, in the barrier-synchronous
// model of Lo, Windisch, Liu and Nitzberg (CIS-TR-94-11, App. A): the next phase begins when all
// messages of the current one have arrived.
//
// A Script takes the place of a Pattern if processes wait for their own messages only, as in
// pipelined sweeps. Each process runs a list of Send, Receive and Compute operations, and
// NewProcesses turns the script into a Program. A Code is one iteration of such a script, such as
// those of the NAS Parallel Benchmarks and of MPI collectives.
//
// A simulator drives a Program. It calls Start, sends the returned messages, and calls Delivered
// for each message that arrives. Delivered returns the messages that may be sent next. The
// communication is over when Done reports true. A program that computes also implements Timed and
// needs the time at each call.
//
// New builds the program of a named pattern from a Config; Names lists the patterns.
//
// Example: the pattern fft of four processes has two phases, exchanges at distance 2 and 1. With a
// quota of six messages its program goes like this (ExampleNew):
//
//	Start returns                   0>2 1>3 2>0 3>1, the first phase
//	Delivered of 0>2, 1>3 and 2>0   no messages: all processes wait for the barrier
//	Delivered of 3>1                0>1 1>0, the second phase as far as the quota permits
//	Delivered of 0>1 and 1>0        no messages: Done reports true
package patterns

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Rank is the number of a process of a job, 0 to n-1.
type Rank int32

// Message is one transfer between two processes.
type Message struct {
	// From and To are the sender and the receiver, both below the number of processes.
	From, To Rank
	// Flits is the length of the message in flits, at least 1.
	Flits int32
	// Tag distinguishes messages between the same two processes. The delivery returns
	// it. Any value is valid.
	Tag int32
	// Rail is the number of the network interface that the message requests at its sender's node,
	// from 0.
	Rail uint8
	// Delay is the time in cycles, at least 0, from the event that releases the message
	// to its creation. The sender computes during that time.
	Delay int64
}

// Program is the communication of one job while it runs.
type Program interface {
	// Start appends the messages that depend on no other message.
	Start(dst []Message) []Message
	// Delivered records the arrival of m and appends the messages that it releases.
	Delivered(dst []Message, m Message) []Message
	// Done reports whether all messages have been sent and have arrived.
	Done() bool
}

// Positioned is a Program that repeats itself and reports its position in an iteration.
type Positioned interface {
	Program
	// AppendPosition appends the position to dst, with times counted from a cycle, now. If a program
	// has the same position and the same messages under way at two times, it sends the same messages
	// after both, until it ends. A program that makes draws has no such position.
	AppendPosition(dst []int64, now int64) []int64
}

// Skipping is a Program of which iterations can be left out.
type Skipping interface {
	Program
	// Skippable returns the number of iterations that can be left out now: at least the one that is
	// under way, of the process that is farthest ahead, is left to end.
	Skippable() int64
	// Skip leaves out iterations for which some cycles pass: the program goes on later by these
	// cycles, in the same place of a later iteration.
	Skip(iterations, cycles int64)
}

// Iterating is a Program that may know when each of its processes ends an iteration.
type Iterating interface {
	Program
	// Iterated has the program report the length in cycles of each iteration of each process, from the
	// end of the one before, and returns whether it does. It is called before Start.
	Iterated(report func(cycles int64)) bool
}

// Timed is a Program that needs the time. Its driver calls At with the current cycle
// before Start and before each Delivered, unless nothing in the program computes.
type Timed interface {
	Program
	At(cycle int64)
}

// Never is the cycle of Waking.Next for a program that continues only when a message arrives or
// enters the network.
const Never = math.MaxInt64

// Waking is a program that continues at other events than arrivals too: the end of a computation
// frees a processor, or a message enters the network and its sender continues.
//
// After every call of Start, Delivered, Wake and Sent the driver calls Next. It calls Wake in the
// cycle that Next returns, which may be the present one, unless an earlier event calls the program.
// Wake may return without new messages.
type Waking interface {
	Timed
	// Next returns the next cycle in which the program continues by itself, or Never. It returns an
	// error if the program is not done and waits for a message that is not under way; the error names
	// the message.
	Next() (cycle int64, err error)
	// Wake appends the messages that the time releases.
	Wake(dst []Message) []Message
	// Sent reports that a message of the program has left its process and enters the network.
	Sent(m Message)
}

// Pattern is one iteration of a communication. Callers can request its phases in order, again and
// again. A random pattern makes new draws at each request of phase 0 and serves one program at a
// time.
//
// The messages of a phase are listed sender by sender, in order of rank. The messages
// of a sender are listed in the order in which it sends them. The maker of the
// pattern defines that order.
type Pattern interface {
	// Phases returns the number of phases of an iteration.
	Phases() int
	// Phase appends the messages of phase k, 0 to Phases()-1. It is not called if Messages is 0.
	Phase(dst []Message, k int) []Message
	// Messages returns the number of messages of an iteration, the same for all
	// iterations. It is 0 if no process has a partner, as in a job of one process.
	Messages() int64
}

// phased is a Pattern made of its counts and a function.
type phased struct {
	phases   int
	messages int64
	phase    func(dst []Message, k int) []Message
}

func (p phased) Phases() int                          { return p.phases }
func (p phased) Messages() int64                      { return p.messages }
func (p phased) Phase(dst []Message, k int) []Message { return p.phase(dst, k) }

// onePhase returns a pattern of a single phase.
func onePhase(messages int64, phase func(dst []Message) []Message) Pattern {
	return phased{1, messages, func(dst []Message, _ int) []Message { return phase(dst) }}
}

// setting has the parameters of a pattern in phases.
type setting struct {
	group
	Config
	sides []int      // of the grid of processes, for patterns that use Config.Grid
	rng   *rand.Rand // nil if the caller uses only the pattern's counts
}

// group is the processes of a job that send messages of one length.
type group struct {
	n     Rank
	flits int32
}

// MaxProcesses is the greatest number of processes of a job.
const MaxProcesses = 1 << 24

// send appends a message of the group's length.
func (g group) send(dst []Message, from, to Rank) []Message {
	return append(dst, Message{From: from, To: to, Flits: g.flits})
}

// sendRound appends a message from each process to the process d places further round the ring.
func (g group) sendRound(dst []Message, d Rank) []Message {
	for from := range g.n {
		dst = g.send(dst, from, g.shift(from, d))
	}
	return dst
}

// shift returns the rank d places, 0 to n, after r round the ring.
func (g group) shift(r, d Rank) Rank {
	if r >= g.n-d {
		return r + d - g.n
	}
	return r + d
}

// others returns n-1 as a number of messages.
func (g group) others() int64 { return int64(g.n) - 1 }

// oneEach returns the number of messages if each process sends one to another.
func (g group) oneEach() int64 {
	if g.n == 1 {
		return 0
	}
	return int64(g.n)
}

// drawRank returns a random rank. All ranks are equally likely.
func (s setting) drawRank() Rank { return Rank(s.rng.Int32N(int32(s.n))) }

// Event is an event that a program waits for: its start, the end of a computation, a message that
// enters the network, or a received message. The driver of the program defines its content.
type Event any

// Trace records the event that each message and computation of a program waited for last. The
// methods have no effect on nil, the Trace of a program that is not traced.
type Trace struct {
	// Now is the event that the program handles. The driver sets it before each call of Start,
	// Delivered and Sent, and the program sets it before it handles the end of a computation. When
	// the program is done, Now is its last event.
	Now Event
	// Released has the event that each message waited for last, in the order in which a call of the
	// program appends messages. It is empty if all of them waited for Now last.
	Released []Event
	// Compute returns the event of the end, in a cycle, of a computation that waited for Now last.
	Compute func(end int64) Event
}

// Traced is a Program that knows which event each of its messages waited for last. The messages of
// other programs count as waiting for the event of the call that returns them.
type Traced interface {
	Program
	// Trace makes the program keep a trace. It is called before Start.
	Trace(t *Trace)
}

// Handled returns Now, or nil without a trace.
func (t *Trace) Handled() Event {
	if t == nil {
		return nil
	}
	return t.Now
}

// Handle sets Now.
func (t *Trace) Handle(e Event) {
	if t != nil {
		t.Now = e
	}
}

// Release records the event that the next message of a call waited for last.
func (t *Trace) Release(e Event) {
	if t != nil {
		t.Released = append(t.Released, e)
	}
}

// Computes returns the event of the end of a computation that begins now.
func (t *Trace) Computes(end int64) Event {
	if t == nil {
		return nil
	}
	return t.Compute(end)
}

// Guarded returns a pattern made outside of the package with a check of every message. It panics at
// a message that is not between two of n processes, or whose length is not flits unless that is 0:
// a network configured for one length would give wrong times silently. It also panics if an
// iteration does not have the number of messages that Messages returns, because quotas would be
// wrong. A pattern with messages and no phase panics at once, because it would not end.
func Guarded(p Pattern, name string, n int, flits int32) Pattern {
	if messages, phases := p.Messages(), p.Phases(); messages != 0 && phases < 1 {
		panic(fmt.Sprintf("patterns: %s: an iteration of %d processes has %d messages in %d phases",
			name, n, messages, phases))
	}
	return &guarded{Pattern: p, name: name, n: Rank(n), flits: flits}
}

// guarded is a pattern whose messages are checked: see Guarded.
type guarded struct {
	Pattern
	name  string
	n     Rank
	flits int32
	next  int   // the next phase of the iteration being counted, or -1 for none
	sent  int64 // number of messages of the phases before it
}

// Phase implements Pattern.
func (c *guarded) Phase(dst []Message, k int) []Message {
	start := len(dst)
	dst = c.Pattern.Phase(dst, k)
	for _, m := range dst[start:] {
		switch {
		case m.From < 0 || m.From >= c.n || m.To < 0 || m.To >= c.n || m.From == m.To:
			const text = "patterns: %s: phase %d has a message from %d to %d among %d processes"
			panic(fmt.Sprintf(text, c.name, k, m.From, m.To, c.n))
		case m.Flits < 1 || c.flits != 0 && m.Flits != c.flits:
			const text = "patterns: %s: phase %d has a message of %d flits, not %d" +
				" (OwnLengths in the registry allows others)"
			panic(fmt.Sprintf(text, c.name, k, m.Flits, c.flits))
		}
	}
	c.count(k, int64(len(dst)-start))
	return dst
}

// count adds the messages of a phase and checks their sum at the end of an iteration. Phases out of
// order are not counted.
func (c *guarded) count(k int, messages int64) {
	if k == 0 {
		c.next, c.sent = 0, 0
	}
	if k != c.next {
		c.next = -1
		return
	}
	c.next++
	c.sent += messages
	if want := c.Messages(); c.next == c.Phases() && c.sent != want {
		const text = "patterns: %s: an iteration of %d processes has %d messages, and Messages returns %d"
		panic(fmt.Sprintf(text, c.name, c.n, c.sent, want))
	}
}
