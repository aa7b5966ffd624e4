package patterns

import (
	"slices"
	"testing"
)

func TestPingPong(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		var ping, pong []pair
		for i := Rank(0); int(i)+1 < n; i += 2 {
			ping = append(ping, pair{i, i + 1})
			pong = append(pong, pair{i + 1, i})
		}
		checkPhases(t, PingPong(n, 3), atLeastTwo(n, ping, pong))
	})
}

// Reference: Lo et al. (CIS-TR-94-11), sec. 5: the pairs' messages go in "only
// one direction ...; zero length replies were sent in the other".
func TestCall(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		p, q := PingPong(n, 3), Call(n, 3)
		if p.Messages() != q.Messages() || p.Phases() != q.Phases() {
			t.Fatalf("%d messages in %d phases, ping-pong %d in %d", q.Messages(), q.Phases(),
				p.Messages(), p.Phases())
		}
		for k := range 2 {
			before := []Message{{Flits: 7}} // not its business: must stay
			want, got := p.Phase(before, k), q.Phase(before, k)
			for i := range want {
				if k == 1 && i > 0 {
					want[i].Flits = 1
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("phase %d: %v, want %v", k, got, want)
			}
		}
	})
}

// The rule of the tournament, pair by pair: of m players, with m even, the last one
// meets i in round 2i mod m-1, and i meets j in round i+j mod m-1.
func TestAllPairs(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		m := n + n%2
		want := make([][]pair, 2*(m-1))
		for i := range n {
			for j := i + 1; j < n; j++ {
				round := (i + j) % (m - 1)
				if j == m-1 {
					round = 2 * i % (m - 1)
				}
				want[2*round] = append(want[2*round], pair{Rank(i), Rank(j)})
				want[2*round+1] = append(want[2*round+1], pair{Rank(j), Rank(i)})
			}
		}
		for _, phase := range want {
			slices.SortFunc(phase, func(a, b pair) int { return int(a.from - b.from) })
		}
		checkPhases(t, AllPairs(n, 3), atLeastTwo(n, want...))
		for k, phase := range phasesOf(AllPairs(n, 3)) {
			busy := map[Rank]bool{}
			for _, m := range phase {
				if busy[m.From] || busy[m.To] {
					t.Fatalf("phase %d: a process of %v is in two pairs", k, m)
				}
				busy[m.From], busy[m.To] = true, true
			}
		}
	})
}
