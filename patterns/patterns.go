// Package patterns generates the communication of parallel programs: who sends how much
// to whom, and which messages must arrive before the next ones go out.
//
// There are three layers. A Pattern is one iteration of a communication in phases, such
// as AllToAll. Phases is a sequence of such phases, repeated by Iterate and ended by
// Quota. Barrier turns Phases into a Program: the barrier-synchronous model of Lo,
// Windisch, Liu and Nitzberg (CIS-TR-94-11, App. A), in which the next phase begins
// when all messages of the current one have arrived.
//
// A Script takes the place of Phases if processes wait for their own messages only, as
// in pipelined sweeps. Each process runs a list of Send, Receive and Compute
// operations, NewProcesses turns the script into a Program, and Verify proves that it
// ends. A Code is one iteration of such a script, such as those of the NAS Parallel
// Benchmarks and of MPI collectives.
//
// A simulator drives a Program. It calls Start, sends the returned messages, and calls
// Delivered for each message that arrives. Delivered returns the messages that may go
// out next. The communication is over when Done reports true. A program that computes
// also implements Timed and needs the time at each call.
//
// New builds the program of a named pattern from a Config; Names lists the patterns.
package patterns

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
	// Rail is the network interface of the sender's node that the message asks for, from 0.
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

// Phases is a communication in steps with barriers between them.
type Phases interface {
	// Next appends the messages of the next phase. It reports false and leaves dst
	// unchanged if there is none. A phase may be empty.
	Next(dst []Message) ([]Message, bool)
}
