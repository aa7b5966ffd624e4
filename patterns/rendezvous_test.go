package patterns_test

import (
	"testing"

	"contend/patterns"
)

// A long message becomes a request, an answer and the message; a short one goes as it is, whatever
// its tag. The program receives both as if they had come alone.
func TestRendezvousPassesMessagesOn(t *testing.T) {
	lists := patterns.Lists{
		{patterns.Send(1, 3, -5), patterns.Send(1, 50, -5), patterns.Send(1, 50, 7), patterns.Receive(1,
			0)},
		{patterns.Receive(0, 7), patterns.Receive(0, -5), patterns.Receive(0, -5), patterns.Send(0, 9,
			0)},
	}
	inner, err := patterns.NewProcesses(2, lists)
	if err != nil {
		t.Fatal(err)
	}
	p := patterns.Rendezvous(inner, 10, 4)
	flits := map[int32]int{}
	if err := patterns.Rehearse(p, func(m patterns.Message) { flits[m.Flits]++ }); err != nil {
		t.Fatal(err)
	}
	want := map[int32]int{3: 1, 9: 1, 50: 2, 4: 4}
	if len(flits) != len(want) || !p.Done() {
		t.Errorf("done: %v; messages by their flits are %v, want %v", p.Done(), flits, want)
	}
	for f, n := range want {
		if flits[f] != n {
			t.Errorf("%d messages of %d flits, want %d", flits[f], f, n)
		}
	}
}
