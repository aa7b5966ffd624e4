package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawable returns a component whose trajectory has a rate of packets.
func drawable(rate float64, until int64, exact bool) *component {
	k := &jobState{total: 1 << 40, perIteration: 1}
	return &component{jobs: []*jobState{k}, trajectory: &trajectory{steady: true, simulated: until,
		exact: exact, progress: []progress{{endTime: -1,
			estimate: estimate{rate: rate, perMessage: messageSums{packets: 1}}}}}}
}

// A sum over drawn jumps estimates that over all without bias, and its variance is estimated right.
func TestSumsOverDrawnJumpsAreWithoutBias(t *testing.T) {
	weights := []float64{1, 1.5, 2, 3, 5, 8, 13, 21, 34, 200}
	values := []float64{4, -1, 0, 7, 3, 9, 2, 30, 11, 150}
	const runs, want, length = 20000, 4, 10
	all := 0.0
	var list []*component
	for i, v := range values {
		all += v
		list = append(list, drawable(weights[i]/length, 1, false))
	}
	rng := rand.New(rand.NewPCG(7, 8))
	var sum, squares, estimated float64
	for range runs {
		d := jumpSample{size: want}
		for _, c := range list {
			d.offer(c, length, rng)
		}
		if len(d.jumps) != want {
			t.Fatalf("%d trajectories are kept, want %d", len(d.jumps), want)
		}
		total := 0.0
		for i := range d.jumps {
			s := &d.jumps[i]
			for j, w := range weights {
				if math.Abs(s.weight-w) < 1e-9 {
					total += values[j] / d.inclusion(s)
					estimated += drawnVariance(values[j], 0, d.inclusion(s)) / runs
				}
			}
		}
		sum, squares = sum+total/runs, squares+(total-all)*(total-all)/runs
	}
	if math.Abs(sum-all) > 5*math.Sqrt(squares/runs) {
		t.Errorf("a mean of %.2f, want %v", sum, all)
	}
	if math.Abs(estimated/squares-1) > 0.1 {
		t.Errorf("a variance of %.1f, estimated %.1f", squares, estimated)
	}
}

// The jobs of a jump that was kept begin where they began. They were rewound by whole iterations,
// whose length is no whole number of cycles, and are not rewound a second time.
func TestKeptJumpsAreNotRewoundAgain(t *testing.T) {
	c := drawable(1, 1, true)
	k := c.jobs[0]
	k.origin, k.base, k.perIteration, k.iterationCycles = 53, 10, 2, 26.695
	k.rewind(0)
	if k.origin != 27 || k.base != 8 {
		t.Fatalf("the job begins in cycle %d with %d messages", k.origin, k.base)
	}
	d := jumpSample{size: 1}
	d.offer(c, 10, rand.New(rand.NewPCG(1, 2)))
	kept := d.jumps[0].component.jobs[0]
	if kept.rewind(0); kept.origin != 27 || kept.base != 8 {
		t.Errorf("kept, it begins in cycle %d with %d messages", kept.origin, kept.base)
	}
}
