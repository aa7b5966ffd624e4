package patterns

import (
	"slices"
	"testing"

	"contend/internal/must"
)

// Recursive doubling exchanges with the neighbour first and then twice as far each time. Of six
// processes 0 and 2 give their vectors to 1 and 3 and sit out: 1, 3, 4 and 5 are the participants
// 0 to 3.
func TestOrderOfRecursiveDoubling(t *testing.T) {
	for _, k := range []struct {
		name string
		n    int
		want [][]Rank // by process: with whom it exchanges, in order
	}{
		{"all-reduce-doubling", 8, [][]Rank{{1, 2, 4}, {0, 3, 5}, {3, 0, 6}, {2, 1, 7}, {5, 6, 0},
			{4, 7, 1}, {7, 4, 2}, {6, 5, 3}}},
		{"all-reduce-doubling", 6, [][]Rank{{1}, {3, 4, 0}, {3}, {1, 5, 2}, {5, 1}, {4, 3}}},
		{"all-gather-doubling", 4, [][]Rank{{1, 2}, {0, 3}, {3, 0}, {2, 1}}},
	} {
		code := must.Have(NewCode(Config{Name: k.name}, k.n))
		for r, want := range k.want {
			if got := sendsOf(code, Rank(r)); !slices.Equal(got, want) {
				t.Errorf("%s: process %d of %d sends to %v, want %v", k.name, r, k.n, got, want)
			}
		}
	}
	x := must.Have(Config{Name: "npb-cg"}.traffic(8))
	if got := destinations(x.double(nil, 5, 8)); !slices.Equal(got, []Rank{4, 7, 1}) {
		t.Errorf("in a benchmark process 5 of 8 exchanges with %v", got)
	}
}

// sendsOf returns to whom a process sends in an iteration, in order.
func sendsOf(code Code, r Rank) (to []Rank) {
	for k := range code.Parts() {
		to = append(to, destinations(code.Part(nil, r, k))...)
	}
	return to
}

// destinations returns to whom the sends of a list of operations go.
func destinations(list []Operation) (to []Rank) {
	for _, o := range list {
		if o.kind == sendOperation {
			to = append(to, o.peer)
		}
	}
	return to
}
