package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/metrics"
	"contend/router"
)

// checks draws jumps of a run, which are simulated flit by flit when the run is over. The
// probability that a jump is drawn grows with its packets.
type checks struct {
	rng          *rand.Rand
	estimates    jumpSample // jumps at rates that are estimates
	exact        jumpSample // jumps that are exact
	sawEstimates bool       // there were jumps at estimated rates
	tolerance    float64

	rateErrors metrics.Mean // of rates, absolute and relative to the simulated rate
	beyond     int          // rates whose errors exceed the tolerance and their intervals
	waits      waitCorrection
	reproduced int // jobs of exact jumps that the simulation reproduces
	differing  int // those that it does not reproduce
}

// Lengths of checks of estimated and of exact jumps, in units of sampledJump.checkCycles. An exact
// jump proves itself within a few periods.
const (
	checkLength = 10
	exactLength = 2
)

// Check sets how many jumps at estimated rates, and how many exact ones, are checked when the run
// is over.
func (e *Executor) Check(jumps int, rng *rand.Rand) {
	e.checks = newChecks(jumps, e.isolated.config.Tolerance, rng)
}

// newChecks returns checks of want jumps at estimated rates, and as many exact ones.
func newChecks(want int, tolerance float64, rng *rand.Rand) checks {
	return checks{rng: rng, tolerance: tolerance, estimates: jumpSample{size: want},
		exact: jumpSample{size: want}}
}

// offer may draw the jump of a component that ends now, after the cycles that it lasted, before its
// jobs change. Exact jumps are drawn apart: among the others they would hide how often the
// intervals of estimates fail.
func (c *checks) offer(of *component, lasted int64) {
	switch t := of.trajectory; {
	case !t.steady || lasted == 0:
	case !t.exact:
		c.sawEstimates = true
		c.estimates.offer(of, lasted, c.rng)
	case lasted >= 2*t.simulated:
		c.exact.offer(of, lasted, c.rng)
	}
}

// Finish simulates the jumps that were drawn when the run is over, as many as the budget of
// messages allows, and compares them.
func (e *Executor) Finish() error {
	simulated := float64(e.isolated.delivered + e.deliveredFull)
	budget := min(maxChecked*simulated, (maxSimulated+0.03)*float64(e.Done)-simulated)
	if err := e.checkEstimates(budget); err != nil {
		return err
	}
	return e.checkExact(budget + simulated - float64(e.isolated.delivered+e.deliveredFull))
}

// checkEstimates simulates drawn jumps at estimated rates within a budget of messages. It adds the
// errors of their rates, and corrects the waits of the run.
func (e *Executor) checkEstimates(budget float64) error {
	c := &e.checks
	c.estimates.limitTo(budget, checkLength)
	for i := range c.estimates.jumps {
		s := &c.estimates.jumps[i]
		length := s.checkCycles(checkLength)
		s.extendJobs(length)
		full, err := e.isolated.followFor(&s.component, length)
		if err != nil {
			return err
		}
		for job := range full.progress {
			if s.cycles < 2*s.trajectory.simulated { // too short to compare
				break
			}
			g := &s.trajectory.progress[job]
			half := max(g.halfWidth, e.halfWidth(s.trajectory, &s.component, job,
				float64(min(length, s.cycles))))
			c.addRateError(&full.progress[job], g, half, s.component.jobs[job], s.cycles)
		}
		c.waits.add(s, full, length, c.estimates.inclusion(s))
	}
	c.estimates.jumps = nil
	return nil
}

// checkExact simulates drawn exact jumps within a budget of messages, and counts the jobs that they
// reproduce. Under round-robin arbiters it checks none, since their pointers begin elsewhere.
func (e *Executor) checkExact(budget float64) error {
	c := &e.checks
	c.exact.limitTo(budget, exactLength)
	if e.isolated.net.Config().Arbiter != router.FirstCome {
		c.exact.jumps = nil
	}
	for i := range c.exact.jumps {
		s := &c.exact.jumps[i]
		full, err := e.isolated.followFor(&s.component, min(s.cycles, s.checkCycles(exactLength)))
		if err != nil {
			return err
		}
		for job := range s.component.jobs {
			if same, seen := s.reproduced(job, &full.progress[job]); seen && same {
				c.reproduced++
			} else if seen {
				c.differing++
			}
		}
	}
	c.exact.jumps = nil
	return nil
}

// addRateError adds the relative error of a job's rate in a jump, whose interval has the given half
// width. The true rate is that of the whole iterations in full, for as long as the jump lasted.
func (c *checks) addRateError(full, jump *progress, half float64, k *jobState, lasted int64) {
	n := full.iterations(k)
	if n == 0 {
		return
	}
	w := full.iterationTimes(k, n)
	from, _ := slices.BinarySearch(w, jump.anchor)
	to, _ := slices.BinarySearch(w, lasted+1)
	if to-from < 3 {
		return
	}
	w = w[from:to]
	rate := float64(k.perIteration) * float64(len(w)-1) / float64(w[len(w)-1]-w[0])
	relative := math.Abs(jump.rate/rate - 1)
	c.rateErrors.Add(relative)
	if relative > max(c.tolerance, half) {
		c.beyond++
	}
}

// Trusted reports whether beyond of n rates may exceed their bounds, each of which holds with
// probability 0.95: whether P(X >= beyond) is at least 0.01 for a binomial X with n and 0.05.
func Trusted(beyond, n int) bool {
	tail := 0.0
	for k := range beyond {
		l, _ := math.Lgamma(float64(n + 1))
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n - k + 1))
		tail += math.Exp(l - a - b + float64(k)*math.Log(0.05) + float64(n-k)*math.Log(0.95))
	}
	return 1-tail >= 0.01
}
