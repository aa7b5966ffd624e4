package fastforward

import (
	"math"

	"contend/experiments/stats"
)

const (
	minIterations = 2    // of the slowest job for a first test of the rates
	testGrowth    = 1.25 // iterations from one test to the next

	confidence = 0.95 // of the intervals of all tests of a trajectory together
	maxBlocks  = 8    // of an iteration
	maxBatches = 16   // of an interval
	// From fewIterations iterations on, an interval is made of iterations and not of their blocks.
	fewIterations = 4
)

// ratesKnown tests whether the rates of all jobs are known for as long as they are needed, and sets
// them if so.
func (s *stage) ratesKnown() bool {
	if s.recurs() {
		return true
	}
	t, slowest := s.trajectory, math.MaxInt
	for i := range t.progress {
		slowest = min(slowest, t.progress[i].iterations(s.component.jobs[i]))
	}
	if slowest < max(minIterations, s.nextTest) {
		return false
	}
	s.nextTest = max(s.nextTest+1, int(float64(s.nextTest)*testGrowth))
	s.tests++
	level := stats.LookConfidence(s.tests, confidence)
	for i := range t.progress {
		t.progress[i].estimateRate(s.component.jobs[i], slowest, level)
	}
	t.until = s.local()
	if t.suffices(s.component, s.config, s.limit) {
		return true
	}
	for i := range t.progress {
		t.progress[i].rate = 0
	}
	return false
}

// estimateRate sets the rate of a job and its interval, by batch means (Law and Kelton, Simulation
// Modeling and Analysis, ch. 9): with mean m and standard deviation d of the times that an
// iteration takes in n batches, the relative half width is t·d/(m·√n). The slowest job of the
// component has completed slowest iterations, and batches are no shorter than its beat. Few
// iterations are compared block by block with each other, as strata (Cochran, Sampling Techniques,
// 1977, sec. 5.4).
func (g *progress) estimateRate(k *jobState, slowest int, confidence float64) {
	n := g.iterations(k)
	batches := min(n, maxBatches)
	if slowest >= fewIterations {
		batches = min(slowest, maxBatches)
	}
	each := n / batches
	w := g.times(k, each*batches)
	mean := float64(w[len(w)-1]-w[0]) / float64(each*batches)
	var e stats.Estimate
	if n < fewIterations {
		e = stats.EstimateStrata(g.strata(k.blocks(), n), confidence)
	} else {
		means := make([]float64, batches)
		for b := range means {
			means[b] = float64(w[(b+1)*each]-w[b*each]) / float64(each)
		}
		e = stats.EstimateOf(means, confidence)
	}
	if g.half = e.Half / mean; math.IsNaN(e.Half) {
		g.half = 0
	}
	g.rate = float64(k.perIteration) / mean
	g.anchorAt(k)
}

// anchorAt has the rate hold from the last mark on: between two marks an iteration does not make
// progress evenly, as it may begin with computing.
func (g *progress) anchorAt(k *jobState) {
	g.anchor = g.marks[len(g.marks)-1]
	g.anchored = float64(int64(len(g.marks)) * k.perIteration)
}
