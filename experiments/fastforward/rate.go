package fastforward

import (
	"math"

	"contend/experiments/stats"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
)

const (
	// Iterations of the slowest job of a component.
	leastIterations = 2    // for a first test of the rates, from any block on
	testGrowth      = 1.25 // from one test to the next

	confidence  = 0.95 // of the intervals of all tests of a trajectory together
	mostBlocks  = 8    // of an iteration
	mostBatches = 16   // of an interval
	// From so many iterations on, an interval is made of iterations and not of their blocks.
	fewIterations = 4
)

// ratesKnown tests whether the rates of all jobs are known for as long as they are needed, and sets
// them if so.
func (s *stage) ratesKnown() bool {
	if s.recurs() {
		return true
	}
	slowest := math.MaxInt
	for i := range s.trajectory.legs {
		slowest = min(slowest, s.trajectory.legs[i].turns(s.part.jobs[i]))
		if slowest < leastIterations {
			return false
		}
	}
	if slowest < s.nextTest {
		return false
	}
	s.nextTest = max(s.nextTest+1, int(float64(s.nextTest)*testGrowth))
	s.looks++
	for i := range s.trajectory.legs {
		s.trajectory.legs[i].estimate(s.part.jobs[i], slowest, stats.LookConfidence(s.looks, confidence))
	}
	c := s.trajectory
	c.until = s.local()
	if c.suffices(s.part, s.config, s.limit) {
		return true
	}
	for i := range c.legs {
		c.legs[i].rate = 0
	}
	return false
}

// forgets reports whether the network is as it was at first whenever an iteration of a job that
// is alone begins. The programs of codes have no barriers, and their iterations overlap. Behind a
// barrier all messages have arrived: the last flit was sent LinkCycles before, its channel is
// free after FlitCycles, and its place is known to be free after CreditCycles. Several virtual
// channels have pointers that stay where they are, and so has a round-robin arbiter.
func (s *stage) forgets(k *jobState) bool {
	c := s.net.Config()
	if s.config.DrawsRoute || k.config.Draws() || patterns.OwnSizes(k.config.Name) ||
		c.VirtualChannels > 1 || c.NodeVirtualChannels > 1 || c.Arbiter != router.FirstCome {
		return false
	}
	return k.pause >= s.rest
}

// estimate sets the rate of a job and its interval. The slowest job of the component has done so
// many iterations. Few iterations cannot be compared as a whole: each part of an iteration is then
// compared with the same part of the others.
func (g *leg) estimate(k *jobState, slowest int, confidence float64) {
	n := g.turns(k)
	batches := min(n, mostBatches)
	if slowest >= fewIterations { // batches are no shorter than the slowest beat
		batches = min(slowest, mostBatches)
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

// whole returns what the messages of whole turns sum up to, or those of all if there is none.
func (g *leg) whole(k *jobState, all netsim.Totals) netsim.Totals {
	n := g.turns(k)
	if n == 0 {
		return all
	}
	if g.period > 0 {
		n = len(g.beats)
	}
	last := len(g.sums) - 1
	return g.sums[last].Minus(&g.sums[last-n*k.blocks()])
}

// strata returns the times that each block of an iteration took in the last n iterations.
func (g *leg) strata(blocks, n int) [][]float64 {
	last := g.blocks[len(g.blocks)-1-n*blocks:]
	list := make([][]float64, blocks)
	for i := range n * blocks {
		list[i%blocks] = append(list[i%blocks], float64(last[i+1]-last[i]))
	}
	return list
}

// anchorAt has the rate hold from the last mark on. Between two marks an iteration does not go on
// evenly: it may begin with computing.
func (g *leg) anchorAt(k *jobState) {
	g.anchor = g.marks[len(g.marks)-1]
	g.anchored = float64(int64(len(g.marks)) * k.perIteration)
}
