package config

import (
	"cmp"
	"errors"
	"slices"

	"contend/allocation/order"
	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// workloadPlan decodes the section [workload], except for jobs that run together.
func (s *Spec) workloadPlan(machine Machine) WorkloadPlan {
	w := &s.Workload
	transform := scheduler.TransformConfig{First: w.Count(), Divide: w.SizeDivisor,
		Round: w.RoundSizes, Max: w.SizeClamp, Load: w.LoadScale, Work: w.WorkMultiple}
	interarrival, service := w.Interarrival, w.Service
	interarrival.Mean = w.InterarrivalMean()
	p := WorkloadPlan{
		WorkloadSpec: *w, Jobs: w.Count(),
		Synthetic: s.syntheticPlan(machine),
		Lublin:    scheduler.LublinConfig{Processors: machine.Nodes()},
		Cplant:    scheduler.CplantStreamConfig{Interarrival: interarrival, Service: service},
		Transform: transform,
	}
	p.Synthetic.Interarrival, p.Synthetic.Service = interarrival, service
	if s.Job.Run == "messages" && s.Job.Quota.PerSecond == 0 {
		p.Cplant.Service = scheduler.Distribution{} // the quota decides
	}
	return p
}

// syntheticPlan decodes the sizes of drawn jobs.
func (s *Spec) syntheticPlan(built Machine) scheduler.SyntheticConfig {
	c := scheduler.SyntheticConfig{Jobs: s.Workload.Count(), Sides: SidesOf(built),
		Side: s.Workload.Side}
	if n := s.Workload.Processors; n > 0 { // one side, so no shape
		c.Sides = []int{built.Nodes()}
		c.Side = scheduler.SideConfig{Distribution: "fixed", Value: n}
	}
	return c
}

// togetherPlan decodes the keys of jobs that start at once.
func (s *Spec) togetherPlan() TogetherPlan {
	w := &s.Workload
	p := TogetherPlan{Background: withoutDigests(w.Background.String()), Alone: w.Background.String() == backgroundIdle}
	if other, ok := s.Background(); ok {
		others := s.patternPlan(other)
		p.Others = &others
	}
	return p
}

// hasLogClock holds for a log, and for a model of logs.
var hasLogClock = WorkloadIs("swf", "lublin", "batsim")

// inSeconds holds where network.cycle says how many cycles a second of the workload has.
var inSeconds = WorkloadIs("swf", "lublin", "list", "batsim")

// ClockUnit returns the unit of the clock of runs. It is seconds for a log or a model
// of logs, and for a workload that gives the length of a second, as network.cycle does for listed
// jobs. It is cycles if
// generated jobs send messages. It is the workload's time units if jobs only take time.
func (s *Spec) ClockUnit() string {
	given := s.Job.CyclesPerSecond != input.Automatic
	switch {
	case hasLogClock.Holds(s), s.Workload.Source == "cplant-stream" && given,
		ListWorkload.Holds(s) && (given || s.Network.Cycle != ""):
		return "s"
	case s.Job.Run == "messages" && !given:
		return "cycles"
	}
	return "time units"
}

// jobPlan decodes the section [job].
func (s *Spec) jobPlan() JobPlan {
	j := &s.Job
	p := JobPlan{
		JobSpec: *j, By: ByJob, Mixed: j.Pattern.String(),
		Quota: QuotaPlan{j.Quota, scheduler.Distribution{Kind: j.Quota.Distribution},
			j.Quota.Distribution == "exponential"},
		OneLength: s.MessageFlits() != 0,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits,
		CyclesPerSecond: s.cyclesPerSecond(), Speedup: s.Speedup(),
	}
	mix := s.drawnPatterns()
	for _, m := range mix {
		p.Patterns = append(p.Patterns, s.patternPlan(m))
	}
	if len(mix) > 1 {
		p.By = j.PatternBy
	}
	for _, r := range j.Rules {
		p.addRule(r, s.patternPlan(r.Pattern))
	}
	return p
}

// addRule adds a rule, and its pattern unless jobs have that already.
func (p *JobPlan) addRule(r Rule, pattern PatternPlan) {
	at := slices.IndexFunc(p.Patterns, func(q PatternPlan) bool { return q.Label == pattern.Label })
	if at < 0 {
		at = len(p.Patterns)
		pattern.Weight = 0
		p.Patterns = append(p.Patterns, pattern)
	}
	p.Rules = append(p.Rules, RulePlan{r, at})
}

// IterationsOf returns the mean number of iterations of a job with a pattern, from
// Iterations or Benchmarks.
func (q *QuotaPlan) IterationsOf(p patterns.Config) float64 {
	if times, ok := patterns.Iterations(p.Name, p.Class); ok && q.Benchmarks > 0 {
		return q.Benchmarks * float64(times)
	}
	return q.Iterations
}

// patternPlan decodes one part of a mix.
func (s *Spec) patternPlan(m Weighted) PatternPlan {
	return PatternPlan{Config: s.PatternConfig(m), Label: m.Short(), Weight: m.Weight,
		RoundTrips: m.Name == "ping-pong" || m.Name == "call"}
}

// PatternConfig turns one part of a mix into a configuration of package patterns.
func (s *Spec) PatternConfig(m Weighted) patterns.Config {
	j := &s.Job
	per := int64(s.Network.FlitBytes)
	c := patterns.Config{Name: m.Name, RendezvousFlits: (j.RendezvousBytes + per - 1) / per,
		Order: j.Order, Flits: j.Flits, Repeat: j.Repeat,
		Grid: j.Grid, Cycle: j.Cycle, Bits: j.Bits, Bodies: j.Bodies, Cut: j.Cut,
		ComputeCycles: j.ComputeCycles, Class: cmp.Or(m.Class, j.Class),
		Scale: j.Scale, Bytes: j.Bytes,
		FlitBytes: s.Network.FlitBytes, PadFlits: s.Network.PadFlits}
	if j.FlopRate > 0 && j.CyclesPerSecond > 0 {
		c.OperationsPerCycle = j.FlopRate / float64(j.CyclesPerSecond)
	}
	s.setPattern(&c, m)
	return c
}

// TakesShapes reports whether the messages of a pattern depend on the shape that jobs
// request.
func TakesShapes(p patterns.Config) bool {
	return p.Own != nil || p.Work != nil && !p.Tasks ||
		p.Grid == "shape" && patterns.Uses(p.Name, "grid")
}

// knowsTimes reports whether jobs have run times.
func (s *Spec) knowsTimes() bool {
	return s.Job.Run != "messages" || WorkloadIs("swf", "lublin").Holds(s) ||
		DrawnServices.Holds(s)
}

// networkPlan turns the section [network] into a configuration of package netsim.
func (s *Spec) networkPlan(t topology.Topology) netsim.Config {
	c := netsim.Config{Topology: t, Parameters: s.Network.Parameters, Congestion: s.congestionPlan(),
		Routes: s.Registry.makers(s.routing()), MessageFlits: s.MessageFlits(),
		MessageMultiple: s.MessageMultiple()}
	c.Routing = s.routing()
	if len(s.SeriesPairs) > 0 && c.Engine == "auto" {
		c.Engine = "cycle" // which knows the queues
	}
	return c
}

// AllocatorOrder names the order in which the allocator takes processors. It is row-major
// for allocators without such an order; an order of pages of several processors does
// not count.
func (s *Spec) AllocatorOrder() string {
	v := s.Registry.values("allocators", s.Allocator)
	if v.Has("order") && (!v.Has("page") || v.Int("page") == 0) {
		return v.Word("order")
	}
	return order.RowMajor
}

// SchedulerPlan is the section [scheduler].
type SchedulerPlan struct {
	SchedulerSpec
	// Kills reports whether jobs can be killed.
	Kills bool
	// UsesEstimates reports whether the estimates of users affect the run.
	UsesEstimates bool
}

// schedulerPlan decodes the section [scheduler].
func (s *Spec) schedulerPlan() SchedulerPlan {
	return SchedulerPlan{s.Scheduler, s.Scheduler.Kills(), s.UsesEstimates()}
}

// AssumeEstimates gives an estimate to the jobs of a log that have none.
func (p *SchedulerPlan) AssumeEstimates(jobs []scheduler.Job) {
	if p.MissingEstimate == 1 {
		return // reading the log assumed the run time
	}
	for i := range jobs {
		if j := &jobs[i]; j.NoEstimate {
			j.Estimate = j.RunTime * p.MissingEstimate
		}
	}
}

// NewPolicy makes the policy of a spec for a run.
func (s *Spec) NewPolicy(r PolicyRun) (scheduler.Policy, error) {
	p := s.Registry.policy(s.Scheduler.Policy)
	if p.newFromKeys != nil {
		return p.newFromKeys(&s.Scheduler), nil
	}
	made, err := p.New(s.Registry.values("schedulers", s.Scheduler.Policy), r)
	if err == nil && made == nil {
		err = errNothing
	}
	if bad := (*input.Error)(nil); err == nil || errors.As(err, &bad) {
		return made, err
	}
	return nil, input.Bad("scheduler.policy", "",
		"scheduler.policy is %s: %v", s.Scheduler.Policy, err)
}

// UsesEstimates reports whether the estimates of users affect the run.
func (s *Spec) UsesEstimates() bool {
	p := s.Registry.policy(s.Scheduler.Policy)
	return !p.IgnoresEstimates || s.Scheduler.OnOverrun == "kill"
}

// FixedRate returns the cycles in a second of a log whose jobs run for fixed times. It
// is 1 if all times are whole seconds, so that nothing is rounded, and a million
// otherwise.
func (p *Plan) FixedRate(jobs []scheduler.Job) input.Auto {
	if p.Workload.Source != SourceCplantStream && scheduler.WholeSeconds(jobs, p.Job.Speedup) {
		return 1
	}
	return UnitCycles
}

// UnitCycles is the resolution of a time unit of generated jobs that have no
// network, and of a second of a log that has fractions: a millionth.
const UnitCycles = 1e6
