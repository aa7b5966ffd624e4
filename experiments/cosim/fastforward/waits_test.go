package fastforward

import (
	"math"
	"testing"

	"contend/netsim"
)

// What is found in the second half of a check is scaled to the trajectory, and to all trajectories.
func TestWaitsOfACheck(t *testing.T) {
	k := &jobState{perIteration: 2}
	g := leg{blocks: []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}
	for i := range g.blocks {
		sum := netsim.Totals{Messages: int64(i + 1), Foreign: 100, Blocked: 200}
		if i > 4 { // after time 5, first 6 cycles a message and then 10
			sum.Foreign += int64(6*min(i-4, 2) + 10*max(0, i-6))
		}
		g.sums = append(g.sums, sum)
	}
	s := &sampled{part: component{jobs: []*jobState{k}}, messages: []float64{50},
		trajectory: &trajectory{legs: []leg{{each: messageSums{messages: 1, foreign: 3, blocked: 1}}}}}
	var w waits
	w.add(s, &trajectory{legs: []leg{g}}, 10, 0.25, &bursts{})
	// Two iterations of two messages: 8 cycles a message, 5 more than foreseen, for 50 messages.
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

// Waits of 10 and 30 cycles in turn have a variance of 200 and a mean of 20: bursts of 10 cycles.
func TestBursts(t *testing.T) {
	var b bursts
	k := &jobState{perIteration: 2}
	sum := netsim.Totals{}
	for i := range 101 {
		k.live.last = int64(i + 1)
		if i == 0 {
			k.live.first = 1
		}
		sum.Messages += 2
		sum.Blocked += int64(10 + 20*(i%2))
		b.heard(k, sum)
	}
	if got := b[0].squares / b[0].sum; got != 10 {
		t.Errorf("bursts of %v cycles", got)
	}
	alone, meets := k.foresee(20, true), k.foresee(20, false)
	if want := 20.0 * 2010 / 202; alone != meets || math.Abs(alone[0]-want) > 1e-9 || alone[1] != 0 {
		t.Errorf("%v and %v cycles are foreseen, want %v", alone, meets, want)
	}
	// A time that was simulated whole: both its own waits and those that were seen are drawn.
	if got := b.variance(0, 1000, 1, 1e12); math.Abs(got-10*(1000+1010)) > 1 {
		t.Errorf("a variance of %v", got)
	}
	long, short := b.variance(0, 0, 10, 500), b.variance(0, 0, 100, 500)
	if long <= 0 || short <= long {
		t.Errorf("variances of %v and %v where none was seen", long, short)
	}
	if got := b.variance(0, 0, 100, 0); got != 0 {
		t.Errorf("a variance of %v where nothing waits", got)
	}
	if got := b.variance(1, 500, 100, 500); got != 0 {
		t.Errorf("a variance of %v of waits of which no burst is known", got)
	}
}

// What two jobs wait for each other in one phase adds up and is known by its mean alone. Over many
// beats the phases even out.
func TestPhaseVariance(t *testing.T) {
	same := &component{jobs: []*jobState{{turn: 100}, {turn: 100}}}
	if got := same.phaseVariance([]float64{30, 30}, 5000); got != 60*60 {
		t.Errorf("two jobs of one phase have a variance of %v, want %v", got, 60*60)
	}
	if got := same.phaseVariance([]float64{30, 0}, 5000); got != 30*30 {
		t.Errorf("more than all of the time varies: %v", got)
	}
	apart := &component{jobs: []*jobState{{turn: 100}, {turn: 125}}} // a beat of 500
	if got := apart.phaseVariance([]float64{30, 30}, 5000); math.Abs(got-60*60/10.) > 1e-9 {
		t.Errorf("ten beats have a variance of %v, want %v", got, 60*60/10.)
	}
}
