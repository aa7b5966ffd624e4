package scheduler

import "math"

// WholeSeconds reports whether a run with fixed run times converts only whole numbers
// of seconds (or time units). One cycle per second is then exact. The argument speedup
// is Fixed.Speedup.
func WholeSeconds(jobs []Job, speedup float64) bool {
	for i := range jobs {
		j := &jobs[i]
		if j.Submit != math.Trunc(j.Submit) || j.RunTime != math.Trunc(j.RunTime) ||
			j.Estimate != math.Trunc(j.Estimate) {
			return false
		}
		if t := j.RunTime * (1 - speedup); speedup > 0 && j.Size > 1 && t != math.Trunc(t) {
			return false
		}
	}
	return true
}
