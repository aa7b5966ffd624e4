package cosim

import (
	"math/rand/v2"
	"testing"
)

func TestTrusted(t *testing.T) {
	for _, c := range []struct {
		beyond, n int
		want      bool
	}{{0, 1, true}, {1, 1, true}, {2, 2, false}, {3, 20, true}, {5, 20, false}, {5, 100, true},
		{11, 100, true}, {12, 100, false}} {
		if Trusted(c.beyond, c.n) != c.want {
			t.Errorf("%d of %d: %v", c.beyond, c.n, !c.want)
		}
	}
}

// Exact jumps are not checked: they would hide how often the others are off.
func TestChecksLeaveExactJumpsOut(t *testing.T) {
	c := checks{want: 5, rng: rand.New(rand.NewPCG(1, 1))}
	c.offer(&component{course: &course{settled: true, exact: true, until: 10}}, 100)
	c.offer(&component{course: &course{settled: true, until: 10}}, 19)
	if c.offered != 0 {
		t.Errorf("%d jumps are offered", c.offered)
	}
	if c.offer(&component{course: &course{settled: true, until: 10}}, 20); c.offered != 1 {
		t.Errorf("%d jumps are offered, want 1", c.offered)
	}
}
