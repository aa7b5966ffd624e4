package config

import (
	"cmp"
	"errors"
	"strings"

	"contend/internal/input"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// The fields that can be wrong in ways the table of keys does not show, or that
// notes on a run mention.
const (
	FieldAllocator       input.Field = "allocator"
	FieldBufferFlits     input.Field = "network.buffer_flits"
	FieldBackground      input.Field = "workload.background"
	FieldCalibrateOn     input.Field = "job.calibrate_on"
	FieldCongestion      input.Field = "network.congestion_control"
	FieldCooldownJobs    input.Field = "runs.cooldown_jobs"
	FieldCycle           input.Field = "network.cycle"
	FieldCyclesPerSecond input.Field = "job.cycles_per_second"
	FieldDecision        input.Field = "scheduler.decision"
	FieldFlitBytes       input.Field = "network.flit_bytes"
	FieldFailures        input.Field = "machine.failures"
	FieldFile            input.Field = "machine.file"
	FieldFlopRate        input.Field = "job.flop_rate"
	FieldList            input.Field = "workload.list"
	FieldSource          input.Field = "workload.source"
	FieldIteration       input.Field = "job.iteration"
	FieldMapping         input.Field = "job.mapping"
	FieldMissingEstimate input.Field = "scheduler.missing_estimate"
	FieldNodeChannels    input.Field = "network.node_virtual_channels"
	FieldNodesField      input.Field = "workload.nodes_field"
	FieldPattern         input.Field = "job.pattern"
	FieldPatternBy       input.Field = "job.pattern_by"
	FieldPerSecond       input.Field = "job.quota.per_second"
	FieldPlacement       input.Field = "workload.placement"
	FieldProcesses       input.Field = "workload.processes"
	FieldProcessors      input.Field = "workload.processors"
	FieldSystemLoad      input.Field = "workload.system_load"
	FieldTopology        input.Field = "machine.topology"
	FieldRail            input.Field = "network.rail"
	FieldRoutingCycles   input.Field = "network.routing_cycles"
	FieldRouting         input.Field = "network.routing"
	FieldRun             input.Field = "job.run"
	FieldRules           input.Field = "job.rules"
	FieldScale           input.Field = "job.scale"
	FieldServiceRows     input.Field = "machine.service_rows"
	FieldShare           input.Field = "job.communication_share"
	FieldSizeClamp       input.Field = "workload.size_clamp"
	FieldRoundSizes      input.Field = "workload.round_sizes"
	FieldCut             input.Field = "job.cut"
	FieldFastForward     input.Field = "runs.fast_forward"
	FieldSeriesPairs     input.Field = "runs.series_pairs"
	FieldSizeClasses     input.Field = "runs.size_classes"
	FieldLocality        input.Field = "runs.locality"
	FieldSpanOrder       input.Field = "runs.span_order"
	FieldStart           input.Field = "workload.start"
	FieldWindow          input.Field = "workload.window"
	FieldJobs            input.Field = "workload.jobs"
	FieldReplication     input.Field = "workload.replication_factor"
	FieldReplications    input.Field = "runs.replications"
	FieldTrace           input.Field = "workload.trace"
	FieldTraffic         input.Field = "workload.traffic"
	FieldTrafficLoad     input.Field = "workload.traffic_load"
	FieldVirtualChannels input.Field = "network.virtual_channels"
	FieldWarmupJobs      input.Field = "runs.warmup_jobs"
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
		s.checkCycle(), s.checkFailures()} {
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
	if q.Iterations == 0 && q.Benchmarks == 0 && q.Messages == 0 && q.PerSecond == 0 {
		return input.Bad("job.quota.iterations", "give one of job.quota.iterations, .benchmarks, "+
			".messages and .per_second above 0", "a job's quota is 0 messages")
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

// Speedup is the share of their run times by which jobs of several processors
// are faster: "we cannot assume any acceleration with non-contiguous
// allocation" (pascual2009 sec. 6).
func (s *Spec) Speedup() float64 {
	if !s.Registry.allocator(s.Allocator).Contiguous {
		return 0
	}
	return s.Job.AssumedSpeedup / 100
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

// Kills reports whether jobs can be killed.
func (p *SchedulerSpec) Kills() bool { return p.KillAtReservation || p.OnOverrun == "kill" }

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
