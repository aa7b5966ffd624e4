package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/metrics"
	"contend/router"
)

// checks draws jumps of a run, and simulates them flit by flit when the run is over. A jump is
// drawn the more likely the more packets it has.
type checks struct {
	rng       *rand.Rand
	estimates drawn // jumps at rates that are estimates
	exact     drawn // jumps that are exact
	estimated bool  // there were jumps at such rates
	tolerance float64

	errors metrics.Mean // of rates, absolute and relative to the simulated rate
	beyond int          // rates that are off by more than tolerance and more than their intervals
	waits  waits
	same   int // jobs of exact jumps that do what was foreseen
	other  int // those that do not
}

// Lengths of a check: so many times what was simulated to foresee the jump, and as much again,
// however long the jump is. An exact jump shows by a few periods what it is.
const (
	checkLength = 10
	exactLength = 2
)

// Check has so many jumps at estimated rates, and as many exact ones, checked when the run is over.
func (e *Executor) Check(jumps int, rng *rand.Rand) {
	e.checks = newChecks(jumps, e.stage.config.Tolerance, rng)
}

// Finish simulates the jumps to check. It is called when the run is over.
func (e *Executor) Finish() error { return e.check() }

// newChecks returns checks of so many jumps that are estimates, and as many that are exact.
func newChecks(want int, tolerance float64, rng *rand.Rand) checks {
	return checks{rng: rng, tolerance: tolerance, estimates: drawn{want: want},
		exact: drawn{want: want}}
}

// offer may keep a trajectory that ends now, after a time of so many cycles. It is called before
// the jobs of the component change. A trajectory whose jump is exact is no estimate: checked with
// the others, it would hide how often these are off.
func (c *checks) offer(p *component, lasted int64) {
	if !p.trajectory.steady || lasted == 0 {
		return
	}
	if p.trajectory.exact {
		if lasted >= 2*p.trajectory.until {
			c.exact.offer(p, lasted, c.rng)
		}
		return
	}
	c.estimated = true
	c.estimates.offer(p, lasted, c.rng)
}

// check simulates the jumps that were drawn, and compares, as many as may be simulated.
func (e *Executor) check() error {
	c, s := &e.checks, e.stage
	simulated := float64(s.messages + e.heardLive)
	budget := min(mostChecked*simulated, (mostSimulated+0.03)*float64(e.Done)-simulated)
	c.estimates.keep(budget, checkLength)
	for i := range c.estimates.list {
		k := &c.estimates.list[i]
		length := k.length(checkLength)
		k.extend(length)
		full, err := s.watch(&k.part, length)
		if err != nil {
			return err
		}
		for j := range full.legs {
			if k.lasted < 2*k.trajectory.until { // too short to tell
				break
			}
			g := &k.trajectory.legs[j]
			half := max(g.half, e.off(k.trajectory, &k.part, j, float64(min(length, k.lasted))))
			c.compare(&full.legs[j], g, half, k.part.jobs[j], k.lasted)
		}
		c.waits.add(k, full, length, c.estimates.chance(k))
	}
	c.exact.keep(budget+simulated-float64(s.messages+e.heardLive), exactLength)
	if s.net.Config().Arbiter != router.FirstCome {
		c.exact.list = nil // arbiters point elsewhere than they did
	}
	for i := range c.exact.list {
		k := &c.exact.list[i]
		full, err := s.watch(&k.part, min(k.lasted, k.length(exactLength)))
		if err != nil {
			return err
		}
		for j := range k.part.jobs {
			if same, seen := k.exactly(j, &full.legs[j]); seen && same {
				c.same++
			} else if seen {
				c.other++
			}
		}
	}
	c.estimates.list, c.exact.list = nil, nil
	return nil
}

// compare compares the rate of a job with that in the full simulation, over whole iterations, for
// as long as it was used. It may be off by a half width.
func (c *checks) compare(full, foreseen *leg, half float64, k *jobState, lasted int64) {
	n := full.turns(k)
	if n == 0 {
		return
	}
	w := full.times(k, n)
	from, _ := slices.BinarySearch(w, foreseen.anchor)
	to, _ := slices.BinarySearch(w, lasted+1)
	if to-from < 3 {
		return
	}
	w = w[from:to]
	rate := float64(k.perIteration) * float64(len(w)-1) / float64(w[len(w)-1]-w[0])
	off := math.Abs(foreseen.rate/rate - 1)
	c.errors.Add(off)
	if off > max(c.tolerance, half) {
		c.beyond++
	}
}

// watch simulates a component for a time, or until a job ends.
func (s *stage) watch(p *component, length int64) (*trajectory, error) {
	s.watching = true
	defer func() { s.watching = false }()
	return s.follow(p, length)
}

// Trusted reports whether so many of n rates may be off by more than their bound, which holds
// for 95% of them: whether as many or more are expected in at least one of a hundred runs.
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
