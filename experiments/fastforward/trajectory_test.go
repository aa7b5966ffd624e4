package fastforward

import (
	"testing"
)

// Where a trajectory ends, a job is in the iteration that its messages say, and began it when they
// say.
func TestEnter(t *testing.T) {
	for _, c := range []struct {
		leg                leg
		at                 int64
		base, origin, lead int64
	}{
		{leg{marks: []int64{40, 140, 240}, rate: 0.1, anchor: 240, anchored: 30}, 595, 60, 1540, 5},
		{leg{marks: []int64{40, 140, 240}, rate: 0.1, anchor: 240, anchored: 30}, 200, 20, 1140, 5},
		{leg{marks: []int64{40, 140}}, 39, 0, 970, 7},   // still in its first iteration
		{leg{rate: 0.1, anchor: 20}, 100, 0, 970, 7},    // it began 80 cycles ago
		{leg{rate: 0.1, anchored: 4}, 255, 20, 1160, 5}, // recalled 4 messages after its base
		{leg{marks: []int64{-20, 80}}, 90, 20, 1080, 5}, // began before the component did
		{leg{marks: []int64{-20, 80}}, 79, 10, 980, 5},  // a cycle before the mark
	} {
		k := &jobState{perIteration: 10, origin: 970, lead: 7, pause: 5}
		c.leg.enter(k, c.at, 1000)
		if k.base != c.base || k.origin != c.origin || k.lead != c.lead {
			t.Errorf("%+v at %d: base %d, origin %d, lead %d", c.leg, c.at, k.base, k.origin, k.lead)
		}
	}
}
