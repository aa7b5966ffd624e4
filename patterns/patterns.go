// Package patterns generates the communication of parallel programs: who sends
// how much to whom, and what has to arrive before the next messages go out.
//
// Two views of the same thing. Phases is the barrier-synchronous one of Lo,
// Windisch, Liu and Nitzberg (CIS-TR-94-11, App. A): a set of messages at a
// time, the next when all of it has arrived. Program is what a simulator
// drives: it is told of every message that arrived and answers with those that
// may go now, so that each process can wait for messages of its own (pipelined
// sweeps). Barrier turns the first into the second.
package patterns

// Rank is the number of a process of a job, 0 to n-1.
type Rank int32

// Message is one transfer between two processes.
type Message struct {
	From, To Rank
	// Flits is its length; at least 1.
	Flits int32
	// Tag distinguishes messages between the same two processes; it comes
	// back with the delivery.
	Tag int32
	// Delay is how many cycles after the event that released it the message
	// is created: the time its sender computes first. 0 or more.
	Delay int64
}

// Program is the communication of one job while it runs.
type Program interface {
	// Start appends the messages that need wait for nothing.
	Start(dst []Message) []Message
	// Delivered takes note that m has arrived and appends the messages that
	// may go now because of it.
	Delivered(dst []Message, m Message) []Message
	// Done reports whether all messages have been sent and have arrived.
	Done() bool
}

// Phases is a communication in barrier-separated steps.
type Phases interface {
	// Next appends the messages of the next phase and reports false, with
	// dst as it was, when there is none. A phase may be empty.
	Next(dst []Message) ([]Message, bool)
}
