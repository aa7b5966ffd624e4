package spec

import (
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/scheduler"
)

// workloadPlan is the section [workload], but for jobs that run together.
func (s *Spec) workloadPlan(machine machine.Machine) WorkloadPlan {
	w := &s.Workload
	transform := scheduler.TransformConfig{First: w.Count(), Divide: w.SizeDivisor,
		Round: w.RoundSizes, Max: w.SizeClamp, Load: w.LoadScale, Work: w.WorkMultiple}
	interarrival := scheduler.Distribution{Kind: w.Interarrival.Distribution,
		Mean: w.InterarrivalMean()}
	service := scheduler.Distribution{Kind: w.Service.Distribution, Mean: w.Service.Mean}
	p := WorkloadPlan{
		Source: enumOf[Source](sourceNames, w.Source),
		Trace:  w.Trace, Start: w.Start, Window: w.Window, Jobs: w.Count(),
		Synthetic: s.syntheticPlan(machine),
		Lublin:    scheduler.LublinConfig{Processors: machine.Nodes()},
		Cplant:    scheduler.CplantStreamConfig{Interarrival: interarrival, Service: service},
		Transform: transform,
		Shake:     w.Shake, Spread: w.Spread, Copies: w.Replication, TargetLoad: w.TargetLoad,
	}
	p.Synthetic.Interarrival, p.Synthetic.Service = interarrival, service
	if s.Job.Run == "messages" && s.Job.Quota.PerSecond == 0 {
		p.Cplant.Service = scheduler.Distribution{} // the quota decides
	}
	return p
}

// syntheticPlan says how large drawn jobs are.
func (s *Spec) syntheticPlan(built machine.Machine) scheduler.SyntheticConfig {
	side := s.Workload.Side
	c := scheduler.SyntheticConfig{Jobs: s.Workload.Count(), Sides: machine.SidesOf(built),
		Side: scheduler.SideConfig{Distribution: side.Distribution, Min: side.Min,
			Max: side.Max, Outside: side.Outside, Value: side.Value,
			Round: side.Round}}
	if n := s.Workload.Processors; n > 0 { // one side, so no shape
		c.Sides = []int{built.Nodes()}
		c.Side = scheduler.SideConfig{Distribution: "fixed", Value: n}
	}
	return c
}

// togetherPlan describes jobs that start at once.
func (s *Spec) togetherPlan() (TogetherPlan, error) {
	w := &s.Workload
	p := TogetherPlan{Processes: w.Processes, Background: w.Background,
		Alone: w.Background == backgroundIdle}
	var bad *input.Error
	if p.Placement, bad = ParsePlacement(w.Placement); bad != nil {
		return p, bad
	}
	if other, ok := s.Background(); ok {
		others := s.patternPlan(other)
		p.Others = &others
	}
	return p, nil
}

// hasLogClock holds for a log, and for a model of logs.
var hasLogClock = WorkloadIs("swf", "lublin")

// ClockUnit returns the unit of the clock of runs. It is seconds for a log or a model
// of logs, and for a workload that gives the length of a second. It is cycles if
// generated jobs send messages. It is the workload's time units if jobs only take time.
func (s *Spec) ClockUnit() string {
	given := s.Job.CyclesPerSecond != input.Automatic
	switch {
	case hasLogClock.Holds(s), s.Workload.Source == "cplant-stream" && given:
		return "s"
	case s.Job.Run == "messages" && !given:
		return "cycles"
	}
	return "time units"
}
