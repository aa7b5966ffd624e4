package fastforward

import (
	"testing"
)

// Where a trajectory ends, a job is in the iteration that its messages say, and began it when they
// say.
func TestEnter(t *testing.T) {
	rate := estimate{rate: 0.1}
	marked := progress{iterationEnds: []int64{40, 140, 240}, estimate: rate, anchor: 240,
		anchorMessages: 30}
	for _, c := range []struct {
		progress                    progress
		at                          int64
		base, origin, computeCycles int64
	}{
		{marked, 595, 60, 1540, 5},
		{marked, 200, 20, 1140, 5},
		{progress{iterationEnds: []int64{40, 140}}, 39, 0, 970, 7},      // still in its first iteration
		{progress{estimate: rate, anchor: 20}, 100, 0, 970, 7},          // it began 80 cycles ago
		{progress{estimate: rate, anchorMessages: 4}, 255, 20, 1160, 5}, // recalled 4 after its base
		{progress{iterationEnds: []int64{-20, 80}}, 90, 20, 1080, 5},    // began before the component did
		{progress{iterationEnds: []int64{-20, 80}}, 79, 10, 980, 5},     // a cycle before the mark
	} {
		k := &jobState{perIteration: 10, origin: 970, computeCycles: 7, laterCompute: 5}
		c.progress.moveOrigin(k, c.at, 1000)
		if k.base != c.base || k.origin != c.origin || k.computeCycles != c.computeCycles {
			t.Errorf("%+v at %d: base %d, origin %d, computes for %d", c.progress, c.at, k.base, k.origin,
				k.computeCycles)
		}
	}
}
