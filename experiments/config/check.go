package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// CheckRuns tests [runs]. Like Check it names the key to change.
func (s *Settings) CheckRuns() *input.Error {
	if s.Runs.MaxReplications != 0 && s.Runs.MaxReplications < s.Runs.Replications {
		return input.Bad("runs.max_replications", "it must not be below runs.replications",
			"runs.max_replications is %d with runs.replications %d",
			s.Runs.MaxReplications, s.Runs.Replications)
	}
	return nil
}

// Check returns an input.Error for a spec whose keys contradict each other.
func (s *Spec) Check() *input.Error {
	for _, err := range []*input.Error{s.CheckMachine(), s.checkBuffers(),
		s.Workload.check(&s.Machine), s.Job.check(), s.checkShare(), s.checkRules(), s.checkBenchmarks(),
		s.Scheduler.check(&s.Job),
		s.checkTogether(), s.checkTraffic(), s.checkListed(), s.checkChannels(),
		s.checkCycle(), s.checkScale(), s.checkCollectives(), s.checkFailures()} {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBuffers refuses buffers that are too small for the switching.
func (s *Spec) checkBuffers() *input.Error {
	n := &s.Network
	if n.Switching != router.Wormhole && n.BufferFlits < n.PacketFlits {
		return input.Bad("network.buffer_flits", "a buffer must hold a whole packet",
			"network.buffer_flits is %d with %s switching and packets of %d flits",
			n.BufferFlits, s.labelOf("network.switching"), n.PacketFlits)
	}
	return nil
}

// check refuses a nodes_field that the standard defines, and a smallest side above the largest.
func (w *WorkloadSpec) check(m *MachineSpec) *input.Error {
	dims := m.Sides()
	switch {
	case w.NodesField > 0 && w.NodesField <= 18:
		return FieldNodesField.Bad("give 19 or more, or 0 for the fields of the standard",
			"%s is %d, which is a field of the standard", FieldNodesField, w.NodesField)
	case w.Source == "synthetic" && w.Side.Max != 0 && w.Side.Min > w.Side.Max:
		return input.Bad("workload.side.min", "it must not be above workload.side.max",
			"workload.side.min is %d with workload.side.max %d", w.Side.Min, w.Side.Max)
	case w.Source == "synthetic" && m.Topology != "tree" && w.Side.Max == 0 && len(dims) > 1 &&
		w.Side.Min > dims[0]:
		return input.Bad("workload.side.min", "it must not be above the machine's side",
			"workload.side.min is %d on a machine of side %d", w.Side.Min, dims[0])
	}
	return nil
}

// check refuses a quota of 0 messages.
func (j *JobSpec) check() *input.Error {
	if j.Run != "messages" {
		return nil
	}
	q := j.Quota
	if q.Iterations == 0 && q.Benchmarks == 0 && q.MeanIterations == 0 && q.Messages == 0 &&
		q.PerSecond == 0 {
		return input.Bad("job.quota.iterations", "give one of job.quota.iterations, .benchmarks, "+
			".mean_iterations, .messages and .per_second above 0", "a job's quota is 0 messages")
	}
	if q.Distribution != "exponential" && q.Iterations != math.Trunc(q.Iterations) {
		return input.Bad("job.quota.iterations", "give a whole number, or job.quota.messages for a "+
			"part of an iteration", "job.quota.iterations is %v, and jobs do whole iterations", q.Iterations)
	}
	return nil
}

// checkShare refuses computing times beside a share of communication, which
// says how long processes compute.
func (s *Spec) checkShare() *input.Error {
	if j := &s.Job; j.Share != 1 && j.Iteration != 0 {
		return input.Bad("job.communication_share", "leave one of them out",
			"job.communication_share is %v with job.iteration %v, "+
				"and both say how long processes compute", j.Share, j.Iteration)
	}
	if j := &s.Job; j.Share != 1 && j.ComputeCycles != 0 {
		return input.Bad("job.compute_cycles", "leave it out", "job.compute_cycles is %d with "+
			"job.communication_share %v, which says how long processes compute", j.ComputeCycles, j.Share)
	}
	return nil
}

// checkBenchmarks refuses full runs of patterns that are no benchmarks.
func (s *Spec) checkBenchmarks() *input.Error {
	if s.Job.Quota.Benchmarks == 0 {
		return nil
	}
	for _, m := range s.allPatterns() {
		if _, ok := patterns.Iterations(m.Name, "A"); !ok {
			return input.Bad("job.quota.benchmarks", "use job.quota.iterations, or NAS benchmarks only",
				"job.quota.benchmarks is %v, and %s is no NAS benchmark", s.Job.Quota.Benchmarks, m.Label())
		}
	}
	return nil
}

// check refuses to kill jobs that have messages in the network.
func (p *SchedulerSpec) check(j *JobSpec) *input.Error {
	if p.OnOverrun == "kill" && j.Run == "messages" {
		return input.Bad("scheduler.on_overrun", "use job.run = fixed, or extend",
			"scheduler.on_overrun is kill with job.run = messages, but messages in the network "+
				"cannot be withdrawn")
	}
	return nil
}

// configKeys says which key sets a field of a configuration of package scheduler, where the
// section [workload] has no field of the same name.
var configKeys = map[string]string{
	"SyntheticConfig.Jobs":         "workload.jobs",
	"SyntheticConfig.Sides":        "machine.dims",
	"SyntheticConfig.Quota.Kind":   "job.quota.distribution",
	"SyntheticConfig.Quota.Mean":   "job.quota",
	"SyntheticConfig.PatternQuota": "job.quota",
	"SyntheticConfig.Patterns":     "job.pattern",
	"LublinConfig.Kind":            "workload.source",
	"LublinConfig.Jobs":            "workload.jobs",
	"LublinConfig.Processors":      "machine.dims",
	"SWFFormat.NodesField":         "workload.nodes_field",
	"TransformConfig.First":        "workload.jobs",
	"TransformConfig.Divide":       "workload.size_divisor",
	"TransformConfig.Round":        "workload.round_sizes",
	"TransformConfig.Max":          "workload.size_clamp",
	"TransformConfig.Load":         "workload.load_scale",
	"TransformConfig.Work":         "workload.work_multiple",
	"TransformConfig.Patterns":     "job.pattern",
	"Replicate.factor":             "workload.replication_factor",
	"Replicate.spread":             "workload.replication_spread",
	"Shake.spread":                 "workload.shake",
	"ScaleToLoad.target":           "workload.target_load",
}

// Refuse turns an error of a package below into an input.Error. Where the error is about
// a field of a configuration, the text names the key.
func Refuse(err error) *input.Error {
	var bad *scheduler.FieldError
	if errors.As(err, &bad) {
		if key := configKey(bad.Field); key != "" {
			return input.Bad(key, "", "%s %s", key, bad.Problem)
		}
	}
	return &input.Error{Problem: err.Error()}
}

// configKey returns the key that sets a field, or "".
func configKey(field string) string {
	_, name, _ := strings.Cut(field, ".")
	return cmp.Or(configKeys[field], keyOfField("Workload", name))
}

// RefuseConfig turns an error about the configuration of a machine or a network into one
// about the key that the field was decoded from.
func RefuseConfig(err error) *input.Error {
	return keyError(err, "Machine", "Network")
}

// checkCycle refuses job.cycles_per_second and network.cycle that contradict each other.
func (s *Spec) checkCycle() *input.Error {
	if _, agrees := s.rateAgrees(); agrees {
		return nil
	}
	rate, _ := new(big.Rat).Inv(s.CycleSeconds()).Float64()
	return input.Bad("job.cycles_per_second",
		"leave it out; network.cycle says how many cycles a second of the log has",
		"job.cycles_per_second is %v, and a network.cycle of %s makes it %v",
		float64(s.Job.CyclesPerSecond), s.Network.Cycle, rate)
}

// checkScale refuses scaled messages of graphs of tasks where cycles have a length: the times of
// their computations and of the network would stay as they are.
func (s *Spec) checkScale() *input.Error {
	if s.Job.Scale == 1 || s.Network.Cycle == "" || !messages.Holds(s) {
		return nil
	}
	for _, w := range s.allPatterns() {
		if p := s.Registry.pattern(w.Name); p != nil && p.Tasks != nil {
			return FieldScale.Bad("leave it out: a GB of messages takes 0.1 to 2 s of processor time. A "+
				"smaller model, fewer layers or fewer microbatches take less",
				"%s is %v, and %s computes and the network has latencies in seconds, which it does not scale",
				FieldScale, s.Job.Scale, w.Short())
		}
	}
	return nil
}

// checkCollectives refuses vectors of more flits than a message has, and times of channels where
// cycles have no length.
func (s *Spec) checkCollectives() *input.Error {
	if !messages.Holds(s) {
		return nil
	}
	for _, w := range s.allPatterns() {
		bytes := float64(s.Job.Bytes) * s.Job.Scale
		flits := bytes / float64(s.Network.FlitBytes)
		if s.Registry.uses(w, "bytes") && flits >= math.MaxInt32 {
			return FieldFlitBytes.Bad("take longer flits", "%s of %d bytes has %.0f flits of %d bytes, and "+
				"a message at most %d", w.Short(), s.Job.Bytes, flits, s.Network.FlitBytes, math.MaxInt32)
		}
		if !patterns.Uses(w.Name, "bytes") {
			continue
		}
		v := s.Registry.values("patterns", w.Label())
		for _, name := range []string{"overhead", "rate", "host_latency"} {
			if v.Has(name) && v.TextOf(name) != "0" && s.Network.Cycle == "" {
				return FieldCycle.Bad(`set network.cycle, the length of a network cycle, such as "1 ns"`,
					"%s has %s = %s, and a cycle has no length", w.Short(), name, v.TextOf(name))
			}
		}
	}
	return nil
}

// checkRules refuses patterns by user or queue where jobs have none.
func (s *Spec) checkRules() *input.Error {
	if key, field := s.logField(); key != "" && s.Workload.Source != "swf" {
		return input.Bad(key, "use size, or a log", "%s has the field %s, and jobs of workload.source = "+
			"%s have none", key, field, s.Workload.Source)
	}
	return nil
}

// checkTogether refuses keys that do not fit jobs that run together.
func (s *Spec) checkTogether() *input.Error {
	w := &s.Workload
	if w.Source != "together" {
		return nil
	}
	if len(s.Job.Pattern.Parts) > 1 {
		return input.Bad("job.pattern", "give one pattern; that of the others is workload.background",
			"job.pattern is %s, for jobs that run together", s.Job.Pattern)
	}
	for _, p := range w.Background.Parts {
		alone := p.Name == backgroundSame || p.Name == backgroundIdle
		if len(w.Background.Parts) > 1 && (alone || p.Weight != 1) {
			return FieldBackground.Bad("give patterns without weights, such as incast+all-to-all, which the "+
				"jobs take in turn", "%s is %s", FieldBackground, w.Background)
		}
	}
	return nil
}

// checkTraffic refuses traffic that no machine and no load allows.
func (s *Spec) checkTraffic() *input.Error {
	if s.Workload.Source != "traffic" {
		return nil
	}
	t, bad := s.trafficPlan()
	if bad != nil {
		return bad.(*input.Error)
	}
	of := netsim.Traffic{Flits: int32(s.Job.Flits), Lengths: t.Lengths, Bursts: t.Bursts}
	if err := of.Check(); err != nil {
		return input.Bad("workload.burst_cycles", "", "workload.burst_cycles is %v with "+
			"workload.burst_share %v: %v", t.Bursts.Cycles, t.Bursts.Share, err)
	}
	return nil
}

// every reports whether something holds for all rows.
func every(rows []ListedJob, holds func(ListedJob) bool) bool {
	return !slices.ContainsFunc(rows, func(j ListedJob) bool { return !holds(j) })
}

// checkListed refuses rows that do not fit the run.
func (s *Spec) checkListed() *input.Error {
	if !ListWorkload.Holds(s) {
		return nil
	}
	if len(s.Workload.List) == 0 {
		return FieldList.Bad(listRight, "%s is list, and %s has no jobs", FieldSource, FieldList)
	}
	total := 0
	seconds := s.ClockUnit() == "s"
	endless := func(j ListedJob) bool { return j.Background }
	placed := func(j ListedJob) bool { return j.Nodes != nil }
	switch {
	case every(s.Workload.List, endless):
		return FieldList.Bad("leave background out of a row", "all jobs of %s go on without end",
			FieldList)
	case s.placed() && !every(s.Workload.List, placed):
		return FieldList.Bad("give nodes in all rows or in none", "jobs of %s have nodes, and others "+
			"have not", FieldList)
	case s.FastForward > 0 && slices.ContainsFunc(s.Workload.List, endless):
		return FieldList.Bad("give iterations, or runs.fast_forward = 0", "a job of %s goes on without "+
			"end, and runs.fast_forward jumps over iterations", FieldList)
	}
	for i, j := range s.Workload.List {
		at := input.Field(fmt.Sprintf("%s[%d]", FieldList, i))
		switch total += j.Count; {
		case j.unit != "" && !seconds:
			return at.Bad(listRight, "%s is %q, where %s, and a cycle has no length: set network.cycle, "+
				`such as "1 ns", or give a number of cycles`, at, j, j.unit)
		case total > maxListed:
			return at.Bad("list fewer", "%s has more than %d jobs", FieldList, maxListed)
		case j.Processes == 0 && s.Registry.digestOf(j.Pattern) == nil:
			return at.Bad("give processes", "%s is %q, and %s runs on any number of processes", at, j,
				j.Pattern.Label())
		case j.Estimate == 0 && s.UsesEstimates():
			return at.Bad("give estimate, in the unit of the clock or such as \"2 ms\"",
				"%s is %q without an estimate, which %s reads", at, j, s.Scheduler.Policy)
		}
	}
	return nil
}

// checkSeriesPairs refuses pairs that a run does not have.
func (s *Spec) checkSeriesPairs(nodes int) error {
	seen := map[string]int{}
	for i, p := range s.SeriesPairs {
		at := fmt.Sprintf("%s[%d]", FieldSeriesPairs, i)
		first, twice := seen[p.text]
		switch {
		case twice:
			return FieldSeriesPairs.Bad("give each pair once", "%s and %s[%d] are both %q", at,
				FieldSeriesPairs, first, p.text)
		case p.Job != NoJob && TrafficWorkload.Holds(s):
			return FieldSeriesPairs.Bad(`give nodes, such as "3>0"`, "%s is %q, and traffic has no jobs", at,
				p.text)
		case p.Job == NoJob && max(p.From, p.To) >= nodes:
			return FieldSeriesPairs.Bad(fmt.Sprintf("give nodes from 0 to %d", nodes-1),
				"%s is %q, and the machine has %d nodes", at, p.text, nodes)
		}
		seen[p.text] = i
	}
	return nil
}

// checkChannels refuses fewer virtual channels than a routing needs.
func (s *Spec) checkChannels() *input.Error {
	n, needed := s.Network.VirtualChannels, s.routedMachine().needed
	if !messages.Holds(s) || n == 0 || n >= needed {
		return nil
	}
	return FieldVirtualChannels.Bad(
		fmt.Sprintf("give at least %d, or 0 for as many as the routing needs", needed),
		"%s is %d, and the routing %s needs %d", FieldVirtualChannels, n, s.routing(), needed)
}

// checkControl refuses a control that never acts on a network.
func (s *Spec) checkControl(c netsim.Config) *input.Error {
	e, v := s.controlInModelUnits()
	if e.New == nil {
		return nil
	}
	c, err := c.Resolved()
	if err != nil {
		return nil // whoever makes the network returns it
	}
	nodes := c.Topology.Nodes() * topology.Rails(c.Topology)
	most := c.Topology.Ports() * c.VirtualChannels * c.BufferFlits
	switch {
	case e.Queue != "" && v.Int(e.Queue) >= most:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d, or raise network.buffer_flits",
			e.Queue, most), "%s is %s with %s of %d flits, and the buffers of a router hold %d: no packet "+
			"is marked", FieldCongestion, e.Name, e.Queue, v.Int(e.Queue), most)
	case e.Senders != "" && v.Int(e.Senders) >= nodes:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d", e.Senders, nodes),
			"%s is %s with %d %s, and of %d nodes no more than %d send to one", FieldCongestion, e.Name,
			v.Int(e.Senders), e.Senders, nodes, nodes-1)
	}
	return nil
}

// CheckMachine refuses keys of [machine] that contradict each other.
func (s *Spec) CheckMachine() *input.Error {
	_, err := s.Registry.NewMachine(&s.Machine)
	bad, _ := err.(*input.Error)
	return bad
}

// refuser makes the error for a row of machine.failures: right is the remedy, why the reason.
type refuser func(right, why string, args ...any) *input.Error

// refuse returns the refuser for row i.
func (s *Spec) refuse(i int) refuser {
	at := input.Field(fmt.Sprintf("%s[%d]", FieldFailures, i))
	return func(right, why string, args ...any) *input.Error {
		return at.Bad(right, "%s is %q, and %s", at, s.Failures[i].text, fmt.Sprintf(why, args...))
	}
}

// checkFailures refuses failures that a run cannot have or would not depend on.
func (s *Spec) checkFailures() *input.Error {
	sends := messages.Holds(s)
	for i, f := range s.Failures {
		bad := s.refuse(i)
		switch {
		case s.Workload.Snapshots:
			return bad("leave out workload.snapshots", "with workload.snapshots jobs go on to their ends "+
				"at the first rates that are known, and failures change rates")
		case s.FastForward > 0 && f.Bandwidth > 0:
			return bad("leave out bandwidth, or take runs.fast_forward = 0, which simulates every flit",
				"jumps over time know of no slow links")
		case f.failsNodes() && !queued.Holds(s):
			return bad("give links, or another workload.source",
				"with workload.source = %s no job can be killed and queue again", s.Workload.Source)
		case f.Kind == FailingLinks && !sends:
			return bad("give nodes or routers, or job.run = messages", "jobs send no messages over links")
		case f.Kind != FailingNodes && sends && s.Alone:
			return bad("leave out runs.alone", "runs.alone measures jobs on a network without failures")
		case sends && s.Network.Engine != "auto" && s.Network.Engine != "cycle":
			return bad("take network.engine = auto or cycle", "the %s engine knows of no failures",
				s.Network.Engine)
		case len(f.inSeconds) > 0 && s.scale().timeUnit == nil:
			return bad(`set network.cycle, such as "1 ns", or give a number`,
				"%s has a unit, and a cycle has no length", f.inSeconds[0])
		}
	}
	return nil
}

// checkTimes refuses times that the run cannot represent: spans of less than a cycle, and times
// beyond the last cycle. unit is the number of cycles in a unit of time.
func (f *Failure) checkTimes(unit float64, bad refuser) *input.Error {
	for _, name := range []string{"at", "for", "mtbf", "mttr"} {
		switch cycles := *f.number(name) * unit; {
		case cycles >= float64(scheduler.MaxCycle):
			return bad(fmt.Sprintf("give less than %.3g", float64(scheduler.MaxCycle)/unit),
				"%s is after all time", name)
		case cycles > 0 && cycles < 1 && name != "at":
			return bad(fmt.Sprintf("give %.3g or more", 1/unit), "%s is less than a cycle", name)
		}
	}
	return nil
}

// checkMachine refuses what a machine does not have.
func (f *Failure) checkMachine(machine topology.Topology, bad refuser) *input.Error {
	count, last := machine.Routers(), -1
	if f.Kind == FailingNodes {
		count = machine.Nodes()
	}
	for _, n := range f.Numbers {
		last = max(last, n)
	}
	for _, c := range f.Cables {
		last = max(last, c.Routers[1])
	}
	if last >= count {
		return bad(fmt.Sprintf("give 0 to %d", count-1), "the machine has no %d", last)
	}
	for _, c := range f.Cables {
		a, b, cables := c.Routers[0], c.Routers[1], 0
		for p := range topology.Port(machine.Ports()) {
			if r, _, ok := machine.Peer(topology.Router(a), p); ok && int(r) == b {
				cables++
			}
		}
		switch {
		case cables == 0:
			return bad("", "no link joins the routers %d and %d", a, b)
		case c.Number >= cables:
			return bad(fmt.Sprintf("give %d-%d.0 to %d-%d.%d", a, b, a, b, cables-1),
				"the routers %d and %d have no cable %d", a, b, c.Number)
		}
	}
	classed, _ := machine.(topology.Classed)
	if f.Class != "" && (classed == nil || !slices.Contains(classed.LinkClasses(), f.Class)) {
		return bad("give all, or one of the classes that network.class_link_cycles knows of",
			"the machine has no such class of links")
	}
	return nil
}

// checkProcessors refuses drawn jobs that are larger than the machine.
func (s *Spec) checkProcessors(p *Plan) error {
	n, nodes := s.Workload.Processors, p.Machine.Nodes()
	c := &p.Workload.Synthetic
	if p.Workload.Source != SourceSynthetic || c.Size.Distribution == "" {
		return nil
	}
	err := c.Size.Check(nodes)
	switch {
	case err == nil:
		return nil
	case n > 0:
		return FieldProcessors.Bad(fmt.Sprintf("give 1 to %d, or 0 for jobs that draw their sides", nodes),
			"%s is %d, and the machine has %d", FieldProcessors, n, nodes)
	}
	bad := Refuse(err)
	switch bad.Right = fmt.Sprintf("give sizes from 1 to %d", nodes); {
	case c.Size.Distribution == "exponential":
		bad.Right = fmt.Sprintf("give a mean up to %d", nodes)
	case c.Size.Max > 0:
		bad.Right += ", the smallest first"
	}
	return bad
}
