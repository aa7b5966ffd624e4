package patterns

import "testing"

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
