package spec

import (
	"cmp"

	"contend/patterns"
	"contend/scheduler"
)

// jobPlan is the section [job].
func (s *Spec) jobPlan() (JobPlan, error) {
	j := &s.Job
	p := JobPlan{
		Run: enumOf[RunKind](runNames, j.Run), Mixed: j.Pattern,
		Quota: QuotaPlan{Iterations: j.Quota.Iterations, Messages: j.Quota.Messages,
			PerSecond: j.Quota.PerSecond, Processes: j.Quota.Processes,
			Draw:  scheduler.Distribution{Kind: j.Quota.Distribution},
			Drawn: j.Quota.Distribution == "exponential"},
		Share: j.Share, Scale: j.Scale, Flits: j.Flits, OneLength: s.MessageFlits() != 0,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits,
		SendCycles: j.SendCycles, ReceiveCycles: j.ReceiveCycles,
		CyclesPerSecond: s.cyclesPerSecond(), Speedup: s.Speedup(),
	}
	mix, err := ParseMix(j.Pattern)
	if err != nil {
		return p, FieldPattern.Refuse(err)
	}
	for _, m := range mix {
		p.Patterns = append(p.Patterns, s.patternPlan(m))
	}
	return p, nil
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
		ComputeCycles: j.ComputeCycles, Levels: j.Levels, Class: cmp.Or(m.Class, j.Class),
		Scale: j.Scale, Bytes: j.Bytes,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits}
	s.Registry.SetPattern(&c, m)
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
