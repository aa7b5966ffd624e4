package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
)

// Spec describes one run completely, as a study writes it. Every field has a row in the
// table of keys (table*.go) with its bounds, default and documentation. A Plan is the
// decoded form that a run uses. Comments of fields name the key and its unit.
type Spec struct {
	Machine   MachineSpec   // section [machine]
	Network   NetworkSpec   // section [network]
	Workload  WorkloadSpec  // section [workload]
	Job       JobSpec       // section [job]
	Scheduler SchedulerSpec // section [scheduler]
	Allocator AllocatorSpec // section [allocator]
	// Registry holds what the sections name and the program does not have built in;
	// nil for nothing.
	Registry *Registry
	// Quantities are the keys that were given with a unit; Resolve has set them.
	Quantities []Given
	CountTies  bool   // runs.count_ties
	Seed       int64  // runs.seed
	Measures   string // runs.measures
	// WarmupJobs and CooldownJobs are runs.warmup_jobs and runs.cooldown_jobs, jobs.
	WarmupJobs, CooldownJobs int
	SizeClasses              bool // runs.size_classes
	// SettleRates is network.settle, a share of a rate.
	SettleRates float64
	CheckJumps  int // runs.check_jumps
}

// MachineSpec is the section [machine]: the routers, the channels between them, and the
// nodes.
type MachineSpec struct {
	Topology      string   // machine.topology
	Dims          []int    // machine.dims, routers per dimension
	Arity         int      // machine.arity
	Levels        int      // machine.levels
	Nodes         int      // machine.nodes, nodes
	UpPorts       []int    // machine.up_ports
	Wrap          []bool   // machine.wrap
	Concentration int      // machine.concentration, nodes
	ServiceRows   []int    // machine.service_rows
	GroupRouters  int      // machine.group_routers
	GlobalLinks   int      // machine.global_links
	Groups        int      // machine.groups
	Arrangement   string   // machine.arrangement
	Width         []int    // machine.width, links
	Children      []int    // machine.children
	Parents       []int    // machine.parents, routers
	Bundle        []int    // machine.bundle, links
	Rails         int      // machine.rails
	Graph         []string // machine.graph, a line a router
}

// NetworkSpec is the section [network]. The symbols are those of the network
// model: L, B, V, R, D, F, C.
type NetworkSpec struct {
	Cycle               string  // network.cycle, a time with a unit
	PacketFlits         int     // network.packet_flits, flits
	BufferFlits         int     // network.buffer_flits, flits
	VirtualChannels     int     // network.virtual_channels
	NodeVirtualChannels int     // network.node_virtual_channels
	RoutingCycles       int     // network.routing_cycles, cycles
	LinkCycles          int     // network.link_cycles, cycles
	FlitCycles          int     // network.flit_cycles, cycles
	CreditCycles        int     // network.credit_cycles, cycles
	NodeLinkCycles      int     // network.node_link_cycles, cycles
	NodeFlitCycles      int     // network.node_flit_cycles, cycles
	NodeCreditCycles    int     // network.node_credit_cycles, cycles
	ClassLinkCycles     []int   // network.class_link_cycles, cycles
	ClassFlitCycles     []int   // network.class_flit_cycles, cycles
	FlitBytes           int     // network.flit_bytes, bytes
	PadFlits            int     // network.pad_flits, flits
	Switching           string  // network.switching
	InjectionPorts      int     // network.injection_ports, packets
	Rail                string  // network.rail
	InjectionFlitCycles float64 // network.injection_flit_cycles, cycles
	Arbiter             string  // network.arbiter
	VCSelect            string  // network.vc_select
	InputSpeedup        int     // network.input_speedup, flits
	HeadersYield        bool    // network.headers_yield
	Routing             string  // network.routing
	Engine              string  // network.engine
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       string           // workload.source
	Trace        string           // workload.trace
	TraceSHA256  string           // workload.trace_sha256
	Start        int              // workload.start, jobs
	Window       int              // workload.window, jobs
	Jobs         int              // workload.jobs, jobs
	Processes    int              // workload.processes, processes
	Placement    string           // workload.placement
	Background   string           // workload.background
	Traffic      string           // workload.traffic
	TrafficLoad  float64          // workload.traffic_load, flits/node/cycle
	Lengths      string           // workload.message_lengths
	BurstCycles  float64          // workload.burst_cycles, cycles
	BurstShare   float64          // workload.burst_share
	SelfMessages bool             // workload.self_messages
	WarmupCycles int64            // workload.warmup_cycles, cycles
	WindowCycles int64            // workload.window_cycles, cycles
	Lublin       string           // workload.lublin
	Processors   int              // workload.processors, processors
	Side         SideSpec         // workload.side.*
	Interarrival InterarrivalSpec // workload.interarrival.*
	Service      ServiceSpec      // workload.service.*
	SystemLoad   float64          // workload.system_load
	TargetLoad   float64          // workload.target_load
	SizeClamp    int              // workload.size_clamp, processors
	SizeDivisor  int              // workload.size_divisor
	RoundSizes   string           // workload.round_sizes
	WorkMultiple float64          // workload.work_multiple
	LoadScale    float64          // workload.load_scale
	Shake        float64          // workload.shake, s
	Replication  int              // workload.replication_factor
	Spread       float64          // workload.replication_spread, s
}

// SideSpec says how synthetic jobs draw the sides of the submeshes they request, with
// one draw for each dimension.
type SideSpec struct {
	Distribution string  // workload.side.distribution
	Min          int     // workload.side.min, processors
	Max          int     // workload.side.max, processors
	Mean         float64 // workload.side.mean, processors
	Outside      string  // workload.side.outside
	Value        int     // workload.side.value, processors
	Round        string  // workload.side.round
}

// InterarrivalSpec is the distribution of the times between submissions of synthetic
// jobs.
type InterarrivalSpec struct {
	Distribution string  // workload.interarrival.distribution
	Mean         float64 // workload.interarrival.mean, time units
}

// ServiceSpec is the distribution of the run times of synthetic jobs.
type ServiceSpec struct {
	Distribution string  // workload.service.distribution
	Mean         float64 // workload.service.mean, time units
}

// JobSpec is the section [job]: what a job does while it runs.
type JobSpec struct {
	Run             string    // job.run
	Pattern         string    // job.pattern
	PatternBy       string    // job.pattern_by
	Rules           []string  // job.rules
	FlopRate        float64   // job.flop_rate, operations/s
	Order           string    // job.order
	Cut             string    // job.cut
	Grid            string    // job.grid
	Cycle           string    // job.cycle
	Bits            string    // job.bits
	Bodies          string    // job.bodies
	Flits           int       // job.flits, flits
	Repeat          int       // job.repeat
	Class           string    // job.class
	Scale           float64   // job.scale
	Bytes           int64     // job.bytes, bytes
	Levels          int       // job.levels
	ComputeCycles   int64     // job.compute_cycles, cycles
	SendCycles      int64     // job.send_cycles, cycles
	ReceiveCycles   int64     // job.receive_cycles, cycles
	Share           float64   // job.communication_share
	Iteration       float64   // job.iteration, s
	AssumedSpeedup  float64   // job.assumed_speedup, %
	Quota           QuotaSpec // job.quota.*
	CalibrateOn     string    // job.calibrate_on
	CyclesPerSecond Auto      // job.cycles_per_second, cycles/s
}

// QuotaSpec says how many messages a job sends. One of Iterations, Benchmarks, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string  // job.quota.distribution
	Iterations   float64 // job.quota.iterations, iterations
	Benchmarks   float64 // job.quota.benchmarks, benchmarks
	Messages     float64 // job.quota.messages, messages
	PerSecond    Auto    // job.quota.per_second, messages/s
	Processes    int     // job.quota.processes, processes
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy            string  // scheduler.policy
	PollSeconds       float64 // scheduler.poll_seconds, s
	KillAtReservation bool    // scheduler.kill_at_reservation
	Backfill          string  // scheduler.backfill
	Reservation       string  // scheduler.reservation
	OnOverrun         string  // scheduler.on_overrun
	MissingEstimate   string  // scheduler.missing_estimate
	EstimateFactor    float64 // scheduler.estimate_factor
	Decision          string  // scheduler.decision
}

// AllocatorSpec is the section [allocator]. ParseAllocator reads its short form, a
// string, and String writes it.
type AllocatorSpec struct {
	Name       string // allocator.name
	Page       int    // allocator.page
	Order      string // allocator.order
	Span       string // allocator.span
	Percent    int    // allocator.qct, %
	Rotate     bool   // allocator.rotate
	LastShell  string // allocator.last_shell
	ScanRadius int    // allocator.scan_radius, shells
	Available  int    // allocator.available
	Wall       int    // allocator.wall
	Border     int    // allocator.border
	Corners    string // allocator.corners
	Score      string // allocator.score
	Start      string // allocator.start
	Limit      int    // allocator.limit
	M          int    // allocator.m
}

// RunsSpec is the part of the section [runs] that belongs to a study and not to one run.
type RunsSpec struct {
	Replications     int     // runs.replications
	Confidence       float64 // runs.confidence
	MaxRelativeError float64 // runs.max_relative_error
	MaxReplications  int     // runs.max_replications
}

// Auto is a number, or "auto", which leaves the number to the program.
type Auto float64

// Automatic is the value of "auto".
const Automatic Auto = -1

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
// otherwise from Interarrival.Mean.
func (w *WorkloadSpec) InterarrivalMean() float64 {
	if w.SystemLoad > 0 {
		return w.Service.Mean / w.SystemLoad
	}
	return w.Interarrival.Mean
}

// Canonical returns the text that identifies the run. It has a line for each key that
// acts in the run and differs from its default, in the order of Keys. The text leaves out
// defaults so that stored results remain valid when a key is added.
func (s *Spec) Canonical() string { return s.CanonicalOf(func(string) bool { return true }) }

// CanonicalOf returns the lines of Canonical for the keys that keep accepts.
func (s *Spec) CanonicalOf(keep func(path string) bool) string {
	var b strings.Builder
	s.eachLine(keep, func(path, value string) {
		b.WriteString(path)
		b.WriteString(" = ")
		b.WriteString(value)
		b.WriteByte('\n')
	})
	return b.String()
}

// canonicalLine is a line of Canonical.
type canonicalLine struct{ path, text string }

// canonicalLines returns the lines of Canonical.
func (s *Spec) canonicalLines() []canonicalLine {
	var lines []canonicalLine
	s.eachLine(func(string) bool { return true }, func(path, value string) {
		lines = append(lines, canonicalLine{path, path + " = " + value + "\n"})
	})
	return lines
}

// eachLine calls f for the lines of Canonical of the keys that keep accepts.
func (s *Spec) eachLine(keep func(path string) bool, f func(path, value string)) {
	keys := Keys()
	for i := range keys {
		k := &keys[i]
		if !k.Identity || k.isDefault(s) || !keep(k.Path) {
			continue
		}
		v := k.Format(s)
		if k.Path == "workload.trace" { // the log may move to another folder
			v = QuoteTOML(BaseName(s.Workload.Trace))
		}
		if v != k.defaultText() && !s.standard(k.Path, v) && k.Acts(s) {
			f(k.Path, v)
		}
	}
}

// joinLines joins the lines of the keys that keep accepts.
func joinLines(lines []canonicalLine, keep func(path string) bool) string {
	var b strings.Builder
	for i := range lines {
		if keep(lines[i].path) {
			b.WriteString(lines[i].text)
		}
	}
	return b.String()
}

// standard tells whether a value equals the one that the key's default stands for.
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

// LogName returns the name of a log without its folders, ".gz" and ".swf".
func LogName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(BaseName(file), ".gz"), ".swf")
}

// BaseName returns the name of a file without its folders; "" stays "".
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
