package scheduler

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// estimated returns a job with another estimate.
func estimated(j Job, estimate float64) Job { j.Estimate = estimate; return j }

// Under every policy, killing at the estimate gives the same schedule as run times cut to the
// estimate.
func TestKillOverrunsCutsRunTimes(t *testing.T) {
	for name, policy := range allPolicies {
		for seed := range uint64(100) {
			jobs := drawJobs(rand.New(rand.NewPCG(seed, 4)), 12, 60, anyhow)
			killing := fixedSim(&List{Jobs: jobs}, 12)
			killing.Policy, killing.KillOverruns = policy.make(), true
			got, totals := recorded(t, killing)
			overruns := 0
			for i := range jobs {
				if j := &jobs[i]; j.RunTime > j.Estimate {
					j.RunTime = j.Estimate
					overruns++
				}
			}
			want := simulatePolicy(t, jobs, 12, policy.make())
			slices.SortFunc(got, byID) // at a cycle jobs end before jobs are killed
			slices.SortFunc(want, byID)
			if !slices.Equal(got, want) || totals.Killed != overruns {
				t.Fatalf("%s, seed %d: %d killed, want %d: %s", name, seed, totals.Killed, overruns,
					cmp.Diff(want, got))
			}
		}
	}
}

// Killing without a Killer is a caller's bug.
func TestCannotKill(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{estimated(job(1, 0, 10, 2), 4)}}, 4)
	sim.KillOverruns, sim.Executor = true, struct{ Executor }{&Fixed{}}
	got := must.Panic(func() { sim.Run() })
	if !strings.HasPrefix(got, "scheduler: job 1 cannot be killed") {
		t.Errorf("panic %q", got)
	}
}
