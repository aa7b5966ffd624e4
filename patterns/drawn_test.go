package patterns

import (
	"slices"
	"testing"
)

// Tests of the random patterns.

// Each iteration draws a root, from which all others are reached once, or which all others reach.
// All processes are drawn.
func TestRootsAreDrawnAnew(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		if n == 1 {
			return
		}
		for _, name := range []string{"one-to-all", "all-to-one", "broadcast-tree"} {
			p := named(name, n)
			roots := map[Rank]bool{}
			for range 400 {
				iteration := slices.Concat(phasesOf(p)...)
				for i, m := range iteration {
					if name == "all-to-one" {
						iteration[i].From, iteration[i].To = m.To, m.From
					}
				}
				root := iteration[0].From
				reached := map[Rank]bool{root: true}
				for _, m := range iteration {
					if !reached[m.From] || reached[m.To] {
						t.Fatalf("%s: %v", name, iteration)
					}
					reached[m.To] = true
				}
				if roots[root] = true; len(reached) != n {
					t.Fatalf("%s: %v leaves processes out", name, iteration)
				}
			}
			if len(roots) != n {
				t.Errorf("%s: 400 iterations had the roots %v only", name, roots)
			}
		}
	})
}

func TestRandom(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		p := named("random", n)
		seen := map[Pair]int{}
		const iterations = 600
		for range iterations * p.Messages() / int64(n) {
			phase := p.Phase(nil, 0)
			for i, m := range phase {
				if m.From != Rank(i) || m.To == m.From {
					t.Fatalf("message %d is %v", i, m)
				}
				seen[Pair{m.From, m.To}]++
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
