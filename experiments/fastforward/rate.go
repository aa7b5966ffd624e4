package fastforward

import (
	"math"

	"contend/experiments/stats"
)

const (
	minIterations = 2    // of the slowest job before the first test of the rates
	testGrowth    = 1.25 // factor from the iterations of one test to those of the next

	confidence = 0.95 // of the intervals of all tests of a trajectory together
	maxBlocks  = 8    // in an iteration
	maxBatches = 16   // from which an interval is estimated
	// From fewIterations iterations on, an interval is estimated from iterations, not from blocks.
	fewIterations = 4
)

// ratesKnown reports whether the rates of all jobs are known well enough for as long as they are
// needed, and sets them if so.
func (s *isolatedSimulation) ratesKnown() bool {
	if s.findRecurrence() {
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
	t.simulated = s.elapsed()
	if t.suffices(s.component, s.config, s.limit) {
		return true
	}
	for i := range t.progress {
		t.progress[i].rate = 0
	}
	return false
}

// estimateRate sets the rate of a job and the half width of its interval, by batch means (Law and
// Kelton, Simulation Modeling and Analysis, ch. 9). With the mean m and the standard deviation d of
// the cycles of an iteration in n batches, the relative half width is t·d/(m·√n). Batches are no
// shorter than an iteration of the slowest job of the component, which has completed slowest of
// them. Fewer than fewIterations iterations are compared block by block, as strata (Cochran,
// Sampling Techniques, 1977, sec. 5.4).
func (g *progress) estimateRate(k *jobState, slowest int, confidence float64) {
	n := g.iterations(k)
	batches := min(n, maxBatches)
	if slowest >= fewIterations {
		batches = min(slowest, maxBatches)
	}
	each := n / batches
	w := g.iterationTimes(k, each*batches)
	mean := float64(w[len(w)-1]-w[0]) / float64(each*batches)
	var e stats.Estimate
	if n < fewIterations {
		e = stats.EstimateStrata(g.blockTimes(k.blocks(), n), confidence)
	} else {
		means := make([]float64, batches)
		for b := range means {
			means[b] = float64(w[(b+1)*each]-w[b*each]) / float64(each)
		}
		e = stats.EstimateOf(means, confidence)
	}
	if g.halfWidth = e.Half / mean; math.IsNaN(e.Half) {
		g.halfWidth = 0
	}
	g.rate = float64(k.perIteration) / mean
	g.anchorAt(k)
}

// anchorAt sets the anchor to the end of the last iteration: within an iteration progress is not
// even, as it may begin with computing.
func (g *progress) anchorAt(k *jobState) {
	g.anchor = g.iterationEnds[len(g.iterationEnds)-1]
	g.anchorMessages = float64(int64(len(g.iterationEnds)) * k.perIteration)
}
