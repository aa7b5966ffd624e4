package experiments

import "slices"

// longestFirst orders runs by what they are expected to cost, so that no long
// one is begun last and keeps a single worker busy while the others wait. Where
// no forecast knows costs, the order stays that of the study. Stored results do
// not depend on it: Finish writes them in the order of the study.
func (r *Runner) longestFirst(tasks []task) []task {
	if r.costs == nil {
		return tasks
	}
	ordered := slices.Clone(tasks)
	slices.SortStableFunc(ordered, func(a, b task) int {
		switch x, y := r.costs[a.point.Hash], r.costs[b.point.Hash]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return ordered
}
