package patterns

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// Any script that ends, with a cycle inserted: some processes first wait for the last
// message of the next process.
func TestVerifyFindsCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Custom(scripts).Filter(func(s script) bool { return s.n > 1 }).Draw(t, "script")
		ranks := rapid.Permutation(ranksBelow(s.n)).Draw(t, "ranks")
		cycle := ranks[:rapid.IntRange(2, s.n).Draw(t, "length")]
		for i, r := range cycle {
			before, after := cycle[(i+len(cycle)-1)%len(cycle)], cycle[(i+1)%len(cycle)]
			s.lists[r] = slices.Concat([]Operation{Receive(before, 99)}, s.lists[r],
				[]Operation{Send(after, 1, 99)})
		}
		_, err := Verify(s.n, s.lists)
		if err == nil || !strings.Contains(err.Error(), "wait for each other in a cycle") {
			t.Fatalf("cycle %v in %v: %v", cycle, s.lists, err)
		}
	})
}

func ranksBelow(n int) []Rank {
	var ranks []Rank
	for r := range Rank(n) {
		ranks = append(ranks, r)
	}
	return ranks
}

// Any script that ends, with one send or one receive removed.
func TestVerifyFindsUnmatched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Custom(scripts).Filter(func(s script) bool { return s.sends > 0 }).Draw(t, "script")
		kind := rapid.SampledFrom([]operationKind{sendOperation, receiveOperation}).Draw(t, "kind")
		left := rapid.IntRange(0, s.sends-1).Draw(t, "which")
		for r, list := range s.lists {
			for i, o := range list {
				if o.kind != kind {
					continue
				}
				if left == 0 {
					s.lists[r] = slices.Delete(slices.Clone(list), i, i+1)
				}
				left--
			}
		}
		if _, err := Verify(s.n, s.lists); err == nil {
			t.Fatalf("nothing found in %v", s.lists)
		}
	})
}

func TestVerifySaysWhatIsWrong(t *testing.T) {
	ring := make(Lists, 10) // each waits for the previous one
	for r := range ring {
		ring[r] = []Operation{Receive(Rank((r+9)%10), 0), Send(Rank((r+1)%10), 1, 0)}
	}
	for _, c := range []struct {
		name   string
		n      int
		script Script
		want   string
	}{
		{"no processes", 0, Lists{}, "a script for 0 processes: a job has 1 to 16777216"},
		{"lists", 2, Lists{{}}, "1 lists of operations for 2 processes"},
		{"peer", 2, Lists{{Send(2, 1, 0)}, {}},
			"process 0, part 0, operation 0 (send 1 flits to 2 with tag 0): there are processes 0 to 1"},
		{"negative peer", 2, Lists{{}, {Compute(1), Receive(-1, 3)}},
			"process 1, part 0, operation 1 (receive from -1 with tag 3): there are processes 0 to 1"},
		{"itself", 2, Lists{{Send(0, 1, 0)}, {}}, "process 0, part 0, operation 0 (send 1 flits to 0 " +
			"with tag 0): a process exchanges no messages with itself"},
		{"no flit", 2, Lists{{Send(1, 0, 0)}, {Receive(0, 0)}},
			"process 0, part 0, operation 0 (send 0 flits to 1 with tag 0): a message has at least one " +
				"flit"},
		{"time", 1, Lists{{Compute(-1)}},
			"process 0, part 0, operation 0 (compute -1 cycles): a computation takes at least 0 cycles"},
		{"no operation", 1, Lists{{{}}},
			"process 0, part 0, operation 0 (no operation): use Send, Receive or Compute"},
		{"never sent", 3, Lists{{Receive(1, 4)}, {Receive(2, 0)}, {}},
			"process 1 waits for a message with tag 0 from process 2, which has finished and never sends " +
				"it"},
		{"other tag", 2, Lists{{Receive(1, 4)}, {Send(0, 1, 5)}},
			"process 0 waits for a message with tag 4 from process 1, which has finished and never sends " +
				"it"},
		{"never received", 2, Lists{{Receive(1, 5)}, slices.Repeat([]Operation{Send(0, 1, 5)}, 3)},
			"process 0 never receives 2 of the messages with tag 5 from process 1"},
		{"long cycle", 10, ring, "deadlock: 10 processes wait for each other in a cycle: " +
			"0 for tag 0 from 9; 9 for " +
			"tag 0 from 8; 8 for tag 0 from 7; 7 for tag 0 from 6; 6 for tag 0 from 5; 5 for tag 0 from " +
			"4; 4 for tag 0 from 3; 3 for tag 0 from 2; and 2 more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := NewProcesses(c.n, c.script)
			if p != nil || err == nil || err.Error() != c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// A verified script runs any number of times, each run from the beginning.
func TestVerifiedRunsAgain(t *testing.T) {
	v := must.Have(Verify(5, wavefront(5, 3)))
	first, _ := deliverAll(t, v.Program(), 5, seeded(1).IntN)
	again, _ := deliverAll(t, v.Program(), 5, seeded(1).IntN)
	if !slices.Equal(first, again) || int64(len(first)) != v.Messages() {
		t.Errorf("%v, then %v, of %d", first, again, v.Messages())
	}
}
