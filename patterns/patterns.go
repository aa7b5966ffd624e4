// Package patterns generates the communication of parallel programs: who sends how much
// to whom, and which messages must arrive before the next ones go out.
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
// A simulator drives a Program. It calls Start, sends the returned messages, and calls
// Delivered for each message that arrives. Delivered returns the messages that may go
// out next. The communication is over when Done reports true. A program that computes
// also implements Timed and needs the time at each call.
//
// New builds the program of a named pattern from a Config; Names lists the patterns.
package patterns

import "math"

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
	// AppendPosition appends the position to dst. If a program has the same position and the same
	// messages under way at two times, it sends the same messages after both, except that its end
	// may be closer to one of them.
	AppendPosition(dst []int64) []int64
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

// Waking is a program that also continues when no message arrives: a computation ends and frees a
// processor, or a message enters the network and its sender continues.
//
// After every call of Start, Delivered, Wake and Sent the driver calls Next. It calls Wake in the
// cycle that Next returns, at once if that is the present one, unless it calls the program before.
// Wake may find nothing to do.
type Waking interface {
	Timed
	// Next returns the next cycle in which the program continues by itself, or Never. It returns an
	// error, which names what is missing, if the program is not done and no message is under way
	// that it waits for.
	Next() (cycle int64, err error)
	// Wake appends the messages that the time releases.
	Wake(dst []Message) []Message
	// Sent reports that a message of the program has left its process and enters the network.
	Sent(m Message)
}
