package patterns

import (
	"math/bits"
	"slices"
	"testing"
)

// Tests of the random patterns.

func TestRootsAreDrawnAnew(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		for name, p := range map[string]Pattern{
			"one-to-all same":    OneToAll(n, OrderSame, 3, seeded(1)),
			"one-to-all rotated": OneToAll(n, OrderRotated, 3, seeded(1)),
			"all-to-one":         AllToOne(n, 3, seeded(1)),
		} {
			if p.Messages() != int64(n-1) {
				t.Errorf("%s: %d messages, want n-1", name, p.Messages())
			}
			roots := map[Rank]bool{}
			for _, phase := range collect(Iterate(p, 400)) {
				var want []pair
				root := phase[0].From
				if name == "all-to-one" {
					root = phase[0].To
				}
				roots[root] = true
				for d := range Rank(n) {
					switch {
					case name == "one-to-all rotated" && d > 0:
						want = append(want, pair{root, (root + d) % Rank(n)})
					case name == "one-to-all same" && d != root:
						want = append(want, pair{root, d})
					case name == "all-to-one" && d != root:
						want = append(want, pair{d, root})
					}
				}
				if got := pairs(phase); !slices.Equal(got, want) {
					t.Fatalf("%s: %v, want %v", name, got, want)
				}
			}
			if n > 1 && len(roots) != n {
				t.Errorf("%s: 400 iterations had the roots %v only", name, roots)
			}
		}
	})
}

func TestBroadcastTree(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		p := BroadcastTree(n, 3, seeded(1))
		if n > 1 && p.Phases() != bits.Len(uint(n-1)) {
			t.Errorf("%d phases, want ceil(log2 n)", p.Phases())
		}
		roots := map[Rank]bool{}
		phases := collect(Iterate(p, 400))
		for len(phases) > 0 {
			root := phases[0][0].From
			roots[root] = true
			have := map[Rank]bool{root: true}
			for k, phase := range phases[:p.Phases()] {
				if want := min(len(have), n-len(have)); len(phase) != want {
					t.Fatalf("phase %d from root %d has %d messages, want %d: all who have the data send", k, root,
						len(phase), want)
				}
				before := Rank(-1)
				for _, m := range phase {
					if !have[m.From] || have[m.To] || m.From <= before {
						t.Fatalf("phase %d from root %d: %v: the sender has no data, the receiver has, or out of "+
							"order", k, root, m)
					}
					before = m.From
				}
				for _, m := range phase {
					have[m.To] = true
				}
			}
			if len(have) != n {
				t.Fatalf("root %d reached %d of %d", root, len(have), n)
			}
			phases = phases[p.Phases():]
		}
		if n > 1 && len(roots) != n {
			t.Errorf("400 iterations had the roots %v only", roots)
		}
	})
}

func TestRandom(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		p := Random(n, 3, seeded(1))
		seen := map[pair]int{}
		const iterations = 600
		for _, phase := range collect(Iterate(p, iterations)) {
			if int64(len(phase)) != p.Messages() {
				t.Fatalf("%d messages, Messages() = %d", len(phase), p.Messages())
			}
			for i, m := range phase {
				if m.From != Rank(i) || m.To == m.From {
					t.Fatalf("message %d is %v", i, m)
				}
				seen[pair{m.From, m.To}]++
			}
		}
		if len(seen) != n*(n-1) {
			t.Errorf("%d of %d pairs were drawn", len(seen), n*(n-1))
		}
		// the mean is 600/(n-1) and, for n = 20, 31.6, with a deviation of 5.5
		for p, times := range seen {
			if mean := iterations / (n - 1); times < mean/4 || times > 2*mean+10 {
				t.Errorf("%v was drawn %d times, the mean is %d", p, times, mean)
			}
		}
	})
}
