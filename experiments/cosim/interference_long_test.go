//go:build long

package cosim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
)

// pairWait is how long a job waited for another, and the half width of its interval.
type pairWait struct{ cycles, half float64 }

// pairsOf runs a spec and returns what its jobs waited for each other.
func pairsOf(t *testing.T, s spec.Spec) (pairs map[[2]float64]pairWait, r map[string]float64) {
	t.Helper()
	x := &Extra{Records: metrics.Records{Interference: true}}
	r = runOf(t, s, x)
	of := func(name string) []float64 {
		return column(t, metrics.InterferenceTable.Names(), x.InterferenceRows, name)
	}
	job, by, half := of("job"), of("for_job"), of("error_cycles")
	held, behind := of("held_cycles"), of("behind_cycles")
	pairs = map[[2]float64]pairWait{}
	for i := range job {
		p := pairs[[2]float64{job[i], by[i]}]
		if p.cycles += held[i] + behind[i]; !math.IsNaN(half[i]) {
			p.half += half[i]
		}
		pairs[[2]float64{job[i], by[i]}] = p
	}
	return pairs, r
}

// What jobs that jump over time wait for each other is within its interval of what they wait in the
// full simulation, for 95 of 100 pairs if the intervals are right. The pairs that count have at
// least a hundredth of a run's waits for other jobs.
func TestLongInterferenceOfJobsThatJump(t *testing.T) {
	var holds, all, estimates int
	offs := []float64{}
	var rms [2]float64
	var rel []float64
	for _, pattern := range []string{"ring", "n-body", "near-neighbour", "random", "one-to-all",
		"ring+n-body+near-neighbour+all-to-all"} {
		for _, topology := range []string{"mesh", "torus"} {
			for seed := range int64(4) {
				s := jumpedSpec(pattern, 7000+seed, 0)
				s.Machine.Topology = topology
				full, want := pairsOf(t, s)
				s.FastForward = 0.02
				jumped, got := pairsOf(t, s)
				foreign := 0.0
				for p, x := range full {
					if p[0] != p[1] {
						foreign += x.cycles
					}
				}
				h, n := 0, 0
				for p, x := range full {
					if p[0] == p[1] || math.IsNaN(p[1]) || x.cycles < foreign/100 {
						continue
					}
					y := jumped[p]
					n++
					if math.Abs(y.cycles-x.cycles) <= y.half {
						h++
					} else {
						offs = append(offs, y.cycles/x.cycles-1)
						t.Logf("   pair %v: %v ± %.0f, in full %v", p, y.cycles, y.half, x.cycles)
					}
					if y.half > 0 || y.cycles != x.cycles {
						estimates++
						rms[0] += (y.half / x.cycles) * (y.half / x.cycles)
						rms[1] += (y.cycles/x.cycles - 1) * (y.cycles/x.cycles - 1)
						rel = append(rel, y.half/x.cycles)
					}
				}
				all, holds = all+n, holds+h
				t.Logf("%s %s %d: %d of %d; jumped %.3g%% foreign %v ± %.2g%% in full %v",
					strings.Split(pattern, "+")[0], topology, seed, h, n, got["time_jumped"], got["foreign_blocking_time"],
					got["foreign_blocking_error"], want["foreign_blocking_time"])
			}
		}
	}
	slices.Sort(rel)
	t.Logf("%d of %d, %d are estimates, %d do not hold; rms half %.3g off %.3g; median half %.3g", holds, all, estimates, all-holds,
		math.Sqrt(rms[0]/float64(estimates)), math.Sqrt(rms[1]/float64(estimates)), rel[len(rel)/2])
}
