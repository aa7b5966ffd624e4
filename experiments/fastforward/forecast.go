package fastforward

import (
	"math"
	"sort"
)

// forecast is how the jobs of a component go on: each repeats a period.
type forecast struct {
	jobs   []period
	exact  bool    // the periods are no estimates
	window float64 // cycles of the simulation that it was estimated from
	// settled is the cycles after which its rates first were known well enough.
	settled float64
	links   []linkUse // in the window
	flits   float64   // of the messages that arrived in the window
}

// period is a period of a job: some iterations, whose times count from its beginning.
type period struct {
	ends       []float64 // at which its iterations end
	halfWidth  float64   // relative half width of the 95% interval of its length
	perMessage messageSums
}

// cycles returns the length of the period.
func (p *period) cycles() float64 { return p.ends[len(p.ends)-1] }

// iteration returns the mean cycles of an iteration.
func (p *period) iteration() float64 { return p.cycles() / float64(len(p.ends)) }

// roundOff is far less than a cycle, and more than the error of a sum of cycles.
const roundOff = 1e-6

// endOf returns the time at which the n-th iteration ends, 0 for n = 0.
func (p *period) endOf(n int64) float64 {
	if n <= 0 {
		return 0
	}
	per := int64(len(p.ends))
	return float64((n-1)/per)*p.cycles() + p.ends[(n-1)%per]
}

// iterationsBy returns the number of iterations that end by a time.
func (p *period) iterationsBy(at float64) int64 {
	at += roundOff
	whole := math.Floor(at / p.cycles())
	rest := at - whole*p.cycles()
	n := sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > rest })
	return int64(whole)*int64(len(p.ends)) + int64(n)
}

// slowest returns the mean cycles of an iteration of the slowest job.
func (f *forecast) slowest() float64 {
	slowest := 0.0
	for i := range f.jobs {
		slowest = max(slowest, f.jobs[i].iteration())
	}
	return slowest
}

// endOf returns the cycle up to which the jobs of a component can go on like this: that in which
// the first of them ends, or begins a last iteration that is not a whole one, as a period does not
// tell how long a part of an iteration takes.
func (f *forecast) endOf(c *component) int64 {
	first := math.Inf(1)
	for i, k := range c.jobs {
		first = min(first, k.iterationStart()+f.jobs[i].endOf((k.total-k.base)/k.perIteration))
	}
	return int64(math.Ceil(first - roundOff))
}
