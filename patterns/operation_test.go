package patterns

import (
	"math/rand/v2"
	"testing"
)

// Each kind of operation is seen as that kind alone, with all that it was made of.
func TestOperationsAreRead(t *testing.T) {
	for _, test := range []struct {
		o     Operation
		peer  Rank
		n     int64
		kinds [3]bool // send, receive, computation
	}{
		{Send(3, 7, 1), 3, 7, [3]bool{true}},
		{Receive(4, 1), 4, 0, [3]bool{1: true}},
		{Compute(9), 0, 9, [3]bool{2: true}},
	} {
		to, flits, sends := test.o.Sends()
		from, receives := test.o.Receives()
		cycles, computes := test.o.Computes()
		if got := [3]bool{sends, receives, computes}; got != test.kinds {
			t.Errorf("%+v: send, receive, computation %v, want %v", test.o, got, test.kinds)
		}
		if sends && (to != test.peer || int64(flits) != test.n) || receives && from != test.peer ||
			computes && cycles != test.n {
			t.Errorf("%+v: to %d, %d flits, from %d, %d cycles", test.o, to, flits, from, cycles)
		}
	}
}

// noMessages is work that sends nothing.
type noMessages struct{ Work }

func (noMessages) Messages() int64 { return 0 }

// An iteration of work without messages counts as one message, so that a quota ends.
func TestWorkWithoutMessagesCountsAsOne(t *testing.T) {
	c := Config{Name: "own", Work: func(int, []int, *rand.Rand) (Work, error) {
		return noMessages{}, nil
	}}
	if n, err := MessagesPerIteration(c, 4, nil); n != 1 || err != nil {
		t.Errorf("%d messages, error %v, want 1", n, err)
	}
}
