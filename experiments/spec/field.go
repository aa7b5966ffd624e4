package spec

import (
	"errors"
	"reflect"

	"contend/netsim/topology"
)

// Field is a field of a Plan as a user knows it: the key it was decoded from. A package
// below this one that refuses a value names the field; only the constants here name
// keys.
type Field string

// The fields that can be wrong in ways the table of keys does not show, or that
// notes on a run mention.
const (
	FieldAllocator       Field = "allocator"
	FieldBackground      Field = "workload.background"
	FieldCalibrateOn     Field = "job.calibrate_on"
	FieldCooldownJobs    Field = "runs.cooldown_jobs"
	FieldCycle           Field = cyclePath
	FieldCyclesPerSecond Field = "job.cycles_per_second"
	FieldDecision        Field = "scheduler.decision"
	FieldFile            Field = "machine.file"
	FieldGraph           Field = "machine.graph"
	FieldIteration       Field = "job.iteration"
	FieldMeasures        Field = "runs.measures"
	FieldMissingEstimate Field = "scheduler.missing_estimate"
	FieldPattern         Field = "job.pattern"
	FieldPatternBy       Field = "job.pattern_by"
	FieldPerSecond       Field = "job.quota.per_second"
	FieldPlacement       Field = "workload.placement"
	FieldProcesses       Field = "workload.processes"
	FieldProcessors      Field = "workload.processors"
	FieldTopology        Field = "machine.topology"
	FieldRouting         Field = "network.routing"
	FieldRules           Field = "job.rules"
	FieldScale           Field = "job.scale"
	FieldServiceRows     Field = "machine.service_rows"
	FieldShare           Field = "job.communication_share"
	FieldSizeClamp       Field = "workload.size_clamp"
	FieldRoundSizes      Field = "workload.round_sizes"
	FieldSettle          Field = "network.settle"
	FieldSizeClasses     Field = "runs.size_classes"
	FieldStart           Field = "workload.start"
	FieldWindow          Field = "workload.window"
	FieldJobs            Field = "workload.jobs"
	FieldReplications    Field = "runs.replications"
	FieldTrace           Field = "workload.trace"
	FieldTraffic         Field = "workload.traffic"
	FieldTrafficLoad     Field = "workload.traffic_load"
	FieldVirtualChannels Field = "network.virtual_channels"
	FieldWarmupJobs      Field = "runs.warmup_jobs"
)

// Bad makes an InputError about the field.
func (f Field) Bad(right, problem string, args ...any) *InputError {
	return BadInput(string(f), right, problem, args...)
}

// Refuse turns an error of another package into an InputError about the field.
func (f Field) Refuse(err error) *InputError { return f.Bad("", "%v", err) }

// RefuseConfig turns an error about the configuration of a machine or a network into
// one about the key that the field was decoded from. The fields of MachineSpec and
// NetworkSpec have the names of those.
func RefuseConfig(err error) *InputError {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return &InputError{Problem: err.Error()}
	}
	f := keyOfField(bad.Field)
	return f.Bad(bad.Right, "%s %s", f, bad.Problem)
}

// keyOfField returns the key of the field of a MachineSpec or NetworkSpec.
func keyOfField(name string) Field {
	var s Spec
	for _, section := range []any{&s.Machine, &s.Network} {
		field := reflect.ValueOf(section).Elem().FieldByName(name)
		if !field.IsValid() {
			continue
		}
		for _, k := range Keys() {
			if k.Identity && k.value(&s).Addr().Interface() == field.Addr().Interface() {
				return Field(k.Path)
			}
		}
	}
	return Field(name)
}
