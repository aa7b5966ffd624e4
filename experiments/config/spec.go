package config

import (
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
	"contend/scheduler"
)

// Settings holds the values of all keys of a study: the keys of one run, and the keys that belong
// to the study itself.
type Settings struct {
	Spec Spec     // the keys of one run
	Runs RunsSpec // the keys of the study's runs
}

// Spec describes one run completely, as a study writes it. Every field, also those of the sections,
// is set by a key: a row in the table of keys (table*.go) with its unit, bounds, default and
// documentation. A Plan is the decoded form that a run uses.
type Spec struct {
	Machine   MachineSpec   // section [machine]
	Network   NetworkSpec   // section [network]
	Workload  WorkloadSpec  // section [workload]
	Job       JobSpec       // section [job]
	Scheduler SchedulerSpec // section [scheduler]
	// Registry holds the topologies, allocators and other entries that the sections may name
	// besides the built-in entries; nil for none.
	Registry *Registry
	// Given holds the values that have units, by key, as the study gave them. Their numbers depend
	// on other keys, so Resolve computes the numbers and sets the fields.
	Given map[string]GivenValue
	// Failures are the failures of nodes, routers and links. Machine does not contain them, because
	// jobs are calibrated on a machine without failures.
	Failures []Failure
	// Allocator is the call of an allocator in the form of CanonicalAllocator.
	Allocator string
	Seed      int64
	MeasureSpec
}

// Keys that are times, sizes or rates take a plain number in model units or a quantity with a unit.
// The cycles and flits of a quantity depend on network.cycle and network.flit_bytes, which an axis,
// a variant or an override may set later. So Assign stores the quantity, and Resolve turns it into
// a number once a point is complete. A run has numbers alone: its hash is the same for units and
// for numbers.
//
// Parameters of the calls in [network] take quantities too, and their defaults may be quantities.
// Assign keeps the call as it was given, and Resolve writes each of these parameters as a number.
// If network.cycle is unset, a default that is a quantity has a fixed number, and the call leaves
// it out like any other default.

// GivenValue is the value of a key with its units, as the study gave it: quantities or a call.
type GivenValue struct {
	quantities []quantity.Quantity // the number, or each entry of the list
	call       string              // the call in canonical form; "" for quantities
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
	// Cycle is the length of a cycle, a time with a unit; "" if cycles have no length.
	Cycle string
	// FlitBytes is the number of bytes of a flit. A message with a size in bytes is padded to a
	// multiple of PadFlits flits.
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
	Windows      int
	WarmStart    bool
	Snapshots    bool
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
	// Size is the call of a distribution of sizes, or a list of sizes with weights; "" for jobs that
	// draw sides.
	Size string
	// Side is the distribution of the sides of the submeshes that synthetic jobs request. A job
	// draws one side for each dimension of a grid, and two sides on other machines. Side.Mean stays
	// 0: no key sets it.
	Side scheduler.SideConfig // workload.side.*
	// Interarrival is the distribution of the times between submissions of drawn jobs, and Service
	// the distribution of their run times.
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

// QuotaSpec says how many messages a job sends. One of Iterations, Benchmarks, MeanIterations,
// Messages and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution   string
	Iterations     float64 // of the pattern of each job at its own size
	Benchmarks     float64
	MeanIterations float64 // of the mean-sized job, whose messages are the mean of all jobs
	Messages       float64
	PerSecond      input.Auto
	Processes      int // of the mean-sized job
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

// MeasureSpec is the part of the section [runs] about the measurements of a run and about the time
// that it jumps over.
type MeasureSpec struct {
	// CountTies counts the decisions in which several sets of processors have the best score of the
	// allocator.
	CountTies bool
	// SpanOrder names the order of processors along which spans are measured.
	SpanOrder string
	// WarmupJobs and CooldownJobs are the numbers of first and last submitted jobs that metrics of
	// jobs leave out.
	WarmupJobs, CooldownJobs int
	// SizeClasses adds metrics of jobs for each class of sizes, Locality adds the measures of
	// leung2002 sec. 3 for the places of jobs, and Iterations adds the durations of iterations.
	SizeClasses, Locality, Iterations bool
	// Alone runs each job again with the machine to itself: on its own nodes, there with its
	// processes in the order of node numbers, and on a contiguous place of the same size.
	Alone bool
	// OneCycleApart runs the jobs again, every second one of which arrives one cycle later.
	OneCycleApart bool
	// SeriesPairs are the pairs of source and destination whose rates and queues series.csv shows
	// over time.
	SeriesPairs []SeriesPair
	// FastForward is the tolerance of jumps over time: the maximum half width of the 95% interval
	// of a job's service time, relative to its mean. The value 0 simulates every flit.
	FastForward float64
	// Audits is the number of jumps at the start of a run that are audited. Of the later ones about
	// one in twenty is, and fewer of more than a thousand.
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

// Count returns the number of jobs to run. The value 0 means all jobs of the source.
func (w *WorkloadSpec) Count() int {
	if w.Jobs == 0 && (w.Source == "synthetic" || w.Source == "lublin" || w.Source == "together") {
		return generatedJobs
	}
	return w.Jobs
}

// countsAsDefault reports whether Jobs equals the number of jobs that Count returns for Jobs = 0.
func (w *WorkloadSpec) countsAsDefault() bool {
	generated := *w
	generated.Jobs = 0
	return w.Jobs == generated.Count()
}

// InterarrivalMean returns the mean time between submissions: Service.Mean / SystemLoad if
// SystemLoad is set, otherwise Interarrival.Mean. If a load is measured (Spec.MeasuresLoad), the
// unit is the mean service time of a job alone, or, of a TargetLoad, its mean share of the machine.
func (w *WorkloadSpec) InterarrivalMean() float64 {
	switch {
	case w.SystemLoad > 0:
		return w.Service.Mean / w.SystemLoad
	case w.TargetLoad > 0 && w.Source == "synthetic":
		return w.Service.Mean / w.TargetLoad
	}
	return w.Interarrival.Mean
}

// HasTrace reports whether jobs come from the file of workload.trace.
func (w *WorkloadSpec) HasTrace() bool { return w.Source == "swf" || w.Source == "batsim" }

// Format returns the variant of the Standard Workload Format in which the log is read.
func (w *WorkloadSpec) Format() scheduler.SWFFormat {
	return scheduler.SWFFormat{NodesField: w.NodesField}
}

// Kills reports whether jobs can be killed.
func (p *SchedulerSpec) Kills() bool { return p.KillAtReservation || p.OnOverrun == "kill" }
