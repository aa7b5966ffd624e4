package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Spec describes one run completely, as it is written. Every field has a row in
// the table of keys (table*.go), which holds its bounds, default and documentation.
// What a run needs of it is its Plan.
type Spec struct {
	Machine   MachineSpec
	Network   NetworkSpec
	Workload  WorkloadSpec
	Job       JobSpec
	Scheduler SchedulerSpec
	Allocator AllocatorSpec
	// Registry holds what the names above call and the program does not have
	// built in; nil where there is nothing.
	Registry  *Registry
	CountTies bool
	Seed      int64
	Measures  string
}

// MachineSpec is the section [machine]: routers, how they are joined, and
// where the nodes hang.
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
}

// NetworkSpec is the section [network]. The symbols are those of the network
// model: L, B, V, R, D, F, C.
type NetworkSpec struct {
	PacketFlits         int
	BufferFlits         int
	VirtualChannels     int
	NodeVirtualChannels int
	RoutingCycles       int
	LinkCycles          int
	FlitCycles          int
	CreditCycles        int
	FlitBytes           int
	PadFlits            int
	Switching           string
	InjectionPorts      int
	InjectionFlitCycles float64
	Arbiter             string
	VCSelect            string
	InputSpeedup        int
	HeadersYield        bool
	Routing             string
	Engine              string
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       string
	Trace        string
	TraceSHA256  string
	Start        int
	Window       int
	Jobs         int
	Processes    int
	Placement    string
	Background   string
	Traffic      string
	TrafficLoad  float64
	SelfMessages bool
	WarmupCycles int64
	WindowCycles int64
	Lublin       string
	Processors   int
	Side         SideSpec
	Interarrival InterarrivalSpec
	Service      ServiceSpec
	SystemLoad   float64
	TargetLoad   float64
	SizeClamp    int
	SizeDivisor  int
	RoundSizes   string
	WorkMultiple float64
	LoadScale    float64
	Shake        float64
	Replication  int
	Spread       float64
}

// SideSpec says how the sides of the submeshes that synthetic jobs ask for are
// drawn, one draw a dimension.
type SideSpec struct {
	Distribution string
	Min          int
	Max          int
	Mean         float64
	Outside      string
	Value        int
	Round        string
}

// InterarrivalSpec says how the times between submissions of synthetic jobs
// are drawn.
type InterarrivalSpec struct {
	Distribution string
	Mean         float64
}

// ServiceSpec says how the run times of synthetic jobs are drawn.
type ServiceSpec struct {
	Distribution string
	Mean         float64
}

// JobSpec is the section [job]: what a job does while it runs.
type JobSpec struct {
	Run             string
	Pattern         string
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
	Levels          int
	ComputeCycles   int64
	SendCycles      int64
	ReceiveCycles   int64
	Share           float64
	AssumedSpeedup  float64
	Quota           QuotaSpec
	CalibrateOn     string
	CyclesPerSecond Auto
}

// QuotaSpec says how many messages a job sends. One of Iterations, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string
	Iterations   float64
	Messages     float64
	PerSecond    Auto
	Processes    int
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy            string
	PollSeconds       float64
	KillAtReservation bool
	Backfill          string
	Reservation       string
	OnOverrun         string
	MissingEstimate   string
	EstimateFactor    float64
	Decision          string
}

// AllocatorSpec is the section [allocator]. Its short form, a string, is
// parsed by parseAllocator and printed by String.
type AllocatorSpec struct {
	Name       string
	Page       int
	Order      string
	Span       string
	Percent    int
	Rotate     bool
	LastShell  string
	ScanRadius int
	Available  int
	Wall       int
	Border     int
	Corners    string
	Score      string
	Start      string
	Limit      int
	M          int
}

// RunsSpec is the part of the section [runs] that belongs to a study and not
// to any one run.
type RunsSpec struct {
	Replications     int
	Confidence       float64
	MaxRelativeError float64
	MaxReplications  int
}

// Auto is a number that may be left to the program, written "auto".
type Auto float64

// Automatic is the value of "auto".
const Automatic Auto = -1

// generatedJobs is how many jobs are generated where nobody says how many.
const generatedJobs = 1000

// Count returns how many jobs to run; 0: all there are.
func (w *WorkloadSpec) Count() int {
	if w.Jobs == 0 && (w.Source == "synthetic" || w.Source == "lublin" || w.Source == "together") {
		return generatedJobs
	}
	return w.Jobs
}

// InterarrivalMean returns the mean interarrival time: what SystemLoad asks
// for, or Interarrival.Mean.
func (w *WorkloadSpec) InterarrivalMean() float64 {
	if w.SystemLoad > 0 {
		return w.Service.Mean / w.SystemLoad
	}
	return w.Interarrival.Mean
}

// Canonical returns the text that identifies the run: each key that acts in it
// and whose value is not its default on a line, in the order of Keys. Leaving
// defaults out keeps the results of old folders usable when a key is added.
func (s *Spec) Canonical() string { return s.CanonicalOf(func(string) bool { return true }) }

func (s *Spec) CanonicalOf(keep func(path string) bool) string {
	var b strings.Builder
	for _, k := range Keys() {
		if !k.Identity || !keep(k.Path) {
			continue
		}
		v := k.Format(s)
		if k.Path == "workload.trace" { // the same log may lie elsewhere
			v = QuoteTOML(BaseName(s.Workload.Trace))
		}
		if v != k.defaultText() && !s.standard(k.Path, v) && k.Acts(s) {
			b.WriteString(k.Path + " = " + v + "\n")
		}
	}
	return b.String()
}

// standard tells whether a value is what its key's default stands for.
func (s *Spec) standard(path, value string) bool {
	switch path {
	case "machine.dims":
		return value == meshDims
	case "workload.jobs":
		generated := s.Workload
		generated.Jobs = 0
		return s.Workload.Jobs == generated.Count()
	}
	return false
}

// LogName is the name of a log without its folders, ".gz" and ".swf".
func LogName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(BaseName(file), ".gz"), ".swf")
}

// BaseName is the file's name without its folders; "" stays "".
func BaseName(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Base(file)
}

// Hash returns the first 16 hex digits of the SHA-256 of the canonical text.
func (s *Spec) Hash() string {
	h := sha256.Sum256([]byte(s.Canonical()))
	return hex.EncodeToString(h[:8])
}
