package cosim

import (
	"math"
	"math/rand/v2"
	"slices"
)

// checks draws jumps of a run, and simulates them flit by flit when the run is over. Every jump
// is as likely to be drawn as any other.
type checks struct {
	want    int // jumps to check
	rng     *rand.Rand
	offered int
	samples []sampled
	settle  float64

	errors Mean // of rates, absolute and relative to the simulated rate
	beyond int  // rates that are off by more than settle and more than their intervals
}

// sampled is a jump: a component as it was when its course began, what was foreseen, and how
// long the course lasted.
type sampled struct {
	part   component
	course *course
	lasted int64
}

// Lengths of a check: so many times what was simulated to foresee the jump, and as much again.
const checkLength = 10

// offer may keep a course that ends now, after a time of so many cycles. It is called before the
// jobs of the component change. A course whose jump is exact is no estimate: checked with the
// others, it would hide how often these are off.
func (c *checks) offer(p *component, lasted int64) {
	if c.want == 0 || !p.course.settled || p.course.exact || lasted < 2*p.course.until || lasted == 0 {
		return
	}
	place := c.offered
	if c.offered++; place >= c.want {
		if place = c.rng.IntN(c.offered); place >= c.want {
			return
		}
	} else {
		c.samples = append(c.samples, sampled{})
	}
	s := sampled{part: component{began: p.began}, course: p.course, lasted: lasted}
	for _, k := range p.jobs {
		copied := *k
		copied.part = nil // it would keep all components that jobs of it are in later
		s.part.jobs = append(s.part.jobs, &copied)
	}
	c.samples[place] = s
}

// run simulates the jumps that were drawn, and compares.
func (c *checks) run(s *stage) error {
	for i := range c.samples {
		k := &c.samples[i]
		length := k.lasted
		if k.course.until > 0 { // a course that was recalled was not simulated
			length = min(length, 2*checkLength*k.course.until)
		} else if longest := k.longest(); longest < float64(length) {
			length = int64(longest)
		}
		full, err := s.watch(&k.part, length)
		if err != nil {
			return err
		}
		for j := range full.legs {
			g := &k.course.legs[j]
			c.compare(&full.legs[j], g, k.course.off(g, float64(length)), k.part.jobs[j])
		}
	}
	c.samples = nil
	return nil
}

// longest returns a time in which the slowest job does several dozens of iterations.
func (s *sampled) longest() float64 {
	longest := 0.0
	for i, k := range s.part.jobs {
		longest = max(longest, float64(k.perIteration)/s.course.legs[i].rate)
	}
	return 8 * checkLength * longest
}

// compare compares the rate of a job with that in the full simulation, over whole iterations. It
// may be off by a half width.
func (c *checks) compare(full, foreseen *leg, half float64, k *epochJob) {
	n := full.turns(k)
	if n == 0 {
		return
	}
	w := full.times(k, n)
	from, _ := slices.BinarySearch(w, foreseen.anchor)
	if w = w[from:]; len(w) < 3 {
		return
	}
	rate := float64(k.perIteration) * float64(len(w)-1) / float64(w[len(w)-1]-w[0])
	off := math.Abs(foreseen.rate/rate - 1)
	c.errors.Add(off)
	if off > max(c.settle, half) {
		c.beyond++
	}
}

// watch simulates a component for a time, or until a job ends.
func (s *stage) watch(p *component, length int64) (*course, error) {
	s.watching = true
	defer func() { s.watching = false }()
	cycles, hops := s.cycles, s.hops
	full, err := s.follow(p, length)
	s.cycles, s.hops = cycles, hops // the checks are not part of the run
	return full, err
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
