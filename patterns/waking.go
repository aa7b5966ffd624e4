package patterns

import "math"

// Never is the cycle of Waking.Next for a program that goes on only when a message arrives or
// enters the network.
const Never = math.MaxInt64

// Waking is a program in which something happens when no message arrives: a computation ends and
// frees a processor, or a message enters the network and the process that sent it goes on.
//
// After every call of Start, Delivered, Wake and Sent the driver asks for Next. It calls Wake in
// that cycle, at once if it is the present one, unless the program was called before. A cycle in
// which there is nothing to do is no fault.
type Waking interface {
	Timed
	// Next returns the next cycle in which the program has something to do by itself, or Never. It
	// returns an error, which says what is missing, if the program is not done and waits for
	// nothing that is under way.
	Next() (cycle int64, err error)
	// Wake appends the messages that the time releases.
	Wake(dst []Message) []Message
	// Sent tells that a message of the program has left its process and enters the network.
	Sent(m Message)
}
