package config

import (
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
	"contend/scheduler"
)

// Settings holds the values of keys: those of a spec and those of the study's runs.
type Settings struct {
	Spec Spec     // the keys of one run
	Runs RunsSpec // the keys of the study's runs
}

// Spec describes one run completely, as a study writes it. Every field has a row in the
// table of keys (table*.go) with its bounds, default and documentation. A Plan is the
// decoded form that a run uses. Tags of fields name the keys.
type Spec struct {
	Machine   MachineSpec   // section [machine]
	Network   NetworkSpec   // section [network]
	Workload  WorkloadSpec  // section [workload]
	Job       JobSpec       // section [job]
	Scheduler SchedulerSpec // section [scheduler]
	// Registry holds what the sections name and the program does not have built in;
	// nil for nothing.
	Registry *Registry
	// Given has the values that depend on other keys as they were given, by key. Resolve sets the
	// keys.
	Given map[string]GivenValue
	// Failures are the failures of nodes, routers and links. They are not part of Machine: jobs are
	// calibrated on a machine without any.
	Failures []Failure
	// Allocator is the call of an allocator, as CanonicalAllocator writes it.
	Allocator string
	Seed      int64
	MeasureSpec
}

// Keys that are times, sizes or rates take a plain number in model units or a quantity with
// a unit. What a quantity is in cycles and flits depends on network.cycle and
// network.flit_bytes, which may be set later, by an axis, a variant or an override. So
// Assign stores the quantity, and Resolve turns it into a number once a point is complete.
// A run has numbers alone: written in units or in numbers it has one hash.
//
// Parameters of calls of [network] take them too, and their defaults may be quantities. Assign
// keeps the call as it was given, and Resolve states each of these parameters in numbers. Where a
// cycle has no length such a default is one number, and is left out as others are.

// GivenValue is the value of a key as it was given.
type GivenValue struct {
	quantities []quantity.Quantity // of a number, or of each entry of a list
	call       string              // in canonical form; "" for quantities
}

// MachineSpec is the section [machine]: the routers, the channels between them, and the
// nodes.
type MachineSpec struct {
	Topology      string
	Dims          []int
	Arity         int
	Levels        int
	Nodes         int
	UpPorts       []int
	Wrap          []bool
	Concentration int
	ServiceRows   []int
	GroupRouters  int
	GlobalLinks   int
	Groups        int
	Arrangement   string
	Width         []int
	Children      []int
	Parents       []int
	Bundle        []int
	Rails         int
	Graph         []string
}

// IsGrid reports whether the machine is one of the built-in grids, which machine.dims
// describes.
func (m *MachineSpec) IsGrid() bool {
	return m.Topology == "mesh" || m.Topology == "torus" || m.Topology == "hypercube"
}

// NetworkSpec is the section [network].
type NetworkSpec struct {
	netsim.Parameters
	// Cycle is the length of a cycle, a time with a unit; "" for none.
	Cycle string
	// FlitBytes are the bytes of a flit. Messages are padded to multiples of PadFlits.
	FlitBytes, PadFlits int
	// Congestion is the call of a congestion control.
	Congestion string
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       Source
	Trace        string
	TraceSHA256  string
	NodesField   int
	Start        int
	Window       int
	Jobs         int
	Processes    int
	Placement    Placement
	Background   Mix
	Traffic      string
	TrafficLoad  float64
	Lengths      string
	BurstCycles  float64
	BurstShare   float64
	SelfMessages bool
	WarmupCycles int64
	WindowCycles int64
	Processors   int
	// Side is the distribution of the sides of the submeshes that synthetic jobs request, with one
	// draw for each dimension of a grid, and two draws where the machine is none. Its Mean stays 0.
	Side scheduler.SideConfig // workload.side.*
	// Interarrival is the distribution of the times between submissions of drawn jobs, Service that of
	// their run times.
	Interarrival scheduler.Distribution // workload.interarrival.*
	Service      scheduler.Distribution // workload.service.*
	SystemLoad   float64
	TargetLoad   float64
	SizeClamp    int
	SizeDivisor  int
	RoundSizes   string
	WorkMultiple float64
	LoadScale    float64
	Shake        float64
	List         []ListedJob
	Replication  int
	Spread       float64
}

// JobSpec is the section [job]: what a job does while it runs.
type JobSpec struct {
	Run             RunKind
	Pattern         Mix
	PatternBy       JobField
	Mapping         string
	Rules           []Rule
	FlopRate        float64
	Order           string
	Cut             string
	Grid            string
	Cycle           string
	Bits            string
	Bodies          string
	Flits           int
	Repeat          int
	Class           string
	Scale           float64
	Bytes           int64
	ComputeCycles   int64
	SendCycles      int64
	ReceiveCycles   int64
	RendezvousBytes int64
	Share           float64
	Iteration       float64
	AssumedSpeedup  float64
	Quota           QuotaSpec // job.quota.*
	CalibrateOn     string
	CyclesPerSecond input.Auto
}

// QuotaSpec says how many messages a job sends. One of Iterations, Benchmarks, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string
	Iterations   float64
	Benchmarks   float64
	Messages     float64
	PerSecond    input.Auto
	Processes    int
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy            string
	PollSeconds       float64
	KillAtReservation bool
	Backfill          string
	Reservation       string
	OnOverrun         Overrun
	MissingEstimate   float64
	MaxRestarts       int
	Decision          string
}

// MeasureSpec is the part of the section [runs] that says what a run measures, and what it skips.
type MeasureSpec struct {
	// CountTies counts the ties of the allocator.
	CountTies bool
	// SpanOrder names the order of processors along which spans are measured.
	SpanOrder string
	// WarmupJobs and CooldownJobs are how many of the first and last jobs submitted do not count in
	// metrics of jobs.
	WarmupJobs, CooldownJobs int
	// SizeClasses adds metrics of jobs by class of size, Locality the measures of places of leung2002
	// sec. 3, and Iterations the times of iterations.
	SizeClasses, Locality, Iterations bool
	// Alone makes runs of each job alone, on its own nodes and on a contiguous place.
	Alone bool
	// SeriesPairs are the pairs whose queue pairs series.csv shows.
	SeriesPairs []SeriesPair
	// FastForward is the half width, relative to the mean, of the interval of a job's rate of
	// progress from which on time is jumped over; 0 simulates every flit.
	FastForward float64
	// Audits is the number of first jumps that are audited.
	Audits int
}

// RunsSpec is the part of the section [runs] that belongs to a study and not to one run.
type RunsSpec struct {
	Replications     int
	Confidence       float64
	MaxRelativeError float64
	MaxReplications  int
	Threads          int
}

// generatedJobs is the default number of generated jobs.
const generatedJobs = 1000

// Count returns the number of jobs to run, 0 for all.
func (w *WorkloadSpec) Count() int {
	if w.Jobs == 0 && (w.Source == "synthetic" || w.Source == "lublin" || w.Source == "together") {
		return generatedJobs
	}
	return w.Jobs
}

// countsAsDefault reports whether Jobs is the number that 0 means.
func (w *WorkloadSpec) countsAsDefault() bool {
	generated := *w
	generated.Jobs = 0
	return w.Jobs == generated.Count()
}

// InterarrivalMean returns the mean interarrival time, from SystemLoad if that is set,
// otherwise from Interarrival.Mean. Where a load is measured (Spec.MeasuresLoad) it is in units of
// the mean time of a job alone.
func (w *WorkloadSpec) InterarrivalMean() float64 {
	if w.SystemLoad > 0 {
		return w.Service.Mean / w.SystemLoad
	}
	return w.Interarrival.Mean
}

// HasTrace reports whether jobs come from the file of workload.trace.
func (w *WorkloadSpec) HasTrace() bool { return w.Source == "swf" || w.Source == "batsim" }

// Format returns the format of the log.
func (w *WorkloadSpec) Format() scheduler.SWFFormat {
	return scheduler.SWFFormat{NodesField: w.NodesField}
}

// Kills reports whether jobs can be killed.
func (p *SchedulerSpec) Kills() bool { return p.KillAtReservation || p.OnOverrun == "kill" }
