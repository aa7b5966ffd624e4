package experiments

import (
	"fmt"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// sharedAhead returns, for each run, how many seconds it will spend on what
// runs share, having been begun in this order.
func sharedAhead(s *cosim.Simulator, tasks []task) []float64 {
	ahead := make([]float64, len(tasks))
	if s == nil {
		return ahead
	}
	jobs, counted := map[string][]cosim.AloneJob{}, map[string]bool{}
	for i, t := range tasks {
		plan := &t.point.Spec
		if cosim.KnowsTimes(plan) || spec.TogetherWorkload.Holds(plan) ||
			spec.TrafficWorkload.Holds(plan) {
			continue
		}
		same := fmt.Sprintf("%s%d", plan.CanonicalOf(func(path string) bool {
			return spec.MakesJobs(path) || spec.IsReference(path) || path == "runs.seed"
		}), t.replication)
		list, ok := jobs[same]
		if !ok {
			list = s.AloneJobs(plan, t.replication)
			jobs[same] = list
		}
		for _, l := range list {
			if !counted[l.Key] && !s.Has(l.Key) {
				counted[l.Key] = true
				ahead[i] += float64(l.Messages) * s.Rate(l.Pattern)
			}
		}
	}
	return ahead
}
