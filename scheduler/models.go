package scheduler

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"contend/internal/decimal"
)

// LublinConfig describes a stream of jobs drawn from the model of Lublin and Feitelson,
// "The workload on parallel supercomputers: modeling the characteristics of rigid
// jobs", JPDC 63(11), 2003. An error is a *FieldError.
type LublinConfig struct {
	// Jobs is the number of jobs in the stream, at least 1.
	Jobs int
	// Processors is the size of the machine, at least 1.
	Processors int
	// Kind is batch (the default), interactive, or all for the parameters fitted to
	// both together.
	Kind string
	// Seed seeds all random streams. Any value is valid.
	Seed uint64
}

// lublinParameters are the parameters of one kind of jobs. Times are in seconds.
type lublinParameters struct {
	// Size: the probability of one processor and of a power of two. All other sizes have a binary
	// logarithm with a two-stage uniform distribution: uniform from low to medium with probability
	// nearby, otherwise from medium to high. medium and high are relative to the logarithm of the
	// machine's size.
	serial, power             float64
	low, medium, high, nearby float64
	// Run time: its natural logarithm is gamma (a1, b1) with probability pa·size + pb, otherwise gamma
	// (a2, b2), with shape a and scale b.
	a1, b1, a2, b2, pa, pb float64
	// Time between arrivals: its logarithm at rush hours is gamma with shape
	// arrival·all and scale spacing, where all is the ratio of the whole day to the
	// rush hours. The share of a half-hour in a day's arrivals is gamma (day, cycle) of
	// its number. Numbers start at the eleventh half-hour, at 5 in the morning.
	arrival, spacing, all, day, cycle float64
}

// lublinTable holds the published parameters for a machine of 2^7 processors, as in the
// program that the authors keep beside the paper. Its comments say that medium and high
// move with the size of the machine.
var lublinTable = map[string]lublinParameters{
	"batch": {0.2927, 0.6686, 1.2, 5 - 7, 0, 0.875,
		6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986,
		6.0415, 0.8531, 1.0519, 6.1271, 5.2740},
	"interactive": {0.1541, 0.625, 1, 3 - 7, 5.5 - 7, 0.705,
		3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156,
		6.5510, 0.6621, 0.9797, 8.9186, 3.6680},
	"all": {0.244, 0.576, 0.8, 4.5 - 7, 0, 0.86,
		4.2, 0.94, 312, 0.03, -0.0054, 0.78,
		10.2303, 0.4871, 1.0225, 8.1737, 3.9631},
}

const (
	lublinBuckets     = 48   // half-hours of a day
	lublinBucket      = 1800 // seconds of a half-hour
	lublinDayStart    = 11   // the first half-hour of the daily cycle, counted from 1
	lublinLongestRun  = 12   // natural logarithm: two days
	lublinLongestWait = 13   // between arrivals: five days
	lublinDigits      = 12   // significant digits of draws in which all processors agree
)

// Lublin is a Source of jobs drawn from the model. The estimate of a job is its run
// time, because the model has no estimates.
type Lublin struct {
	config                LublinConfig
	model                 lublinParameters
	sizes, service, seeds *rand.Rand             // streams of sizes, run times and seeds of jobs
	first, second         distuv.Gamma           // of the logarithm of run times
	arrival               distuv.Gamma           // of the logarithm of times between arrivals
	weights               [lublinBuckets]float64 // points per half-hour; 1 on average
	drawn                 int                    // number of jobs drawn
	halfHours             int                    // that have passed at the last arrival
	points                float64                // points already counted in the current half-hour
	medium, high          float64                // bounds of the logarithm of sizes on this machine
}

// NewLublin checks the configuration and returns a stream that starts at midnight.
func NewLublin(c LublinConfig) (*Lublin, error) {
	if c.Kind == "" {
		c.Kind = "batch"
	}
	m, known := lublinTable[c.Kind]
	switch {
	case !known:
		return nil, badField("LublinConfig.Kind", "is %q: it must be batch, interactive or all",
			c.Kind)
	case c.Jobs < 1:
		return nil, badField("LublinConfig.Jobs", "is %d: it must be at least 1", c.Jobs)
	case c.Processors < 1:
		return nil, badField("LublinConfig.Processors", "is %d: it must be at least 1",
			c.Processors)
	}
	g := &Lublin{config: c, model: m, sizes: stream(c.Seed, purposeSides),
		service: stream(c.Seed, purposeService),
		seeds:   stream(c.Seed, purposeJobSeed)}
	arrivals := stream(c.Seed, purposeArrivals)
	g.first = distuv.Gamma{Alpha: m.a1, Beta: 1 / m.b1, Src: g.service}
	g.second = distuv.Gamma{Alpha: m.a2, Beta: 1 / m.b2, Src: g.service}
	g.arrival = distuv.Gamma{Alpha: m.arrival * m.all, Beta: 1 / m.spacing, Src: arrivals}
	size := math.Log2(float64(c.Processors))
	g.medium = max(m.low, size+m.medium)
	g.high = max(g.medium, size+m.high)
	g.setWeights()
	return g, nil
}

// setWeights computes the daily cycle.
func (g *Lublin) setWeights() {
	cdf := func(x float64) float64 { return mathext.GammaIncReg(g.model.day, x/g.model.cycle) }
	sum := 0.0
	for i := lublinDayStart; i < lublinDayStart+lublinBuckets; i++ {
		w := cdf(float64(i)+0.5) - cdf(float64(i)-0.5)
		g.weights[(i-1)%lublinBuckets] = w // half-hours are counted from 1
		sum += w
	}
	for i := range g.weights {
		g.weights[i] = decimal.Rounded(g.weights[i]*lublinBuckets/sum, lublinDigits)
	}
}

// Next returns the next job, or io.EOF after the last.
func (g *Lublin) Next() (Job, error) {
	if g.drawn == g.config.Jobs {
		return Job{}, io.EOF
	}
	g.drawn++
	j := Job{ID: JobID(g.drawn), Submit: g.submitTime(), Size: g.size(), Seed: g.seeds.Uint64()}
	j.RunTime = g.runTime(j.Size)
	j.Estimate = j.RunTime
	return j, nil
}

// submitTime draws the time to the next arrival for an average hour. The weights of the
// half-hours then stretch or shorten it.
func (g *Lublin) submitTime() float64 {
	x := g.arrival.Rand()
	for x > lublinLongestWait {
		x = g.arrival.Rand()
	}
	g.points += exp(x) / lublinBucket
	for g.points > g.weights[g.halfHours%lublinBuckets] {
		g.points -= g.weights[g.halfHours%lublinBuckets]
		g.halfHours++
	}
	return lublinBucket * (float64(g.halfHours) + g.points/g.weights[g.halfHours%lublinBuckets])
}

// exp returns the exponential of x, rounded so that it is the same on every processor.
func exp(x float64) float64 { return decimal.Rounded(math.Exp(x), lublinDigits) }

// size draws a number of processors. A power of two beyond the machine becomes the next
// lower one, unlike in the authors' program, whose machines are powers of two.
func (g *Lublin) size() int {
	u := g.sizes.Float64()
	if u <= g.model.serial {
		return 1
	}
	from, to := g.model.low, g.medium
	if g.sizes.Float64() > g.model.nearby {
		from, to = g.medium, g.high
	}
	logarithm := from + float64((to-from)*g.sizes.Float64())
	if u > g.model.serial+g.model.power {
		return max(1, min(g.config.Processors, int(math.Exp2(logarithm)+0.5)))
	}
	size := 1 << int(logarithm+0.5)
	for size > g.config.Processors {
		size /= 2
	}
	return size
}

// runTime draws the run time of a job of the given size in whole seconds.
func (g *Lublin) runTime(size int) float64 {
	p := min(1, max(0, g.model.pa*float64(size)+g.model.pb))
	for {
		from := &g.second
		if g.service.Float64() <= p {
			from = &g.first
		}
		if x := from.Rand(); x <= lublinLongestRun {
			return math.Floor(exp(x))
		}
	}
}

// CplantStreamConfig describes the stream of test jobs of Leung et al., CLUSTER 2002,
// sec. 4. An error is a *FieldError.
type CplantStreamConfig struct {
	// Interarrival is the time between arrivals, in seconds. The first job arrives at
	// time zero. The mean may be 0. The paper uses the same release times in all runs
	// and does not print them.
	Interarrival Distribution
	// Service is the run time, in seconds. Without a kind the run time is 0: the jobs run until their
	// messages have arrived.
	Service Distribution
	// Seed seeds all random streams. Any value is valid.
	Seed uint64
}

// CplantStream is a Source of 188 jobs in a fixed order: 91 of 2 processors, 33 of 5,
// 31 of 25 and 33 of 30.
//
// The paper says: "The stream starts with some large jobs to fill up the machine. Small jobs are
// interspersed among the large ones to cause fragmentation. The last job submitted is small". It
// gives no further details. This stream starts with alternating jobs of 30 and 25 processors, as
// many as fit the paper's 128 processors. The remaining jobs of all four sizes follow, evenly
// interleaved, and the last one is small.
type CplantStream struct {
	config                   CplantStreamConfig
	sizes                    []int   // of all jobs
	drawn                    int     // number of jobs drawn
	now                      float64 // submit time of the last one
	arrivals, service, seeds *rand.Rand
}

// NewCplantStream checks the configuration and returns a stream that starts at the
// first job.
func NewCplantStream(c CplantStreamConfig) (*CplantStream, error) {
	if err := c.Interarrival.checkGiven("CplantStreamConfig.Interarrival"); err != nil {
		return nil, err
	}
	if err := c.Service.check("CplantStreamConfig.Service", 0); err != nil {
		return nil, err
	}
	return &CplantStream{config: c, sizes: cplantSizes(), arrivals: stream(c.Seed, purposeArrivals),
		service: stream(c.Seed, purposeService), seeds: stream(c.Seed, purposeJobSeed)}, nil
}

// Next returns the next job, or io.EOF after the last.
func (g *CplantStream) Next() (Job, error) {
	if g.drawn == len(g.sizes) {
		return Job{}, io.EOF
	}
	if g.drawn > 0 {
		g.now += g.config.Interarrival.draw(g.arrivals)
	}
	j := Job{ID: JobID(g.drawn + 1), Submit: g.now, Size: g.sizes[g.drawn], Seed: g.seeds.Uint64()}
	j.RunTime = g.config.Service.draw(g.service)
	j.Estimate = j.RunTime
	g.drawn++
	return j, nil
}

// cplantSizes returns the sizes of the jobs in stream order.
func cplantSizes() []int {
	large := interleave(slices.Repeat([]int{30}, 33), slices.Repeat([]int{25}, 31))
	small := interleave(slices.Repeat([]int{2}, 91), slices.Repeat([]int{5}, 33))
	first, used := 0, 0
	for used+large[first] <= 128 {
		used += large[first]
		first++
	}
	return append(slices.Clone(large[:first]), interleave(small, large[first:])...)
}

// interleave spreads the elements of fewer evenly among those of more. The result
// starts and ends with an element of more.
func interleave(more, fewer []int) []int {
	n := len(more) + len(fewer)
	all := make([]int, 0, n)
	taken := 0
	for i := range n {
		if next := ((i+1)*len(fewer) + n/2) / n; next > taken {
			all, taken = append(all, fewer[taken]), next
		} else {
			all = append(all, more[i-taken])
		}
	}
	return all
}
