package scheduler

import (
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
)

// SyntheticConfig describes a stream of generated jobs, as in Lo, Windisch, Liu,
// Nitzberg, CIS-TR-94-11, 1994, App. A. An error is a *FieldError.
type SyntheticConfig struct {
	// Jobs is the number of jobs in the stream, at least 1.
	Jobs int
	// Sides are the sides of the machine, each at least 1. A job draws
	// one side for each. With several sides it requests a submesh.
	Sides []int
	// Side is the distribution of each side.
	Side SideConfig
	// Size is the distribution of sizes. If it is given, jobs draw no sides but a number of nodes,
	// and have no shape.
	Size SizeConfig
	// Nodes is the number of nodes of the machine, which bounds Size.
	Nodes int
	// Interarrival is the time between arrivals in time units. The first interval
	// starts at time zero. The mean may be 0.
	Interarrival Distribution
	// Service is the run time in time units. Without a kind the run time is 0.
	Service Distribution
	// Quota is the number of messages, or with Messages of iterations, rounded to the nearest
	// whole number and at least 1. Without a kind the quota is 0.
	Quota Distribution
	// Patterns are the relative frequencies of the patterns, at least 0. If nil, every
	// job has pattern 0.
	Patterns []float64
	// PatternQuota holds a mean quota for each pattern and replaces Quota.Mean. It is
	// nil if all patterns share one mean.
	PatternQuota []float64
	// Messages returns the messages of a number of iterations of a job. With it, quotas are drawn in
	// iterations; with nil, in messages. Job.Quota is in messages.
	Messages func(j *Job, iterations int64) int64
	// Seed seeds all random streams. Any value is valid.
	Seed uint64
}

// Synthetic is a Source of generated jobs.
type Synthetic struct {
	config                                 SyntheticConfig
	tables                                 [][]float64 // see SyntheticConfig.tables
	sides, arrivals, service, quota, seeds *rand.Rand
	patterns                               *picker
	shapes                                 []int   // memory for shapes, allocated in bulk
	drawn                                  int     // number of jobs drawn
	now                                    float64 // submit time of the last one
}

// NewSynthetic checks the configuration and returns a stream that starts at the first
// job.
func NewSynthetic(c SyntheticConfig) (*Synthetic, error) {
	if c.Jobs < 1 {
		return nil, badField("SyntheticConfig.Jobs", "is %d: it must be at least 1", c.Jobs)
	}
	g := &Synthetic{
		config:   c,
		sides:    stream(c.Seed, purposeSides),
		arrivals: stream(c.Seed, purposeArrivals),
		service:  stream(c.Seed, purposeService),
		quota:    stream(c.Seed, purposeQuota),
		seeds:    stream(c.Seed, purposeJobSeed),
	}
	var err error
	if g.tables, err = c.tables(); err != nil {
		return nil, err
	}
	if err := c.Interarrival.checkGiven("SyntheticConfig.Interarrival"); err != nil {
		return nil, err
	}
	if err := c.Service.check("SyntheticConfig.Service", 0); err != nil {
		return nil, err
	}
	if c.PatternQuota != nil && len(c.PatternQuota) != max(1, len(c.Patterns)) {
		return nil, badField("SyntheticConfig.PatternQuota", "has %d means for %d patterns",
			len(c.PatternQuota), max(1, len(c.Patterns)))
	}
	for i := range max(1, len(c.PatternQuota)) {
		if err := g.quotaOf(i).check("SyntheticConfig.Quota", math.SmallestNonzeroFloat64); err != nil {
			return nil, err
		}
	}
	g.patterns, err = newPicker("SyntheticConfig.Patterns", c.Patterns, c.Seed)
	return g, err
}

// tables returns the probabilities of each side that a job draws, or of its size.
func (c *SyntheticConfig) tables() ([][]float64, error) {
	if c.Size.Distribution != "" {
		p, err := c.Size.table(c.Nodes)
		return [][]float64{p}, err
	}
	if len(c.Sides) == 0 {
		return nil, badField("SyntheticConfig.Sides", "is empty: a job draws one side for each")
	}
	var tables [][]float64
	for _, n := range c.Sides {
		if n < 1 {
			return nil, badField("SyntheticConfig.Sides", "has a side of %d: it must be at least 1", n)
		}
		p, err := c.Side.table(n)
		if err != nil {
			return nil, err
		}
		tables = append(tables, p)
	}
	return tables, nil
}

// Again returns another generator of the same jobs that starts at the first one.
func (g *Synthetic) Again() *Synthetic {
	again, err := NewSynthetic(g.config)
	if err != nil {
		panic("scheduler: a configuration was good before: " + err.Error())
	}
	return again
}

// Next returns the next job, or io.EOF after the last.
func (g *Synthetic) Next() (Job, error) {
	if g.drawn == g.config.Jobs {
		return Job{}, io.EOF
	}
	g.drawn++
	g.now += g.config.Interarrival.draw(g.arrivals)
	j := Job{ID: JobID(g.drawn), Submit: g.now, Seed: g.seeds.Uint64()}
	j.Shape = g.shape()
	j.Size = 1
	for _, side := range j.Shape {
		j.Size *= side
	}
	if len(j.Shape) == 1 {
		j.Shape = nil
	}
	j.RunTime = g.config.Service.draw(g.service)
	j.Estimate = j.RunTime
	j.Pattern = g.patterns.pick()
	if g.config.Quota.Kind != "" {
		j.Quota = max(1, int64(math.Round(g.quotaOf(j.Pattern).draw(g.quota))))
		if g.config.Messages != nil {
			j.Quota = g.config.Messages(&j, j.Quota)
		}
	}
	return j, nil
}

// shape draws one side for each dimension of the machine, independently.
func (g *Synthetic) shape() []int {
	d := len(g.tables)
	if len(g.shapes) < d {
		g.shapes = make([]int, 256*d)
	}
	s := g.shapes[:d:d]
	g.shapes = g.shapes[d:]
	for i, p := range g.tables {
		s[i] = pickIndex(p, g.sides.Float64())
	}
	return s
}

// quotaOf returns the distribution of the quota of a pattern.
func (g *Synthetic) quotaOf(pattern int) Distribution {
	d := g.config.Quota
	if g.config.PatternQuota != nil {
		d.Mean = g.config.PatternQuota[pattern]
	}
	return d
}

// MeanSides returns the exact expected sides of a job. The mean quota of [lo1994 App.
// A] belongs to "the average sized job".
func (g *Synthetic) MeanSides() []float64 {
	means := make([]float64, len(g.tables))
	for i, p := range g.tables {
		for k := range p {
			means[i] += float64(float64(k) * p[k])
		}
	}
	return means
}

// MeanSize returns the exact expected number of processors of a job.
func (g *Synthetic) MeanSize() float64 {
	size := 1.0
	for _, m := range g.MeanSides() {
		size *= m // the sides are independent
	}
	return size
}

// SideConfig describes the distribution of one side of the submesh that a generated job
// requests (Lo, Windisch, Liu, Nitzberg, CIS-TR-94-11, 1994, App. A).
type SideConfig struct {
	// Distribution is uniform (the default), exponential, increasing, decreasing or
	// fixed.
	Distribution string
	// Min and Max bound the uniform distribution, with 1 <= Min <= Max <= the machine's
	// side. The value 0 means 1 and the machine's side.
	Min, Max int
	// Mean is the mean of the exponential distribution before bounds apply, above 0.
	// The value 0 means half the machine's side, as in [lo1994 App. A].
	Mean float64
	// Outside is the treatment of an exponential draw outside the machine. clamp (the
	// default) takes the nearest side; redraw draws again. The paper is silent; clamp
	// reproduces its Table 1.
	Outside string
	// Value is the side under the fixed distribution, from 1 to the machine's side.
	Value int
	// Round is none (the default), or down, nearest or up to a power of two.
	Round string
}

// sideField is the prefix of the fields that errors name.
const sideField = "SyntheticConfig.Side."

// table returns p, where p[k] is the probability of side k on a machine of side n. A
// draw is a table lookup, and every expectation is exact.
func (c SideConfig) table(n int) ([]float64, error) {
	p := make([]float64, n+1)
	var err error
	switch c.Distribution {
	case "", "uniform":
		err = c.setUniform(p)
	case "exponential":
		err = c.setExponential(p)
	case "increasing": // P[1,16] = 0.2, P[17,24] = 0.2, P[25,28] = 0.2, P[29,32] = 0.4
		err = c.setIntervals(p, [4]int{16, 24, 28, 32}, [4]float64{0.2, 0.2, 0.2, 0.4})
	case "decreasing": // P[1,4] = 0.4, P[5,8] = 0.2, P[9,16] = 0.2, P[17,32] = 0.2
		// The last interval differs from [lo1994 App. A], which prints P[16,32]. The
		// range "is divided into four intervals", so they do not overlap.
		err = c.setIntervals(p, [4]int{4, 8, 16, 32}, [4]float64{0.4, 0.2, 0.2, 0.2})
	case "fixed":
		if c.Value < 1 || c.Value > n {
			return nil, badField(sideField+"Value", "is %d: it must be from 1 to %d, the machine's side",
				c.Value, n)
		}
		p[c.Value] = 1
	default:
		return nil, badField(sideField+"Distribution", "is %q: it must be uniform, "+
			"exponential, increasing, decreasing or fixed", c.Distribution)
	}
	if err != nil {
		return nil, err
	}
	return c.roundTable(p)
}

// setUniform sets the sides from Min to Max to the same probability.
func (c SideConfig) setUniform(p []float64) error {
	n := len(p) - 1
	low, high := c.Min, c.Max
	if low == 0 {
		low = 1
	}
	if high == 0 {
		high = n
	}
	if low < 1 || low > n {
		return badField(sideField+"Min", "is %d: it must be from 1 to %d, the machine's side", low, n)
	}
	if high < low || high > n {
		return badField(sideField+"Max",
			"is %d: it must be from %d, the minimum, to %d, the machine's side", high, low, n)
	}
	for k := low; k <= high; k++ {
		p[k] = 1 / float64(high-low+1)
	}
	return nil
}

// setExponential sets the probabilities of the integer part of an exponential draw, as a conversion
// to an integer gives it: P(k <= X < k+1) = exp(-k/m) - exp(-(k+1)/m).
func (c SideConfig) setExponential(p []float64) error {
	n := len(p) - 1
	mean := c.Mean
	if mean == 0 {
		mean = float64(n) / 2
	}
	if !(mean > 0) || math.IsInf(mean, 1) {
		return badField(sideField+"Mean", "is %v: it must be a positive number", mean)
	}
	above := func(k int) float64 { return math.Exp(-float64(k) / mean) } // P(X >= k)
	for k := 1; k <= n; k++ {
		p[k] = above(k) - above(k+1)
	}
	switch c.Outside {
	case "", "clamp":
		p[1] += 1 - above(1)
		p[n] += above(n + 1)
	case "redraw":
		within := above(1) - above(n+1)
		if within <= 0 {
			return badField(sideField+"Mean", "is %v: no side from 1 to %d is ever drawn", mean, n)
		}
		for k := range p {
			p[k] /= within
		}
	default:
		return badField(sideField+"Outside", "is %q: it must be clamp or redraw", c.Outside)
	}
	return nil
}

// setIntervals sets the distribution "uniform on intervals". The i-th interval ends at
// last[i] of 32, scaled to the machine's side, and has probability prob[i].
func (c SideConfig) setIntervals(p []float64, last [4]int, prob [4]float64) error {
	n := len(p) - 1
	if n < 8 {
		return badField(sideField+"Distribution",
			"is %q: it needs a machine side of at least 8, this one is %d", c.Distribution, n)
	}
	from := 1
	for i := range last {
		to := last[i] * n / 32
		for k := from; k <= to; k++ {
			p[k] = prob[i] / float64(to-from+1)
		}
		from = to + 1
	}
	return nil
}

// roundTable moves the probability of each side to its power of two.
func (c SideConfig) roundTable(p []float64) ([]float64, error) {
	if err := checkRound(sideField+"Round", c.Round); err != nil {
		return nil, err
	}
	q := make([]float64, len(p))
	for k := 1; k < len(p); k++ {
		q[roundPower(k, c.Round, len(p)-1)] += p[k]
	}
	return q, nil
}

// checkRound refuses an unknown rule of rounding.
func checkRound(field, round string) error {
	switch round {
	case "", "none", "down", "nearest", "up":
		return nil
	}
	return badField(field, "is %q: it must be none, down, nearest or up", round)
}

// roundPower rounds k to a power of two that is at most limit (at least 1). A number half-way
// between two rounds up. [lo1994 5.2] leaves the direction open; adding half and truncating rounds
// up too.
func roundPower(k int, round string, limit int) int {
	down := 1 << (bits.Len(uint(k)) - 1)
	up := down
	if up < k {
		up *= 2
	}
	result := k
	switch round {
	case "down":
		result = down
	case "up":
		result = up
	case "nearest":
		result = down
		if k-down >= up-k {
			result = up
		}
	default:
		return k
	}
	for result > limit {
		result /= 2
	}
	return result
}

// RoundToPower rounds k to a power of two. The argument round is none, down, nearest or
// up.
func RoundToPower(k int, round string) int { return roundPower(k, round, math.MaxInt) }
