package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/cosim/run"
	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// waited runs jobs with jumps and checks on a network, and returns the executor and its waits.
func waited(t *testing.T, net *netsim.Network, mix []patterns.Config, jobs []started,
	tolerance float64) (*Executor, []metrics.LinkWait) {
	t.Helper()
	e := New(net, mix, scheduler.Clock{CyclesPerSecond: 1}, Config{Tolerance: tolerance},
		run.Software{})
	e.checks = newChecks(8, tolerance, rand.New(rand.NewPCG(1, 4)))
	e.RecordWaits()
	drive(t, e, jobs)
	if err := e.check(); err != nil {
		t.Fatal(err)
	}
	return e, e.waits()
}

// The waits of all pairs of jobs sum up to those of the run, which checks have corrected, and those
// for other jobs to the foreign ones.
func TestWaitsOfPairsSumUp(t *testing.T) {
	jumped, met := 0.0, 0
	for seed := range uint64(20) {
		jobs := scattered(rand.New(rand.NewPCG(seed, 30)), 64, mixed, 150)
		e, list := waited(t, grid(t, 8), mixed, jobs, 0.05)
		want := e.Carried().Totals
		var direct, foreign, root int64
		for _, x := range list {
			direct += x.Held + x.Behind
			root += x.Root
			if x.Job != x.For && !x.Nobody {
				foreign += x.Held
			}
			if x.Held < 0 || x.Behind < 0 || x.Root < 0 {
				t.Errorf("seed %d: %+v", seed, x)
			}
		}
		const near = 2 // of rounding
		if math.Abs(float64(direct-want.Blocked)) > near || math.Abs(float64(root-want.Blocked)) > near ||
			math.Abs(float64(foreign-want.Foreign)) > near {
			t.Errorf("seed %d: %d cycles, foreign %d, root %d; want %d, %d", seed, direct, foreign, root,
				want.Blocked, want.Foreign)
		}
		jumped += e.sums.jumped / e.sums.service
		if foreign > 0 {
			met++
		}
	}
	t.Logf("jumped %v, met %v", jumped/20, met)
}
