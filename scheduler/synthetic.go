package scheduler

import (
	"io"
	"math"
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
	// Interarrival is the time between arrivals in time units. The first interval
	// starts at time zero. The mean may be 0.
	Interarrival Distribution
	// Service is the run time in time units. Without a kind the run time is 0.
	Service Distribution
	// Quota is the number of messages, rounded to the nearest whole number and at least
	// 1. Without a kind the quota is 0.
	Quota Distribution
	// Patterns are the relative frequencies of the patterns, at least 0. If nil, every
	// job has pattern 0.
	Patterns []float64
	// PatternQuota holds a mean quota for each pattern and replaces Quota.Mean. It is
	// nil if all patterns share one mean.
	PatternQuota []float64
	// Seed seeds all random streams. Any value is valid.
	Seed uint64
}

// Synthetic is a Source of generated jobs.
type Synthetic struct {
	config                                 SyntheticConfig
	tables                                 [][]float64 // for each side: see SideConfig.table
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
	if len(c.Sides) == 0 {
		return nil, badField("SyntheticConfig.Sides", "is empty: a job draws one side for each")
	}
	g := &Synthetic{
		config:   c,
		sides:    stream(c.Seed, purposeSides),
		arrivals: stream(c.Seed, purposeArrivals),
		service:  stream(c.Seed, purposeService),
		quota:    stream(c.Seed, purposeQuota),
		seeds:    stream(c.Seed, purposeJobSeed),
	}
	for _, n := range c.Sides {
		if n < 1 {
			return nil, badField("SyntheticConfig.Sides", "has a side of %d: it must be at least 1", n)
		}
		p, err := c.Side.table(n)
		if err != nil {
			return nil, err
		}
		g.tables = append(g.tables, p)
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
	var err error
	g.patterns, err = newPicker("SyntheticConfig.Patterns", c.Patterns, c.Seed)
	return g, err
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
