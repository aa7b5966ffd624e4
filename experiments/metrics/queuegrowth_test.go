package metrics

import (
	"math/rand/v2"
	"testing"

	"contend/scheduler"
)

// By hand: a job a cycle, of which the machine starts one every five cycles in every four, so the
// queue grows by a job in five. At the last of 200 submissions 40 jobs wait, which is 20%.
func TestQueueGrowthByHand(t *testing.T) {
	var grows, steady, together, few queueGrowth
	for i := range scheduler.Cycle(200) {
		grows.add(&scheduler.Record{Submit: i, Start: i + i/4}) // i=199: starts up to 199 are 160
		steady.add(&scheduler.Record{Submit: i, Start: i + 20})
		together.add(&scheduler.Record{Start: i})
		if i < 39 {
			few.add(&scheduler.Record{Submit: i, Start: i + i/4})
		}
	}
	if percent, ok := grows.percent(); !ok || percent != 20 {
		t.Errorf("a queue that grows by a job in five: %v%%, %v", percent, ok)
	}
	// The steady one grows to 20 jobs in two of twenty parts and no further: the mean increase is 1,
	// its deviation the root of (2 · 81 + 18)/19, and its interval 2.093 · 3.08 / sqrt(20) = 1.44.
	for what, q := range map[string]*queueGrowth{"steady": &steady, "at once": &together,
		"few": &few} {
		if percent, ok := q.percent(); ok {
			t.Errorf("%s: %v%%", what, percent)
		}
	}
}

// One server with exponential times: of queues at 80% of its capacity nearly none are taken for
// ones that grow, at 130% nearly all are. Lindley's recursion gives the waits.
func TestQueueGrowthIsBeyondChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	found := func(load float64) (grown int) {
		for range 200 {
			var q queueGrowth
			submit, free := 0.0, 0.0
			for range 2000 {
				submit += rng.ExpFloat64() / load
				start := max(submit, free)
				free = start + rng.ExpFloat64()
				q.add(&scheduler.Record{Submit: scheduler.Cycle(1e6 * submit),
					Start: scheduler.Cycle(1e6 * start)})
			}
			if _, ok := q.percent(); ok {
				grown++
			}
		}
		return grown
	}
	steady, beyond := found(0.8), found(1.3)
	t.Logf("of 200 queues each %d at 80%% and %d at 130%% of the capacity grow", steady, beyond)
	if steady > 10 || beyond < 190 {
		t.Errorf("of 200 queues each %d at 80%% and %d at 130%% of the capacity grow", steady, beyond)
	}
}
