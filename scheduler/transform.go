package scheduler

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// TransformConfig describes changes to a workload. The steps apply in the order of the
// fields. A zero field changes nothing. An error is a *FieldError.
type TransformConfig struct {
	// First keeps only the first jobs, at least 1; 0 keeps all.
	First int
	// Divide divides sizes, rounding up, by at least 1; 0 means 1.
	Divide int
	// Round rounds sizes to powers of two: none, down, nearest or up, but not above Max.
	// For a job with a shape it rounds each side.
	Round string
	// Max limits the size to at least 1 processor; 0 means no limit.
	// Larger jobs get this size.
	Max int
	// Load divides the times between arrivals, above 0; 0 means 1. The first arrival
	// keeps its time.
	Load float64
	// Work multiplies run times and estimates, above 0; 0 means 1. It is the work
	// multiple of Leung et al., CLUSTER 2002, sec. 3.
	Work float64
	// Assign draws a pattern and a seed for each job.
	Assign bool
	// Patterns are the relative frequencies of the patterns, at least 0.
	Patterns []float64
	// Seed seeds the draws. Any value is valid.
	Seed uint64
}

// Transform is a Source that changes the jobs of another.
type Transform struct {
	source   Source
	config   TransformConfig
	taken    int     // number of jobs taken from the source
	first    float64 // submit time of the first job
	patterns *picker
	seeds    *rand.Rand
}

// NewTransform checks the configuration and wraps the source.
func NewTransform(source Source, c TransformConfig) (*Transform, error) {
	for _, n := range [...]struct {
		field string
		value int
	}{{"First", c.First}, {"Divide", c.Divide}, {"Max", c.Max}} {
		if n.value < 0 {
			return nil, badField("TransformConfig."+n.field,
				"is %d: it must be at least 1, or 0 for none", n.value)
		}
	}
	for _, f := range [...]struct {
		field string
		value float64
	}{{"Load", c.Load}, {"Work", c.Work}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return nil, badField("TransformConfig."+f.field, "is %v: it must be a positive number",
				f.value)
		}
	}
	if err := checkRound("TransformConfig.Round", c.Round); err != nil {
		return nil, err
	}
	patterns, err := newPicker("TransformConfig.Patterns", c.Patterns, c.Seed)
	if err != nil {
		return nil, err
	}
	return &Transform{source: source, config: c, patterns: patterns,
		seeds: stream(c.Seed, purposeJobSeed)}, nil
}

// Next returns the next job of the source with the changes applied.
func (t *Transform) Next() (Job, error) {
	c := &t.config
	if c.First > 0 && t.taken == c.First {
		return Job{}, io.EOF
	}
	j, err := t.source.Next()
	if err != nil {
		return j, err
	}
	if t.taken++; t.taken == 1 {
		t.first = j.Submit
	}
	t.resize(&j)
	if c.Load != 0 {
		j.Submit = t.first + (j.Submit-t.first)/c.Load
	}
	if c.Work != 0 {
		j.RunTime *= c.Work
		j.Estimate *= c.Work
	}
	if c.Assign {
		j.Pattern = t.patterns.pick()
		j.Seed = t.seeds.Uint64()
	}
	return j, nil
}

// resize changes the size. Dividing and clamping drop the shape, because no new shape
// follows from the old one. Rounding keeps it.
func (t *Transform) resize(j *Job) {
	c := &t.config
	if c.Divide > 1 {
		j.Size, j.Shape = (j.Size-1)/c.Divide+1, nil // up, without overflow
	}
	limit := math.MaxInt
	if c.Max > 0 {
		limit = c.Max
	}
	if j.Shape == nil {
		j.Size = min(roundPower(j.Size, c.Round, limit), limit)
		return
	}
	j.Shape = slices.Clone(j.Shape) // the source may share its slice
	j.Size = 1
	for i := range j.Shape {
		j.Shape[i] = roundPower(j.Shape[i], c.Round, math.MaxInt)
		j.Size *= j.Shape[i]
	}
	if j.Size > limit {
		j.Size, j.Shape = limit, nil
	}
}

// User returns the number of the user who submitted the job. It reports false for a generated job
// and for a log without the number.
func (j *Job) User() (int64, bool) { return j.logged(swfUser) }

// Queue returns the number of the queue to which the job was submitted. It reports false for a
// generated job and for a log without the number.
func (j *Job) Queue() (int64, bool) { return j.logged(swfQueue) }

// logged returns a field of the job's line that is a number of at least 0.
func (j *Job) logged(field int) (int64, bool) {
	if j.SWF == nil || !(j.SWF[field] >= 0) {
		return 0, false
	}
	return int64(j.SWF[field]), true
}

// DrawGroupPatterns draws a pattern for each group of jobs. The function group returns
// the number of a job's group, or reports false for a job that keeps its pattern. The
// weights are those of TransformConfig.Patterns.
//
// The draw of a group depends on the seed and the group's number only, so a group has the same
// pattern in every part of a log, whatever the other jobs and their order. No other draw changes.
func DrawGroupPatterns(
	jobs []Job, weights []float64, seed uint64, group func(*Job) (int64, bool),
) error {
	k, err := newPicker("TransformConfig.Patterns", weights, seed)
	if err != nil {
		return err
	}
	drawn := map[int64]int{}
	for i := range jobs {
		g, ok := group(&jobs[i])
		if !ok {
			continue
		}
		at, known := drawn[g]
		if !known {
			k.r = stream(seed+mix(uint64(g)), purposeGroupPattern)
			at = k.pick()
			drawn[g] = at
		}
		jobs[i].Pattern = at
	}
	return nil
}

// WholeSeconds reports whether a run with fixed run times converts only whole numbers
// of seconds (or time units). One cycle per second is then exact. The argument speedup
// is Fixed.Speedup.
func WholeSeconds(jobs []Job, speedup float64) bool {
	for i := range jobs {
		j := &jobs[i]
		if j.Submit != math.Trunc(j.Submit) || j.RunTime != math.Trunc(j.RunTime) ||
			j.Estimate != math.Trunc(j.Estimate) {
			return false
		}
		if t := j.RunTime * (1 - speedup); speedup > 0 && j.Size > 1 && t != math.Trunc(t) {
			return false
		}
	}
	return true
}
