package spec

import (
	"contend/experiments/spec/input"
)

// The fields that can be wrong in ways the table of keys does not show, or that
// notes on a run mention.
const (
	FieldAllocator       input.Field = "allocator"
	FieldBufferFlits     input.Field = "network.buffer_flits"
	FieldBackground      input.Field = "workload.background"
	FieldCalibrateOn     input.Field = "job.calibrate_on"
	FieldCooldownJobs    input.Field = "runs.cooldown_jobs"
	FieldCycle           input.Field = "network.cycle"
	FieldCyclesPerSecond input.Field = "job.cycles_per_second"
	FieldDecision        input.Field = "scheduler.decision"
	FieldFile            input.Field = "machine.file"
	FieldGraph           input.Field = "machine.graph"
	FieldIteration       input.Field = "job.iteration"
	FieldMeasures        input.Field = "runs.measures"
	FieldMissingEstimate input.Field = "scheduler.missing_estimate"
	FieldPattern         input.Field = "job.pattern"
	FieldPatternBy       input.Field = "job.pattern_by"
	FieldPerSecond       input.Field = "job.quota.per_second"
	FieldPlacement       input.Field = "workload.placement"
	FieldProcesses       input.Field = "workload.processes"
	FieldProcessors      input.Field = "workload.processors"
	FieldTopology        input.Field = "machine.topology"
	FieldRail            input.Field = "network.rail"
	FieldRouting         input.Field = "network.routing"
	FieldRules           input.Field = "job.rules"
	FieldScale           input.Field = "job.scale"
	FieldServiceRows     input.Field = "machine.service_rows"
	FieldShare           input.Field = "job.communication_share"
	FieldSizeClamp       input.Field = "workload.size_clamp"
	FieldRoundSizes      input.Field = "workload.round_sizes"
	FieldFastForward     input.Field = "runs.fast_forward"
	FieldSizeClasses     input.Field = "runs.size_classes"
	FieldStart           input.Field = "workload.start"
	FieldWindow          input.Field = "workload.window"
	FieldJobs            input.Field = "workload.jobs"
	FieldReplications    input.Field = "runs.replications"
	FieldTrace           input.Field = "workload.trace"
	FieldTraffic         input.Field = "workload.traffic"
	FieldTrafficLoad     input.Field = "workload.traffic_load"
	FieldVirtualChannels input.Field = "network.virtual_channels"
	FieldWarmupJobs      input.Field = "runs.warmup_jobs"
)
