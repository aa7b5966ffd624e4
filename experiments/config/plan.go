package config

import (
	"fmt"

	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Plan is a Spec decoded once, for all replications of a run. The machine is built,
// words are constants, and the configurations of other packages have their own types.
// A Plan does not change, so runs share it.
type Plan struct {
	Machine Machine // the machine, built
	// Topology and Size are the machine's name, such as mesh and 16x16.
	Topology, Size string
	// Network lacks the seed of the routing, which depends on the replication.
	Network   netsim.Config
	Workload  WorkloadPlan  // which jobs arrive when
	Job       JobPlan       // what jobs do while they run
	Scheduler SchedulerPlan // which job starts next
	Allocator AllocatorPlan // which nodes a job gets
	// Decision is a second allocator that is queried at each job start and does not
	// affect the run; nil for none.
	Decision *AllocatorPlan
	// AllocatorOrder names the order of processors in which the allocator takes them.
	AllocatorOrder string
	MeasureSpec

	Failures    []Failure // with times in the unit of the clock
	DrawsRoutes bool      // the routing draws
	// ClockUnit is the unit of the run's clock: s, cycles or time units.
	ClockUnit string
	// CycleSeconds is the length of a network cycle in seconds, 0 where it has none.
	CycleSeconds float64
	// Reference has the machine and network on which jobs are calibrated; nil for
	// the run's own.
	Reference *Plan
	// Calibrates reports whether jobs are calibrated at all. MeasuresLoad reports whether the time
	// of drawn jobs alone sets how fast they arrive.
	Calibrates, MeasuresLoad bool
	// KnowsTimes reports whether jobs have run times, which say how long they take
	// without contention.
	KnowsTimes bool

	// Registry has what is not built in; nil for nothing.
	Registry *Registry

	lines                func() []canonicalLine // of the spec: a text of keys identifies a plan
	spec                 Spec
	machineID, networkID Identity
}

// WorkloadPlan says which jobs arrive when.
type WorkloadPlan struct {
	WorkloadSpec
	Jobs int // the number of jobs to run, 0 for all
	// Synthetic draws jobs. It lacks seeds, patterns and quotas, as do Lublin and
	// Cplant.
	Synthetic scheduler.SyntheticConfig
	Lublin    scheduler.LublinConfig       // the model of Lublin and Feitelson
	Cplant    scheduler.CplantStreamConfig // the job stream of Cplant
	// Transform changes the jobs of a log.
	Transform scheduler.TransformConfig
	Together  TogetherPlan // for jobs that run together
	Traffic   TrafficPlan  // for traffic without jobs
	Listed    []ListedJob  // for listed jobs
}

// TogetherPlan says which jobs start at once, and where.
type TogetherPlan struct {
	// Alone is true if one job has the machine to itself.
	Alone bool
	// Others is what all jobs but the first send; nil if they send the same.
	Others *PatternPlan
	// Background is the text of workload.background as users write it, for messages.
	Background string
}

// TrafficPlan says what nodes send where there are no jobs.
type TrafficPlan struct {
	Pattern netsim.TrafficPattern // where they send it
	// Load is in flits per node and cycle.
	Load float64
	// Lengths are those of messages; nil if all messages are of one length.
	Lengths []netsim.Length
	Bursts  netsim.Bursts // in which nodes create messages
	// Warmup and Window are in cycles; 0 takes the automatic lengths.
	Warmup, Window int64
	// Self has nodes send to themselves too, where the pattern has them do so.
	Self bool
}

// JobPlan says what jobs do while they run.
type JobPlan struct {
	JobSpec
	// Patterns is the mix, and then the other patterns of Rules, which have no weight.
	// scheduler.Job.Pattern is an index into it.
	Patterns []PatternPlan
	Mixed    string // the text of the mix
	// By is the field by which jobs share a draw from the mix; with ByJob every job draws
	// for itself.
	By JobField
	// Rules give jobs their patterns. The first that fits counts.
	Rules []RulePlan
	Quota QuotaPlan // how many messages a job sends
	// OneLength is true if all messages have the same length.
	OneLength bool
	// FlitBytes and PadFlits turn bytes into flits.
	FlitBytes, PadFlits int
	// CyclesPerSecond may be Automatic.
	CyclesPerSecond input.Auto
	// Speedup is the share of their run times by which jobs of several processors
	// are faster, see Spec.Speedup.
	Speedup float64
}

// PatternPlan is one part of the mix of patterns.
type PatternPlan struct {
	patterns.Config
	Label  string  // the part of the mix without its weight and the digests of files
	Weight float64 // jobs draw a part with probability proportional to it
	// RoundTrips is true if pairs of processes send there and back.
	RoundTrips bool
}

// RulePlan is a rule with the index of its pattern in JobPlan.Patterns.
type RulePlan struct {
	Rule
	Index int // of the pattern
}

// QuotaPlan says how many messages a job sends. One of Iterations, Benchmarks, Messages
// and PerSecond is not 0. Processes of 0 takes the mean of the sides.
type QuotaPlan struct {
	QuotaSpec
	// Draw is the distribution about the mean.
	Draw  scheduler.Distribution
	Drawn bool // quotas are drawn; otherwise every job has the mean
}

// AllocatorPlan is an allocator and the field that names it. The allocator's random
// stream has the name of the field.
type AllocatorPlan struct {
	Call  string      // the allocator with its parameters
	Field input.Field // the field that names it
}

// Identity identifies the machine or the network of a plan. Plans whose machines are
// equal have equal identities of the machine; the same holds for networks.
type Identity string

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

// checkProcessors refuses drawn jobs that are larger than the machine.
func (s *Spec) checkProcessors(p *Plan) error {
	n, nodes := s.Workload.Processors, p.Machine.Nodes()
	if p.Workload.Source != SourceSynthetic || n <= nodes {
		return nil
	}
	return FieldProcessors.Bad(fmt.Sprintf("give 1 to %d, or 0 for jobs that draw their sides", nodes),
		"%s is %d, and the machine has %d", FieldProcessors, n, nodes)
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

// Own returns a plan whose jobs are calibrated on the machine and network of the run.
func (p *Plan) Own() *Plan {
	q := *p
	q.Reference, q.spec.Job.CalibrateOn = nil, ""
	q.lines = linesOf(&q.spec)
	return &q
}

// NewPolicy makes the policy of a run.
func (p *Plan) NewPolicy(r PolicyRun) (scheduler.Policy, error) {
	return p.spec.NewPolicy(r)
}

// StreamSeed returns the seed of a stream, as Spec.StreamSeed does.
func (p *Plan) StreamSeed(replication int, stream string) (uint64, uint64) {
	return p.spec.StreamSeed(replication, stream)
}
