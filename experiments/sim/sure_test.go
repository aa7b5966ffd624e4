package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
)

// drawnSpec draws a small study of jobs of which all start when they are submitted, under a routing
// that draws. Many are done before a jump pays.
func drawnSpec(seed uint64) config.Spec {
	rng := rand.New(rand.NewPCG(seed, 7))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	pattern := pick("ring", "all-to-all", "near-neighbour", "random", "one-to-all")
	s := jumpedSpec(pattern, int64(seed), 0)
	s.Network.Routing = pick("o1turn", "romm", "valiant", "balanced-dateline")
	if s.Network.Routing == "balanced-dateline" {
		s.Machine.Topology = "torus"
	}
	s.Network.Arbiter = pick("fcfs", "round-robin")
	s.Allocator = pick("first-fit", "mc1x1", "random")
	s.Workload.Side.Max = 3
	s.Job.Quota.Iterations = 3 + 180*float64(rng.IntN(3))
	s.Workload.Interarrival.Mean = 200 + 3000*float64(rng.IntN(2))
	s.Audits = 1
	return s
}

// Where a run with fast-forwarding jumps over nothing, its result is that of the full simulation. A
// job of a run with jumps whose error is 0 is that of the full simulation to the last byte, where
// all jobs have the same nodes and begin at the same times.
func checkSure(t *testing.T, seeds, least int) {
	t.Helper()
	i := func(name string) int { return slices.Index(metrics.JobTable.Names(), name) }
	off := i("service_time_error")
	full, beside, still := 0, 0, 0
	for seed := range uint64(seeds) {
		s := drawnSpec(seed)
		rows, results := [2][][]string{}, [2]map[string]float64{}
		for k, fastForward := range []float64{0, 0.1} {
			s.FastForward = fastForward
			var x *Extra
			results[k], x = rowsOf(t, s, withJobs)
			rows[k] = x.JobRows
		}
		jumped := results[1]["time_jumped"]
		for name, v := range results[0] {
			if w, has := results[1][name]; jumped == 0 && has && w != v {
				t.Errorf("seed %d: %s is %v without a jump, in full %v", seed, name, w, v)
			}
		}
		if jumped == 0 {
			still++
		}
		same := len(rows[0]) == len(rows[1])
		at := map[string][]string{} // rows of the full simulation by job
		for _, row := range rows[0] {
			at[row[0]] = row
		}
		for _, row := range rows[1] {
			for _, name := range []string{"start", "nodes"} {
				same = same && row[i(name)] == at[row[0]][i(name)]
			}
		}
		for _, row := range rows[1] {
			if !same || row[off] != "0" {
				continue
			}
			if full++; jumped > 0 {
				beside++
			}
			row[off] = at[row[0]][off]
			if !slices.Equal(row, at[row[0]]) {
				t.Errorf("seed %d, %s: job without an error\n%v, in full\n%v", seed, s.Network.Routing, row,
					at[row[0]])
			}
		}
	}
	t.Logf("%d jobs without an error, %d of them in runs with jumps; %d runs without jumps", full,
		beside, still)
	if beside < least || still < least {
		t.Errorf("%d jobs without an error beside others that jump, %d runs without jumps", beside, still)
	}
}

func TestJobsWithoutErrorAreThoseOfTheFullRun(t *testing.T) { checkSure(t, 12, 2) }
