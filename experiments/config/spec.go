// Package config says what one run is.
//
// A Spec is a run as a study writes it: every key with its value. The table of keys
// (table*.go) alone holds defaults, bounds, choices, presets, documentation and the
// conditions under which a key acts. A Plan is the same run decoded: it has constants in
// place of words, a built machine, and the configurations of other packages. Spec.Plan
// decodes a Spec and refuses values that do not go together.
//
// The way of a run: keys.go finds the row of a key; settings.go assigns its value (convert.go,
// parsers.go, quantities.go), a call by its entry (registry.go, lookup.go, parameter.go);
// conditions.go resets the keys that do not act; check.go refuses what contradicts; plan.go and
// decode.go make the Plan; constructors.go makes what its calls name.
//
// Packages below this one do not name keys or compare their words. If such a package
// refuses a value, its error names a Field of the Plan.
package config

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"contend/internal/input"
	"contend/netsim"
	"contend/scheduler"
)

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

// Canonical returns the text that identifies the run. It has a line for each key that
// acts in the run and differs from its default, in the order of Keys. The text leaves out
// defaults so that stored results remain valid when a key is added.
func (s *Spec) Canonical() string { return s.CanonicalOf(func(string) bool { return true }) }

// CanonicalOf returns the lines of Canonical for the keys that keep accepts.
func (s *Spec) CanonicalOf(keep func(path string) bool) string {
	return joinLines(s.canonicalLines(), keep)
}

// canonicalLine is a line of Canonical.
type canonicalLine struct{ path, text string }

// canonicalLines returns the lines of Canonical.
func (s *Spec) canonicalLines() (lines []canonicalLine) {
	keys := Keys()
	for i := range keys {
		k := &keys[i]
		if !k.Identity || k.isDefault(s) {
			continue
		}
		v := k.Format(s)
		if k.Path == "workload.trace" { // the log may move to another folder
			v = input.QuoteTOML(input.BaseName(s.Workload.Trace))
		}
		if k.namesPatterns() {
			v = withoutFolders(v)
		}
		if v != k.defaultText() && !s.standard(k.Path, v) && k.Acts(s) {
			lines = append(lines, canonicalLine{k.Path, k.Path + " = " + v + "\n"})
		}
	}
	return lines
}

// joinLines joins the lines of the keys that keep accepts.
func joinLines(lines []canonicalLine, keep func(path string) bool) string {
	var b strings.Builder
	for _, l := range lines {
		if keep(l.path) {
			b.WriteString(l.text)
		}
	}
	return b.String()
}

// standard reports whether a value equals the one that the key's default stands for.
func (s *Spec) standard(path, value string) bool {
	switch path {
	case "machine.dims":
		return value == MeshDims
	case "workload.jobs":
		generated := s.Workload
		generated.Jobs = 0
		return s.Workload.Jobs == generated.Count()
	}
	return false
}

// Hash returns the first 16 hex digits of the SHA-256 of the canonical text.
func (s *Spec) Hash() string {
	h := sha256.Sum256([]byte(s.Canonical()))
	return hex.EncodeToString(h[:8])
}
