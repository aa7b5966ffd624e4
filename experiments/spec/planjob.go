package spec

import (
	"cmp"
	"slices"

	"contend/patterns"
	"contend/scheduler"
)

// jobPlan is the section [job].
func (s *Spec) jobPlan() (JobPlan, error) {
	j := &s.Job
	p := JobPlan{
		JobSpec: *j, Run: enumOf[RunKind](runNames, j.Run), Mixed: j.Pattern,
		Quota: QuotaPlan{j.Quota, scheduler.Distribution{Kind: j.Quota.Distribution},
			j.Quota.Distribution == "exponential"},
		OneLength: s.MessageFlits() != 0,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits,
		CyclesPerSecond: s.cyclesPerSecond(), Speedup: s.Speedup(),
	}
	mix, err := ParseMix(j.Pattern)
	if err != nil {
		return p, FieldPattern.Refuse(err)
	}
	for _, m := range mix {
		p.Patterns = append(p.Patterns, s.patternPlan(m))
	}
	if len(mix) > 1 {
		p.By = enumOf[JobField](jobFieldNames, j.PatternBy)
	}
	for i, r := range s.rules() {
		p.addRule(j.Rules[i], r, s.patternPlan(r.Pattern))
	}
	return p, nil
}

// addRule adds a rule, and its pattern unless jobs have that already.
func (p *JobPlan) addRule(text string, r Rule, pattern PatternPlan) {
	at := slices.IndexFunc(p.Patterns, func(q PatternPlan) bool { return q.Label == pattern.Label })
	if at < 0 {
		at = len(p.Patterns)
		pattern.Weight = 0
		p.Patterns = append(p.Patterns, pattern)
	}
	p.Rules = append(p.Rules, RulePlan{Rule: r, Text: text, Index: at})
}

// IterationsOf returns the mean number of iterations of a job with a pattern, from
// Iterations or Benchmarks.
func (q *QuotaPlan) IterationsOf(p patterns.Config) float64 {
	if times, ok := patterns.Iterations(p.Name, p.Class); ok && q.Benchmarks > 0 {
		return q.Benchmarks * float64(times)
	}
	return q.Iterations
}

func (s *Spec) patternPlan(m Weighted) PatternPlan {
	return PatternPlan{Config: s.PatternConfig(m), Label: m.Label(), Weight: m.Weight,
		RoundTrips: m.Name == "ping-pong" || m.Name == "call"}
}

// PatternConfig is one part of a mix as package patterns has it.
func (s *Spec) PatternConfig(m Weighted) patterns.Config {
	j := &s.Job
	c := patterns.Config{Name: m.Name, Order: j.Order, Flits: j.Flits, Repeat: j.Repeat,
		Grid: j.Grid, Cycle: j.Cycle, Bits: j.Bits, Bodies: j.Bodies, Cut: j.Cut,
		ComputeCycles: j.ComputeCycles, Class: cmp.Or(m.Class, j.Class),
		Scale: j.Scale, Bytes: j.Bytes,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits}
	if j.FlopRate > 0 && j.CyclesPerSecond > 0 {
		c.OperationsPerCycle = j.FlopRate / float64(j.CyclesPerSecond)
	}
	s.Registry.setPattern(&c, m)
	return c
}

// TakesShapes tells whether the messages of a pattern depend on the shape that jobs
// request.
func TakesShapes(p patterns.Config) bool {
	return p.Own != nil || p.Grid == "shape" && patterns.Uses(p.Name, "grid")
}

// knowsTimes tells whether jobs have run times.
func (s *Spec) knowsTimes() bool {
	return s.Job.Run != "messages" || WorkloadIs("swf", "lublin").Holds(s) ||
		DrawnServices.Holds(s)
}
