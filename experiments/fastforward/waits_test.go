package fastforward

import (
	"testing"

	"contend/netsim"
)

// What is found in the second half of a check is scaled to the trajectory, and to all trajectories.
func TestWaitsOfACheck(t *testing.T) {
	k := &jobState{perIteration: 2}
	g := progress{blockEnds: []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
	for i := range g.blockEnds {
		sum := netsim.Totals{Messages: int64(i + 1), Foreign: 100, Blocked: 200}
		if i > 4 { // after time 5, first 6 cycles a message and then 10
			sum.Foreign += int64(6*min(i-4, 2) + 10*max(0, i-6))
		}
		g.blockTotals = append(g.blockTotals, sum)
	}
	s := &sampledJump{component: component{jobs: []*jobState{k}}, messages: []float64{50},
		trajectory: &trajectory{progress: []progress{{
			estimate: estimate{perMessage: messageSums{messages: 1, foreign: 3, blocked: 1}}}}}}
	var w waitCorrection
	w.add(s, &trajectory{progress: []progress{g}}, 10, 0.25)
	// Two iterations of two messages: 8 cycles a message, 5 more than estimated, for 50 messages.
	if w.sum[foreign] != 4*50*5 || w.sum[blocked] != -4*50 || w.sum[messages] != 0 {
		t.Errorf("a correction of %+v", w.sum)
	}
	// The halves are 4 apart, a message, so the mean is known to 2.
	if want := 250.0*250*0.75*16 + 100*100*4; w.foreign != want {
		t.Errorf("a variance of %v, want %v", w.foreign, want)
	}
	sums := w.correct(messageSums{foreign: 500, blocked: 1800})
	if sums[foreign] != 1500 || sums[blocked] != 1600 {
		t.Errorf("corrected: %+v", sums)
	}
	if sums = w.correct(messageSums{foreign: 500, blocked: 1200}); sums[foreign] != sums[blocked] {
		t.Errorf("more is owed to other jobs than to all: %+v", sums)
	}
}
