package config

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Plan decodes and checks the spec.
func (s *Spec) Plan() (*Plan, error) {
	normal := *s
	if err := normal.Resolve(); err != nil {
		return nil, err
	}
	normal.Normalize()
	if err := normal.Check(); err != nil {
		return nil, err
	}
	p, err := normal.decode()
	if err == nil {
		err = normal.checkProcessors(p)
	}
	if err != nil || normal.Job.CalibrateOn == "" {
		return p, err
	}
	reference, err := normal.Reference()
	if err != nil {
		return nil, err
	}
	p.Reference, err = reference.decode()
	return p, err
}

// decode makes the plan of a spec that was resolved and checked, without its Reference.
func (s *Spec) decode() (*Plan, error) {
	built, err := s.Registry.NewMachine(&s.Machine)
	if err != nil {
		return nil, err
	}
	name, size := s.machineName(built)
	p := &Plan{Machine: built, Topology: name, Size: size, spec: *s,
		Registry: s.Registry,
		Network:  s.networkPlan(topology.Unwrap(built)), Workload: s.workloadPlan(built),
		Job:            s.jobPlan(),
		Scheduler:      s.schedulerPlan(),
		Allocator:      AllocatorPlan{s.Allocator, FieldAllocator},
		AllocatorOrder: s.AllocatorOrder(), MeasureSpec: s.MeasureSpec,
		DrawsRoutes: s.drawsRoutes(),
		ClockUnit:   s.ClockUnit(), Calibrates: s.Calibrates(), MeasuresLoad: s.MeasuresLoad(),
		KnowsTimes: s.knowsTimes(),
		machineID:  identityOf(s.Machine), networkID: identityOf(s.Network)}
	if cycle := s.CycleSeconds(); cycle != nil {
		p.CycleSeconds, _ = cycle.Float64()
	}
	p.lines = linesOf(&p.spec)
	if err := s.checkControl(p.Network); err != nil {
		return nil, err
	}
	if err := s.checkSeriesPairs(built.Nodes()); err != nil {
		return nil, err
	}
	if p.Failures, err = s.failuresPlan(topology.Unwrap(built)); err != nil {
		return nil, err
	}
	if s.Scheduler.Decision != "" {
		p.Decision = &AllocatorPlan{s.Scheduler.Decision, FieldDecision}
	}
	if p.Workload.Source == SourceTogether {
		p.Workload.Together = s.togetherPlan()
	}
	if p.Workload.Source == SourceList {
		p.Workload.Listed = s.listPlan(&p.Job)
	}
	if p.Workload.Source == SourceTraffic {
		p.Workload.Traffic, err = s.trafficPlan()
	}
	return p, err
}

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
	c := scheduler.SyntheticConfig{Jobs: s.Workload.Count(), Nodes: built.Nodes()}
	if c.Size = s.Workload.sizes(); c.Size.Distribution == "" {
		c.Sides, c.Side = SidesOf(built), s.Workload.Side
	}
	return c
}

// togetherPlan decodes the keys of jobs that start at once.
func (s *Spec) togetherPlan() TogetherPlan {
	w := &s.Workload
	background := w.Background.String()
	p := TogetherPlan{Background: withoutDigests(background), Alone: background == backgroundIdle}
	for _, other := range s.Background() {
		p.Others = append(p.Others, s.patternPlan(other))
	}
	return p
}

// trafficPlan decodes what nodes send where there are no jobs. The file of a matrix is not read.
func (s *Spec) trafficPlan() (t TrafficPlan, err error) {
	w := &s.Workload
	t = TrafficPlan{Load: w.TrafficLoad, Warmup: w.WarmupCycles, Window: w.WindowCycles,
		Self: w.SelfMessages, Bursts: netsim.Bursts{Cycles: w.BurstCycles, Share: w.BurstShare}}
	if t.Pattern, err = netsim.ParseTraffic(w.Traffic); err != nil {
		return t, FieldTraffic.Refuse(err)
	}
	if w.Lengths == "" {
		return t, nil
	}
	lengths, bad := parseLengths(w.Lengths)
	if bad != nil {
		return t, bad
	}
	t.Lengths = lengths
	return t, nil
}

// listPlan returns the rows with the indices of their patterns.
func (s *Spec) listPlan(p *JobPlan) []ListedJob {
	rows := slices.Clone(s.Workload.List)
	for i := range rows {
		rows[i].Index = slices.IndexFunc(p.Patterns,
			func(q PatternPlan) bool { return q.Label == rows[i].Pattern.Short() })
	}
	return rows
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

// networkPlan turns the section [network] into a configuration of package netsim.
func (s *Spec) networkPlan(t topology.Topology) netsim.Config {
	c := netsim.Config{Topology: t, Parameters: s.Network.Parameters, Congestion: s.congestionPlan(),
		Routes: s.Registry.makers(s.routing()), MessageFlits: s.MessageFlits(),
		MessageMultiple: s.MessageMultiple()}
	c.Routing = s.routing()
	c.CountsQueues = len(s.SeriesPairs) > 0
	return c
}

// congestionPlan returns the congestion control for package netsim, nil for none.
func (s *Spec) congestionPlan() netsim.CongestionControl {
	if c, v := s.controlInModelUnits(); c.New != nil {
		return c.New(v)
	}
	return nil
}

// schedulerPlan decodes the section [scheduler].
func (s *Spec) schedulerPlan() SchedulerPlan {
	return SchedulerPlan{s.Scheduler, s.Scheduler.Kills(), s.UsesEstimates()}
}

// failuresPlan returns the rows with times in the unit of the clock. It refuses what the machine
// does not have.
func (s *Spec) failuresPlan(machine topology.Topology) ([]Failure, error) {
	rows := slices.Clone(s.Failures)
	for i := range rows {
		f := &rows[i]
		for _, name := range f.inSeconds {
			seconds, _ := s.scale().timeUnit.Float64()
			*f.number(name) /= seconds
		}
		if err := f.checkTimes(s.unitCycles(), s.refuse(i)); err != nil {
			return nil, err
		}
		if err := f.checkMachine(machine, s.refuse(i)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
