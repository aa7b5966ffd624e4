package scheduler

import "math"

// WholeSeconds tells whether every time of the jobs that a run with fixed run
// times converts is a whole number of seconds (or time units): then one cycle a
// second is exact. speedup is that of Fixed.
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
