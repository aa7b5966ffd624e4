package tasks

import (
	"testing"

	"contend/patterns"
)

func TestMaxima(t *testing.T) {
	g := &Graph{Ranks: [][]Task{
		{{Kind: Calc, Time: 40}, {Kind: Send, Peer: 1, Bytes: 8, NIC: 2}},
		{{Kind: Receive, Peer: 0, Bytes: 8}, {Kind: Calc, Time: 7}, {Kind: Send, Bytes: 300, NIC: 1}},
	}}
	if time, bytes, nic := g.Maxima(); time != 40 || bytes != 300 || nic != 2 {
		t.Errorf("%d ns, %d bytes, interface %d, want 40, 300, 2", time, bytes, nic)
	}
}

// A rank is instant that computes nothing, receives nothing of others, and sends nothing to others
// where sends take time.
func TestInstant(t *testing.T) {
	busy := []Task{{Kind: Calc, Time: 1}}
	for _, test := range []struct {
		rank1     []Task
		sendsTake bool
		instant   bool
	}{
		{busy, true, false},
		{[]Task{{Kind: Calc}}, true, true},
		{[]Task{{Kind: Receive, Peer: 0}}, true, false},
		{[]Task{{Kind: Send, Peer: 0, Bytes: 8}}, true, false},
		{[]Task{{Kind: Send, Peer: 0, Bytes: 8}}, false, true},
		{[]Task{{Kind: Send, Peer: 1, Bytes: 8}, {Kind: Receive, Peer: 1}}, true, true},
		{nil, true, false}, // without tasks there is nothing to repeat
	} {
		want := patterns.Rank(AnyRank)
		if test.instant {
			want = 1
		}
		g := &Graph{Ranks: [][]Task{busy, test.rank1, busy}}
		if got := g.Instant(test.sendsTake); got != want {
			t.Errorf("%v, sends take time %v: rank %d, want %d", test.rank1, test.sendsTake, got, want)
		}
	}
}

// Computations that end in one cycle end in the order in which they began.
func TestEndsInOrder(t *testing.T) {
	ends := []calcEnd{{cycle: 1, order: 4}, {cycle: 1, order: 5}, {cycle: 2, order: 0}}
	for i, a := range ends {
		for j, b := range ends {
			if got := a.Before(b); got != (i < j) {
				t.Errorf("%+v before %+v: %v", a, b, got)
			}
		}
	}
}

// Removing a value leaves the order of the others.
func TestRemove(t *testing.T) {
	for i := 1; i < 5; i++ {
		q, want := fifo[int]{}, ""
		for n := range 5 {
			q.push(n)
		}
		q.pop()
		q.remove(i)
		got := ""
		for n := 1; n < 5; n++ {
			if n != i {
				want += string(rune('0' + n))
			}
		}
		for q.len() > 0 {
			got += string(rune('0' + q.pop()))
		}
		if got != want {
			t.Errorf("without the value at %d: %s, want %s", i, got, want)
		}
	}
}
