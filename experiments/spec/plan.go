package spec

import (
	"fmt"

	"contend/allocation"
	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Plan is what one run is: a Spec decoded once, for all replications and for
// runs at the same time. Its machine is built, words are constants, and what other
// packages are configured by stands in their own types. Nobody changes a Plan.
type Plan struct {
	Machine Machine
	// Topology and Size are the machine's name, such as mesh and 16x16.
	Topology, Size string
	// Network lacks the seed of the routing, which hangs on the replication.
	Network   netsim.Config
	Workload  WorkloadPlan
	Job       JobPlan
	Scheduler SchedulerPlan
	Allocator AllocatorPlan
	// Decision is asked at each start and changes nothing; nil where nobody is.
	Decision *AllocatorPlan
	// SpanOrder names the order of processors spans are measured along.
	SpanOrder string
	CountTies bool
	Measures  Measures
	// ClockUnit is the unit of the run's clock: s, cycles or time units.
	ClockUnit string
	// Reference has the machine and network jobs are calibrated on; nil for the
	// run's own. Calibrates tells whether they are calibrated at all.
	Reference  *Plan
	Calibrates bool
	// KnowsTimes tells whether jobs have run times, which tell how long they take
	// when nobody disturbs them.
	KnowsTimes bool

	// Registry has what is not built in; nil where there is nothing.
	Registry *Registry

	spec                 Spec // where a text of keys tells plans apart
	machineID, networkID Identity
}

// WorkloadPlan says which jobs arrive when.
type WorkloadPlan struct {
	Source Source
	// Trace is the log as it was asked for. Start of its jobs are left out, and
	// Window more in each replication; Jobs is how many are run, 0 for all.
	Trace               string
	Start, Window, Jobs int
	// Synthetic, Lublin and Cplant generate jobs: all but seeds, patterns, quotas.
	Synthetic scheduler.SyntheticConfig
	Lublin    scheduler.LublinConfig
	Cplant    scheduler.CplantStreamConfig
	// Transform changes the jobs of a log, and so do the others: Shake and Spread
	// are in seconds, Copies is how often each job is there, TargetLoad a load or
	// 0. Untouched tells that Start and Transform take every line as it is.
	Transform     scheduler.TransformConfig
	Shake, Spread float64
	Copies        int
	TargetLoad    float64
	Untouched     bool
	Together      TogetherPlan
	Traffic       TrafficPlan
}

// TogetherPlan says which jobs start at once, and where.
type TogetherPlan struct {
	Processes int
	Placement Placement
	// Alone tells that one job has the machine to itself. Others, if not nil, is
	// what all jobs but the first do, and Background how it was written.
	Alone      bool
	Others     *PatternPlan
	Background string
}

// TrafficPlan says what nodes send where there are no jobs.
type TrafficPlan struct {
	Name string
	// Load is in flits per node and cycle, Warmup and Window are in cycles, 0 for
	// automatic lengths.
	Load           float64
	Warmup, Window int64
	// Self has nodes send to themselves too; SelfUniform does where destinations
	// are uniform.
	Self, SelfUniform bool
}

// JobPlan says what jobs do while they run.
type JobPlan struct {
	Run RunKind
	// Patterns has that of a job at its scheduler.Job.Pattern. Mixed is the text.
	Patterns []PatternPlan
	Mixed    string
	Quota    QuotaPlan
	// Share of a job's run time goes to messages; 1 where it only sends.
	Share float64
	// Scale is what sizes in bytes are multiplied by. Flits is the length of other
	// messages, OneLength tells that all have one.
	Scale     float64
	Flits     int
	OneLength bool
	// FlitBytes and PadFlits make flits of bytes on the network.
	FlitBytes, PadFlits int
	// SendCycles and ReceiveCycles are what a message costs the processes.
	SendCycles, ReceiveCycles int64
	// CyclesPerSecond may be Automatic.
	CyclesPerSecond Auto
	// Speedup is the share of their run times by which jobs of several processors
	// are faster, see Spec.Speedup.
	Speedup float64
}

// PatternPlan is one part of the mix of patterns.
type PatternPlan struct {
	patterns.Config
	Label  string
	Weight float64
	// RoundTrips tells that pairs of processes send there and back.
	RoundTrips bool
}

// QuotaPlan says how many messages a job sends: of Iterations, Messages and
// PerSecond one is not 0.
type QuotaPlan struct {
	Iterations, Messages float64
	PerSecond            Auto
	// Draw is the distribution about the mean, Drawn whether it is one at all.
	Draw  scheduler.Distribution
	Drawn bool
	// Processes of the mean-sized job; 0: as its sides say.
	Processes int
}

// AllocatorPlan is an allocator, and the field that asks for it. Its random stream
// has the field's name.
type AllocatorPlan struct {
	Config allocation.Config
	Field  Field
}

// Identity tells plans apart: those of equal identity have the same of what it is
// the identity of.
type Identity string

// Plan decodes and checks the spec.
func (s *Spec) Plan() (*Plan, error) {
	settled := *s
	settled.Settle()
	if err := settled.Check(); err != nil {
		return nil, err
	}
	p, err := settled.decode()
	if err != nil || settled.Job.CalibrateOn == "" {
		return p, err
	}
	reference, err := settled.Reference()
	if err != nil {
		return nil, err
	}
	p.Reference, err = reference.decode()
	return p, err
}

func (s *Spec) decode() (*Plan, error) {
	machine, err := s.Registry.NewMachine(&s.Machine)
	if err != nil {
		return nil, err
	}
	name, size := s.Registry.machineName(&s.Machine, machine)
	p := &Plan{Machine: machine, Topology: name, Size: size, spec: *s,
		Registry: s.Registry,
		Network:  s.networkPlan(bare(machine)), Workload: s.workloadPlan(machine),
		Scheduler: s.schedulerPlan(),
		Allocator: AllocatorPlan{s.Allocator.Config(), FieldAllocator},
		SpanOrder: s.Allocator.spanOrder(), CountTies: s.CountTies,
		Measures:  enumOf[Measures](measuresNames, s.Measures),
		ClockUnit: s.ClockUnit(), Calibrates: s.Calibrates(), KnowsTimes: s.knowsTimes(),
		machineID: Identity(fmt.Sprint(s.Machine)), networkID: Identity(fmt.Sprint(s.Network))}
	if p.Job, err = s.jobPlan(); err != nil {
		return nil, err
	}
	if s.Scheduler.Decision != "" {
		config, err := s.DecisionAllocator()
		if err != nil {
			return nil, FieldDecision.Refuse(err)
		}
		p.Decision = &AllocatorPlan{config, FieldDecision}
	}
	if p.Workload.Source == SourceTogether {
		p.Workload.Together, err = s.togetherPlan()
	}
	return p, err
}

// Own is the plan calibrated on the run's own machine and network.
func (p *Plan) Own() *Plan {
	own := *p
	own.Reference, own.spec.Job.CalibrateOn = nil, ""
	return &own
}

// NewPolicy makes the policy for the allocator of a run.
func (p *Plan) NewPolicy(a allocation.Allocator) (scheduler.Policy, error) {
	return p.spec.NewPolicy(a)
}

// StreamSeed is that of the spec.
func (p *Plan) StreamSeed(replication int, stream string) (uint64, uint64) {
	return p.spec.StreamSeed(replication, stream)
}
