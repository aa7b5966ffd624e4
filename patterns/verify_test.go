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

func TestVerifyChecksProcesses(t *testing.T) {
	for n, want := range map[int]string{0: "a script for 0 processes: a job has 1 to 16777216",
		2: "1 lists of operations for 2 processes"} {
		if _, err := NewProcesses(n, Lists{{}}); err == nil || err.Error() != want {
			t.Errorf("%d processes: %v, want %s", n, err, want)
		}
	}
}

// A verified script runs any number of times, each run from the beginning.
func TestVerifiedRunsAgain(t *testing.T) {
	const n = 5
	v := must.Have(Verify(n, repeatCode(must.Have(NewCode(Config{Name: "all-reduce-tree"}, n)), 3, 0)))
	first, _ := deliverAll(t, v.Program(), n, seeded(1).IntN)
	again, _ := deliverAll(t, v.Program(), n, seeded(1).IntN)
	if !slices.Equal(first, again) || int64(len(first)) != v.Messages() {
		t.Errorf("%v, then %v, of %d", first, again, v.Messages())
	}
}
