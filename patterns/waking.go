package patterns

import "math"

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
