package site

import (
	"math"
	"slices"

	"contend/internal/input"
)

// Each window of the log has windowJobs jobs, of which the first warmup find an empty machine. A
// short log is divided into minWindows.
const (
	windowJobs = 200
	warmup     = 40
	minWindows = 5
)

// windows are count windows of a log. The first begins at job start, the others step jobs apart.
type windows struct {
	count, start, step int
	jobs, unmeasured   int     // of each window
	low, high, mean    float64 // loads; mean is that of all windows together
	distance           float64 // of their loads to evenly spaced quantiles of those of the log
}

// MaxWindows is the number of windows that the log has.
func (s *Site) MaxWindows() int { return max(1, len(s.log.sizes)/s.windowJobs()) }

// windowJobs is the number of jobs of a window.
func (s *Site) windowJobs() int { return min(windowJobs, len(s.log.sizes)/minWindows) }

// Choose chooses n windows for the study. They stand at even distances, so that each has the same
// weight. Among the starts and distances at which their mean load is that of the log, it takes
// those that put them best into n strata of the log by load.
func (s *Site) Choose(n int) {
	jobs := s.windowJobs()
	n = min(n, s.MaxWindows())
	maxStep := len(s.log.sizes) - jobs
	if n > 1 {
		maxStep /= n - 1
	}
	ranked := s.log.ranked(jobs)
	best := windows{mean: math.Inf(1), distance: math.Inf(1)}
	for step := range spaced(max(jobs, maxStep*3/4), max(jobs, maxStep)) {
		for start := range spaced(0, len(s.log.sizes)-jobs-(n-1)*step) {
			w := windows{count: n, jobs: jobs, unmeasured: min(warmup, jobs/5), start: start, step: step}
			if s.log.measure(&w, ranked); w.betterThan(&best, s.log.whole()) {
				best = w
			}
		}
	}
	s.windows = best
}

// Take keeps only one of the chosen windows.
func (s *Site) Take(i int) {
	w := &s.windows
	w.start, w.count = w.start+i*w.step, 1
	s.log.measure(w, s.log.ranked(w.jobs))
}

// spaced yields at most 200 numbers from low to high, evenly apart, both ends among them.
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

// ranked returns the loads of windows all over the log, sorted.
func (l *logLoad) ranked(jobs int) (loads []float64) {
	for start := 0; start+jobs <= len(l.sizes); start += max(1, jobs/10) {
		loads = append(loads, l.load(start, jobs))
	}
	slices.Sort(loads)
	return loads
}

// measure sets the loads of windows, and their distance to one window in each of as many strata of
// equal size: the mean square of the differences of ranks (Cramér and von Mises).
func (l *logLoad) measure(w *windows, ranked []float64) {
	loads := make([]float64, w.count)
	sumWork, sumTime := 0.0, 0.0
	for i := range loads {
		start := w.start + i*w.step
		loads[i] = l.load(start, w.jobs)
		work, time := l.span(start, w.jobs)
		sumWork, sumTime = sumWork+work, sumTime+time
	}
	slices.Sort(loads)
	w.low, w.high, w.distance = loads[0], loads[len(loads)-1], 0
	if sumTime > 0 {
		w.mean = sumWork / sumTime
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
	off := func(w *windows) float64 { return max(math.Abs(w.mean-load), 0.005*load) }
	if a, b := off(w), off(other); a != b {
		return a < b
	}
	return w.distance < other.distance
}

// Windows describes the windows of the study and their load in a sentence.
func (s *Site) Windows() string {
	w := &s.windows
	return input.Plural(w.count, "window") + " of " + input.Plural(w.jobs, "job") + ", of loads " +
		between(w.low, w.high) + ", together " + between(w.mean, w.mean) + "; the log's load is " +
		between(s.log.whole(), s.log.whole())
}

// Measured returns the number of measured jobs, and of all jobs of the log.
func (s *Site) Measured() (measured, all int) {
	return s.windows.count * (s.windows.jobs - s.windows.unmeasured), len(s.log.sizes)
}
