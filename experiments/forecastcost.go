package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// conclude computes the forecast from the probes. s, which may be nil, knows the
// work that runs share.
func (f *Forecast) conclude(s *cosim.Simulator) {
	known := map[string]float64{}
	f.Probed, f.Ended = 0, 0
	for _, p := range f.probes {
		f.Probed++
		if p.ended {
			f.Ended++
		}
		if p.seconds > 0 {
			known[p.task.point.Hash] = p.seconds
		}
	}
	if len(known) == 0 {
		return
	}
	f.cost = fitCosts(f.firsts, known)
	once := sharedAhead(s, f.tasks, f.seedAxis)
	durations := make([]float64, 0, len(f.tasks))
	for i, t := range f.tasks {
		durations = append(durations, f.cost[t.point.Hash]+once[i])
	}
	slices.SortFunc(durations, func(a, b float64) int { return cmp.Compare(b, a) }) // longestFirst
	seconds, doubt := makespan(durations, f.Workers), f.doubt()
	whole := func(x float64) float64 { return math.Ceil(x*1000) / 1000 }
	f.Seconds, f.Low, f.High = whole(seconds), whole(seconds/doubt), whole(seconds*doubt)
}

// doubt returns the uncertainty of a forecast as a factor. Replications of a point
// differ, the beginning of a run differs from the rest, and a point may differ
// from its neighbours. These factors are fitted to the actual times of studies that were
// forecast, that of a log among them: a twentieth of one has 0.3 to 2.1 times the mean cost of a
// job.
// Probes whose pace changes add to them.
func (f *Forecast) doubt() float64 {
	seconds, spread, ofLog := 0.0, 0.0, 0.0
	for _, p := range f.probes {
		seconds += p.seconds
		spread += p.spread * p.seconds
		if !p.ended && p.task.point.Spec.Workload.Source == "swf" {
			ofLog += p.seconds
		}
	}
	factor := 1.25
	switch points := len(f.firsts); {
	case f.Probed < points, ofLog > seconds/2:
		factor = 2
	case f.Ended < points:
		factor = 1.5
	}
	return factor * (1 + spread/seconds)
}

// fitCosts returns the cost of a run of every point by hash: that of its probe if
// it has one, otherwise an estimate from the probed points. The model of the
// logarithm of the cost is a sum of one effect for each label of each axis. The
// fit takes the mean residual of each label in turn, so it separates an axis that
// multiplies the cost, such as the pattern, from one with little influence.
func fitCosts(points []task, known map[string]float64) map[string]float64 {
	var probed []task
	middle := 0.0
	for _, t := range points {
		if known[t.point.Hash] > 0 {
			probed = append(probed, t)
			middle += math.Log(known[t.point.Hash])
		}
	}
	middle /= float64(max(1, len(probed)))
	effects := make([]map[string]float64, len(points[0].point.Labels))
	fitted := func(labels []string) float64 {
		sum := middle
		for a, label := range labels {
			sum += effects[a][label]
		}
		return sum
	}
	const rounds = 20
	for range rounds {
		for a := range effects {
			residuals := map[string]cosim.Mean{}
			for _, t := range probed {
				label := t.point.Labels[a]
				m := residuals[label]
				m.Add(math.Log(known[t.point.Hash]) - fitted(t.point.Labels) + effects[a][label])
				residuals[label] = m
			}
			effects[a] = map[string]float64{}
			for label, m := range residuals {
				effects[a][label] = m.Value()
			}
		}
	}
	costs := map[string]float64{}
	for _, t := range points {
		if c := known[t.point.Hash]; c > 0 {
			costs[t.point.Hash] = c
		} else {
			costs[t.point.Hash] = math.Exp(fitted(t.point.Labels))
		}
	}
	return costs
}

// makespan returns the time after which workers have finished tasks of the given
// durations, if the first free worker takes the next task.
func makespan(durations []float64, workers int) float64 {
	free := make([]float64, max(1, min(workers, len(durations))))
	for _, d := range durations {
		first := 0
		for i := range free {
			if free[i] < free[first] {
				first = i
			}
		}
		free[first] += d
	}
	return slices.Max(free)
}

// staleRuns is how many runs in a row may bring no new kind of job before the forecast takes
// it that others of the same pattern, machine and network bring none either. A study of ten
// thousand seeds has the jobs of a few of them made.
const staleRuns = 50

// sharedAhead returns the seconds that each run spends on work that later runs
// reuse, if the runs begin in this order. seeds is the place of the axis of seeds, or -1.
func sharedAhead(s *cosim.Simulator, tasks []task, seeds int) []float64 {
	ahead := make([]float64, len(tasks))
	if s == nil {
		return ahead
	}
	jobs, counted := map[string][]cosim.AloneJob{}, map[cosim.AloneKey]bool{}
	stale := map[string]int{} // runs in a row whose jobs were all known, by what jobs send where
	done := map[string]bool{} // points but for their seeds that bring nothing new any more
	for i, t := range tasks {
		point := unseeded(t.point.Labels, seeds)
		if done[point] {
			continue
		}
		plan, err := t.plan.decoded()
		if err != nil || plan.KnowsTimes || plan.Workload.Source == spec.SourceTogether ||
			plan.Workload.Source == spec.SourceTraffic {
			continue
		}
		kind := plan.Job.Mixed + "\n" + string(plan.MachineID()) + "\n" + string(plan.NetworkID())
		if stale[kind]++; stale[kind] > staleRuns {
			done[point] = true
			continue
		}
		same := fmt.Sprintf("%s%d", t.point.Spec.CanonicalOf(func(path string) bool {
			return spec.MakesJobs(path) || spec.IsReference(path) || path == "runs.seed"
		}), t.replication)
		list, ok := jobs[same]
		if !ok {
			list = s.AloneJobs(plan, t.replication)
			jobs[same] = list
		}
		for _, l := range list {
			if !counted[l.Key] && !s.Has(l.Key) {
				counted[l.Key], stale[kind] = true, 0
				ahead[i] += float64(l.Messages) * s.Rate(l.Pattern)
			}
		}
	}
	return ahead
}

// unseeded joins the labels of a point without that of the axis of seeds, if there is one.
func unseeded(labels []string, seeds int) string {
	if seeds >= 0 {
		labels = slices.Delete(slices.Clone(labels), seeds, seeds+1)
	}
	return strings.Join(labels, "\n")
}
