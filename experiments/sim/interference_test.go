package sim

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
)

// cosimPair is a job that waited and the job that it waited for, NaN where it waited for no job.
type cosimPair struct{ job, by float64 }

// foreign reports whether the other is another job.
func (p cosimPair) foreign() bool { return p.by != p.job && !math.IsNaN(p.by) }

// pairWait is how long one job waited for another, as the rows of a run say.
type pairWait struct{ held, direct, half float64 }

// pairsOf runs a spec and returns what its jobs waited for each other, waits for nobody under the
// pair of zeros.
func pairsOf(t *testing.T, s config.Spec) (map[cosimPair]pairWait, map[string]float64, *Extra) {
	t.Helper()
	r, x := rowsOf(t, s, metrics.Records{Interference: true, Jobs: true})
	of := func(name string) []float64 {
		return column(t, metrics.InterferenceTable.Names(), x.InterferenceRows, name)
	}
	job, by, half := of("job"), of("for_job"), of("error_cycles")
	held, behind := of("held_cycles"), of("behind_cycles")
	pairs := map[cosimPair]pairWait{}
	for i := range job {
		key := cosimPair{job[i], by[i]}
		if math.IsNaN(by[i]) {
			key = cosimPair{}
		}
		p := pairs[key]
		p.held += held[i]
		p.direct += held[i] + behind[i]
		p.half += half[i] // NaN where every flit is simulated
		pairs[key] = p
	}
	return pairs, r, x
}

// The rows of a run with jumps sum up to its blocking times, and waits that are no estimates are
// those of the full simulation. A critical path sums up to the service time of a job that has not
// jumped, and jobs that have jumped have none.
func TestInterferenceOfJobsThatJump(t *testing.T) {
	estimates, exact, jumped := 0, 0, 0
	for seed, pattern := range []string{"ring", "n-body", "near-neighbour", "one-to-all", "random",
		"ring"} { // checks correct what the last one waits
		s := jumpedSpec(pattern, int64(6001+seed), 0)
		if seed == 5 {
			s.Seed, s.Machine.Topology = 7001, "torus"
		}
		full, _, _ := pairsOf(t, s)
		s.FastForward = 0.02
		pairs, r, x := pairsOf(t, s)
		var direct, foreign float64
		for p, w := range pairs {
			if direct += w.direct; p.foreign() {
				foreign += w.held
			}
			switch {
			case w.half > 0:
				estimates++
			case w.direct != full[p].direct:
				t.Errorf("%s: %v waits %v without an interval, in full %v", pattern, p, w.direct,
					full[p].direct)
			default:
				exact++
			}
		}
		for _, c := range []struct {
			name string
			sum  float64
		}{{"packet_blocking_time", direct}, {"foreign_blocking_time", foreign}} {
			if want := r[c.name] * r["packets"]; math.Abs(c.sum-want) > 2 {
				t.Errorf("%s: %s is of %v cycles, the rows sum to %v", pattern, c.name, want, c.sum)
			}
		}
		paths := map[float64]float64{}
		id := column(t, metrics.PathTable.Names(), x.PathRows, "job")
		for i, cycles := range column(t, metrics.PathTable.Names(), x.PathRows, "cycles") {
			paths[id[i]] += cycles
		}
		service := jobColumn(t, x, "service_time")
		for i, job := range jobColumn(t, x, "job") {
			if sum, ok := paths[job]; !ok {
				jumped++
			} else if sum != service[i] {
				t.Errorf("%s: the path of job %v takes %v, it takes %v", pattern, job, sum, service[i])
			}
		}
	}
	if estimates < 15 || exact < 130 || jumped < 8 || jumped > 20 {
		t.Errorf("%d pairs are estimates and %d are exact; %d jobs jump", estimates, exact, jumped)
	}
}
