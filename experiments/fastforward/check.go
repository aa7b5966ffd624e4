package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/metrics"
	"contend/router"
)

// checks draws jumps of a run, and simulates them flit by flit when the run is over. The more
// packets a jump has the likelier it is drawn.
type checks struct {
	rng       *rand.Rand
	estimates drawn // jumps at rates that are estimates
	exact     drawn // jumps that are exact
	estimated bool  // there were jumps at such rates
	tolerance float64

	errors metrics.Mean // of rates, absolute and relative to the simulated rate
	beyond int          // rates whose errors exceed the tolerance and their intervals
	waits  waitCorrection
	same   int // jobs of exact jumps that do in full what they do in the jump
	other  int // those that do not
}

// Lengths of a check, see sampled.length, however long the jump is. An exact jump shows within a
// few periods what it is.
const (
	checkLength = 10
	exactLength = 2
)

// Check sets how many jumps at estimated rates, and how many exact ones, are checked when the run
// is over.
func (e *Executor) Check(jumps int, rng *rand.Rand) {
	e.checks = newChecks(jumps, e.stage.config.Tolerance, rng)
}

// newChecks returns checks of want jumps that are estimates, and as many that are exact.
func newChecks(want int, tolerance float64, rng *rand.Rand) checks {
	return checks{rng: rng, tolerance: tolerance, estimates: drawn{want: want},
		exact: drawn{want: want}}
}

// offer may keep a trajectory that ends now, after the cycles that it lasted. It is called before
// the jobs of the component change. Exact jumps are no estimates: checked with the others, they
// would hide how often the intervals of these fail.
func (c *checks) offer(of *component, lasted int64) {
	switch t := of.trajectory; {
	case !t.steady || lasted == 0:
	case !t.exact:
		c.estimated = true
		c.estimates.offer(of, lasted, c.rng)
	case lasted >= 2*t.until:
		c.exact.offer(of, lasted, c.rng)
	}
}

// Finish simulates the jumps that were drawn, as many as the budget allows, and compares them. It
// is called when the run is over.
func (e *Executor) Finish() error {
	simulated := float64(e.stage.messages + e.deliveredFull)
	budget := min(maxChecked*simulated, (maxSimulated+0.03)*float64(e.Done)-simulated)
	if err := e.checkEstimates(budget); err != nil {
		return err
	}
	return e.checkExact(budget + simulated - float64(e.stage.messages+e.deliveredFull))
}

// checkEstimates simulates drawn jumps at estimated rates for up to a budget of messages. It adds
// the errors of their rates, and corrects the waits of the run.
func (e *Executor) checkEstimates(budget float64) error {
	c := &e.checks
	c.estimates.keep(budget, checkLength)
	for i := range c.estimates.list {
		s := &c.estimates.list[i]
		length := s.length(checkLength)
		s.extend(length)
		full, err := e.stage.followFor(&s.component, length)
		if err != nil {
			return err
		}
		for job := range full.progress {
			if s.lasted < 2*s.trajectory.until { // too short to compare
				break
			}
			g := &s.trajectory.progress[job]
			half := max(g.half, e.halfWidth(s.trajectory, &s.component, job,
				float64(min(length, s.lasted))))
			c.compare(&full.progress[job], g, half, s.component.jobs[job], s.lasted)
		}
		c.waits.add(s, full, length, c.estimates.chance(s))
	}
	c.estimates.list = nil
	return nil
}

// checkExact simulates drawn exact jumps for up to a budget of messages, and counts the jobs that
// do what they did in the jump. Round-robin pointers stand elsewhere than they did.
func (e *Executor) checkExact(budget float64) error {
	c := &e.checks
	c.exact.keep(budget, exactLength)
	if e.stage.net.Config().Arbiter != router.FirstCome {
		c.exact.list = nil
	}
	for i := range c.exact.list {
		s := &c.exact.list[i]
		full, err := e.stage.followFor(&s.component, min(s.lasted, s.length(exactLength)))
		if err != nil {
			return err
		}
		for job := range s.component.jobs {
			if same, seen := s.exactly(job, &full.progress[job]); seen && same {
				c.same++
			} else if seen {
				c.other++
			}
		}
	}
	c.exact.list = nil
	return nil
}

// compare adds the relative error of a job's rate, which has an interval of a half width: the rate
// in the full simulation is that over whole iterations, for as long as the jump lasted.
func (c *checks) compare(full, jump *progress, half float64, k *jobState, lasted int64) {
	n := full.iterations(k)
	if n == 0 {
		return
	}
	w := full.times(k, n)
	from, _ := slices.BinarySearch(w, jump.anchor)
	to, _ := slices.BinarySearch(w, lasted+1)
	if to-from < 3 {
		return
	}
	w = w[from:to]
	rate := float64(k.perIteration) * float64(len(w)-1) / float64(w[len(w)-1]-w[0])
	relative := math.Abs(jump.rate/rate - 1)
	c.errors.Add(relative)
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
