package scheduler

import (
	"math"
	"slices"
)

// ScaleToLoad stops at a relative error of loadExact and accepts loadNear. The load has
// jumps where another job starts to end after the last submission.
const (
	loadExact = 1e-9
	loadNear  = 0.01
	loadTries = 200
)

// ScaleToLoad multiplies the times between submissions by one factor and returns the
// factor. With it Load returns the target on a machine of the given size. The first
// submission keeps its time. It is an error if Load is not defined for the jobs, or if
// no factor comes within 1% of the target.
func ScaleToLoad(jobs []Job, processors int, target float64) (factor float64, err error) {
	logged, ok := Load(jobs, processors)
	if !ok || !(logged > 0) {
		return 0, badField("ScaleToLoad.target", "is %v: the load of these %d jobs is not defined, "+
			"too few of them end before the last is submitted", target, len(jobs))
	}
	scaled := slices.Clone(jobs)
	loadAt := func(f float64) float64 {
		scaleTimes(scaled, jobs, f)
		load, _ := Load(scaled, processors) // 0 if no job is left: the submissions are too dense
		return load
	}
	best, off := 1.0, math.Abs(logged/target-1)
	low, high := 0.0, math.Inf(1) // factors at which the load is too high and too low
	for f, n := logged/target, 0; n < loadTries && off > loadExact; n++ {
		load := loadAt(f)
		if e := math.Abs(load/target - 1); load > 0 && e < off {
			best, off = f, e
		}
		if load > target || load == 0 {
			low = max(low, f)
		} else {
			high = min(high, f)
		}
		f = nextFactor(f, load/target, low, high)
	}
	if off > loadNear {
		return 0, badField("ScaleToLoad.target", "is %v: no factor brings the load of these %d jobs, "+
			"%.4g as logged, within 1%% of it", target, len(jobs), logged)
	}
	scaleTimes(jobs, slices.Clone(jobs), best)
	return best, nil
}

// nextFactor returns the factor that is right if the load is inversely proportional to
// it. If that lies outside of the interval left, nextFactor returns the middle of the
// interval.
func nextFactor(f, ratio, low, high float64) float64 {
	next := f * ratio
	switch {
	case next > low && next < high && ratio > 0:
		return next
	case math.IsInf(high, 1):
		return 2 * low
	case low == 0:
		return high / 2
	}
	return math.Sqrt(low * high)
}

// scaleTimes sets the submissions of to to those of from, with the times between them
// multiplied by factor.
func scaleTimes(to, from []Job, factor float64) {
	for i := range from {
		to[i].Submit = from[0].Submit + (from[i].Submit-from[0].Submit)*factor
	}
}
