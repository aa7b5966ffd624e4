package site

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/internal/input"
)

// A window of the log has windowJobs jobs, the last cooldown of which are not measured: no jobs arrive
// behind them. A short log is divided into minWindows.
const (
	windowJobs = 200
	cooldown   = 40
	minWindows = 5
)

// windows are windows of a log: the first begins at job start, the others step jobs apart.
type windows struct {
	count, start, step          int
	jobs, unmeasured            int     // of each window
	lowLoad, highLoad, meanLoad float64 // loads; mean is that of all windows together
	distance                    float64 // of their loads to strata of the log; see measureWindows
}

// MaxWindows returns the number of windows that fit into the log.
func (s *Site) MaxWindows() int { return max(1, len(s.load.sizes)/s.windowJobs()) }

// windowJobs returns the number of jobs of a window.
func (s *Site) windowJobs() int { return min(windowJobs, len(s.load.sizes)/minWindows) }

// ChooseWindows chooses n windows for the study, at even distances. Among the starts and distances
// with the mean load of the log, it takes those whose windows fall best into n strata by load.
func (s *Site) ChooseWindows(n int) {
	jobs := s.windowJobs()
	n = min(n, s.MaxWindows())
	maxStep := len(s.load.sizes) - jobs
	if n > 1 {
		maxStep /= n - 1
	}
	ranked := s.load.sortedLoads(jobs)
	best := windows{meanLoad: math.Inf(1), distance: math.Inf(1)}
	for step := range spaced(max(jobs, maxStep*3/4), max(jobs, maxStep)) {
		for start := range spaced(0, len(s.load.sizes)-jobs-(n-1)*step) {
			w := windows{count: n, jobs: jobs, unmeasured: min(cooldown, jobs/5), start: start, step: step}
			if s.load.measureWindows(&w, ranked); w.betterThan(&best, s.load.wholeLoad()) {
				best = w
			}
		}
	}
	s.windows = best
}

// KeepWindow drops all chosen windows but one.
func (s *Site) KeepWindow(i int) {
	w := &s.windows
	w.start, w.count = w.start+i*w.step, 1
	s.load.measureWindows(w, s.load.sortedLoads(w.jobs))
}

// spaced yields at most 200 numbers at even distances from low to high, both included.
func spaced(low, high int) func(func(int) bool) {
	return func(yield func(int) bool) {
		n := min(199, high-low)
		for i := range n + 1 {
			if !yield(low + i*(high-low)/max(1, n)) {
				return
			}
		}
	}
}

// sortedLoads returns the sorted loads of windows at a tenth of their length all over the log.
func (l *logLoad) sortedLoads(jobs int) (loads []float64) {
	for start := 0; start+jobs <= len(l.sizes); start += max(1, jobs/10) {
		loads = append(loads, l.load(start, jobs))
	}
	slices.Sort(loads)
	return loads
}

// measureWindows sets the loads of windows and their distance to the middles of as many strata of
// equal size: the mean square of the differences of ranks (the statistic of Cramér and von Mises).
func (l *logLoad) measureWindows(w *windows, ranked []float64) {
	loads := make([]float64, w.count)
	sumWork, sumTime := 0.0, 0.0
	for i := range loads {
		start := w.start + i*w.step
		loads[i] = l.load(start, w.jobs)
		work, time := l.span(start, w.jobs)
		sumWork, sumTime = sumWork+work, sumTime+time
	}
	slices.Sort(loads)
	w.lowLoad, w.highLoad, w.distance = loads[0], loads[len(loads)-1], 0
	if sumTime > 0 {
		w.meanLoad = sumWork / sumTime
	}
	for i, load := range loads {
		rank, _ := slices.BinarySearch(ranked, load)
		middle := (float64(i) + 0.5) / float64(len(loads))
		w.distance += math.Pow(float64(rank)/float64(len(ranked))-middle, 2) / float64(len(loads))
	}
}

// betterThan reports whether the mean load of windows is nearer to that of the log or, where both
// are within half a percent, their loads are nearer to its strata.
func (w *windows) betterThan(other *windows, load float64) bool {
	off := func(w *windows) float64 { return max(math.Abs(w.meanLoad-load), 0.005*load) }
	if a, b := off(w), off(other); a != b {
		return a < b
	}
	return w.distance < other.distance
}

// DescribeWindows returns the windows of the study and their load in words.
func (s *Site) DescribeWindows() string {
	w := &s.windows
	return input.Plural(w.count, "window") + " of " + input.Plural(w.jobs, "job") + ", of loads " +
		interval(w.lowLoad, w.highLoad) + ", together " + interval(w.meanLoad, w.meanLoad) +
		"; the log's load is " + interval(s.load.wholeLoad(), s.load.wholeLoad())
}

// Measured returns the number of jobs that the study measures, and that of the log.
func (s *Site) Measured() (measured, all int) {
	return s.windows.count * (s.windows.jobs - s.windows.unmeasured), len(s.load.sizes)
}

// sizeRange returns the range of job sizes of a metric in words.
func sizeRange(metric string) string {
	class, ok := metrics.ClassOf(metric)
	switch {
	case !ok:
		return "all sizes"
	case class.Min == class.Max:
		return input.Plural(class.Min, "node")
	case class.Max == 0:
		return fmt.Sprintf("%d nodes and more", class.Min)
	}
	return fmt.Sprintf("%d to %d nodes", class.Min, class.Max)
}
