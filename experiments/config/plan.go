package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
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

	// Registry holds the entries that are not built in; nil for none.
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
	// Others is what all jobs but the first send, in turn; nil if they send the same.
	Others []PatternPlan
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

// QuotaPlan says how many messages a job sends. One of Iterations, Benchmarks, MeanIterations,
// Messages and PerSecond is not 0. Processes of 0 takes the mean of the sides.
type QuotaPlan struct {
	QuotaSpec
	// Draw is the distribution about the mean.
	Draw  scheduler.Distribution
	Drawn bool // quotas are drawn; otherwise every job has the mean
}

// Whole reports whether jobs do whole iterations of their patterns.
func (q *QuotaPlan) Whole() bool { return q.Iterations > 0 || q.Benchmarks > 0 }

// Cuts reports whether quotas are messages that need not be whole iterations. Those of automatic
// run times are chosen by the length of an iteration.
func (q *QuotaPlan) Cuts() bool {
	return q.Messages > 0 || q.MeanIterations > 0 || q.PerSecond > 0 && q.PerSecond != input.Automatic
}

// Field returns the key that says how many messages jobs send.
func (q *QuotaPlan) Field() input.Field {
	switch {
	case q.Messages > 0:
		return FieldMessages
	case q.MeanIterations > 0:
		return FieldMeanIterations
	case q.PerSecond != 0:
		return FieldPerSecond
	}
	return FieldIterations
}

// IterationsOf returns the mean number of iterations of a job with a pattern, from Iterations or
// Benchmarks, 0 if neither is given. It is a whole number unless iterations are drawn.
func (q *QuotaPlan) IterationsOf(p patterns.Config) float64 {
	mean := q.Iterations
	if times, ok := patterns.Iterations(p.Name, p.Class); ok && q.Benchmarks > 0 {
		mean = q.Benchmarks * float64(times)
	}
	if q.Drawn {
		return mean
	}
	return math.Ceil(mean)
}

// SchedulerPlan is the section [scheduler].
type SchedulerPlan struct {
	SchedulerSpec
	// Kills reports whether jobs can be killed.
	Kills bool
	// UsesEstimates reports whether the estimates of users affect the run.
	UsesEstimates bool
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

// AllocatorPlan is an allocator and the field that names it. The allocator's random
// stream has the name of the field.
type AllocatorPlan struct {
	Call  string      // the allocator with its parameters
	Field input.Field // the field that names it
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

// FixedRate returns the cycles in a second of a log whose jobs run for fixed times. It
// is 1 if all times are whole seconds, so that nothing is rounded, and a million
// otherwise.
func (p *Plan) FixedRate(jobs []scheduler.Job) input.Auto {
	if p.Workload.Source != SourceCplantStream && scheduler.WholeSeconds(jobs, p.Job.Speedup) {
		return 1
	}
	return UnitCycles
}

// FailsNodes reports whether nodes fail in runs, and FailsLinks whether links do.
func (p *Plan) FailsNodes() bool { return slices.ContainsFunc(p.Failures, Failure.failsNodes) }

func (p *Plan) FailsLinks() bool { return slices.ContainsFunc(p.Failures, Failure.failsLinks) }

// Ranks returns the number of processes that a pattern from files is for. It reads them.
func (p *Plan) Ranks(w Weighted) (int, error) {
	g, err := p.spec.Registry.graph(w, 0)
	if err != nil {
		return 0, err
	}
	return len(g.Ranks), nil
}

// RefuseSeriesPairs returns an error for a pair of ranks of which no job is, by the sizes of the
// jobs by number; nil if there is none.
func (p *Plan) RefuseSeriesPairs(sizes map[scheduler.JobID]int) error {
	for i, pair := range p.SeriesPairs {
		size, known := sizes[pair.Job]
		switch at := fmt.Sprintf("%s[%d]", FieldSeriesPairs, i); {
		case pair.Job == NoJob:
		case !known:
			return FieldSeriesPairs.Bad("jobs.csv (--jobs-csv) has their numbers", "%s is %q, and no job "+
				"has the number %d", at, pair.text, pair.Job)
		case max(pair.From, pair.To) >= size:
			return FieldSeriesPairs.Bad(fmt.Sprintf("give ranks from 0 to %d", size-1),
				"%s is %q, and job %d has %d ranks", at, pair.text, pair.Job, size)
		}
	}
	return nil
}

// MachineID is the identity of the machine.
func (p *Plan) MachineID() Identity { return p.machineID }

// NetworkID is the identity of the network on its machine.
func (p *Plan) NetworkID() Identity { return p.networkID }

// CheckID is the identity of everything that checks of jobs depend on. The scheduler
// does not affect them.
func (p *Plan) CheckID() Identity {
	return p.identity(func(path string) bool {
		return path == "scheduler.decision" ||
			path != "job.assumed_speedup" && !strings.HasPrefix(path, "scheduler.")
	})
}

// WorkID is the identity of the jobs of one replication with their quotas.
func (p *Plan) WorkID() Identity {
	return p.identity(func(path string) bool {
		switch path {
		case "job.calibrate_on", "runs.seed", "scheduler.on_overrun":
			return true
		}
		return MakesJobs(path) || IsReference(path)
	})
}

// NotesID is the identity of the notes about a log and its calibration.
func (p *Plan) NotesID() Identity {
	return p.identity(func(path string) bool {
		return path != "job.assumed_speedup" && path != "allocator" &&
			!strings.HasPrefix(path, "scheduler.")
	})
}

// identity returns the lines of the keys that keep accepts, behind the path of the log: two logs
// of the same name may differ.
func (p *Plan) identity(keep func(path string) bool) Identity {
	return Identity(p.spec.Workload.Trace + "\n" + joinLines(p.lines(), keep))
}

// linesOf returns a function that makes the canonical lines of a spec at its first call. The spec
// must not change.
func linesOf(s *Spec) func() []canonicalLine {
	return sync.OnceValue(s.canonicalLines)
}
