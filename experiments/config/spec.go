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
	Failures []Failure `key:"machine.failures"`
	// Allocator is the call of an allocator, as CanonicalAllocator writes it.
	Allocator    string `key:"allocator"`
	CountTies    bool   `key:"runs.count_ties"`
	Seed         int64  `key:"runs.seed"`
	SpanOrder    string `key:"runs.span_order"`
	WarmupJobs   int    `key:"runs.warmup_jobs"`
	CooldownJobs int    `key:"runs.cooldown_jobs"`
	SizeClasses  bool   `key:"runs.size_classes"`
	Locality     bool   `key:"runs.locality"`
	Iterations   bool   `key:"runs.iterations"`
	Alone        bool   `key:"runs.alone"`
	// SeriesPairs are the pairs whose queue pairs series.csv shows.
	SeriesPairs []SeriesPair `key:"runs.series_pairs"`
	FastForward float64      `key:"runs.fast_forward"`
	Audits      int          `key:"runs.audits"`
}

// NetworkSpec is the section [network]. The symbols are those of the network
// model: L, B, V, R, D, F, C.
type NetworkSpec struct {
	Cycle                string  `key:"network.cycle"`
	PacketFlits          int     `key:"network.packet_flits"`
	BufferFlits          int     `key:"network.buffer_flits"`
	VirtualChannels      int     `key:"network.virtual_channels"`
	NodeVirtualChannels  int     `key:"network.node_virtual_channels"`
	RoutingCycles        int     `key:"network.routing_cycles"`
	VCAllocCycles        int     `key:"network.vc_alloc_cycles"`
	LinkCycles           int     `key:"network.link_cycles"`
	FlitCycles           int     `key:"network.flit_cycles"`
	CreditCycles         int     `key:"network.credit_cycles"`
	NodeLinkCycles       int     `key:"network.node_link_cycles"`
	NodeFlitCycles       int     `key:"network.node_flit_cycles"`
	NodeCreditCycles     int     `key:"network.node_credit_cycles"`
	EjectionCreditCycles int     `key:"network.ejection_credit_cycles"`
	ClassLinkCycles      []int   `key:"network.class_link_cycles"`
	ClassFlitCycles      []int   `key:"network.class_flit_cycles"`
	FlitBytes            int     `key:"network.flit_bytes"`
	PadFlits             int     `key:"network.pad_flits"`
	Switching            string  `key:"network.switching"`
	InjectionPorts       int     `key:"network.injection_ports"`
	SourceQueues         string  `key:"network.source_queues"`
	Congestion           string  `key:"network.congestion_control"`
	Rail                 string  `key:"network.rail"`
	FlowsPerPair         int     `key:"network.flows_per_pair"`
	InjectionFlitCycles  float64 `key:"network.injection_flit_cycles"`
	Arbiter              string  `key:"network.arbiter"`
	VCSelect             string  `key:"network.vc_select"`
	InputSpeedup         int     `key:"network.input_speedup"`
	SwitchAllocator      string  `key:"network.switch_allocator"`
	HeadersYield         bool    `key:"network.headers_yield"`
	AtomicVCs            bool    `key:"network.atomic_vcs"`
	HeadersSpeculate     bool    `key:"network.headers_speculate"`
	PacketsHoldLinks     bool    `key:"network.packets_hold_links"`
	Routing              string  `key:"network.routing"`
	Engine               string  `key:"network.engine"`
	ResendCycles         int64   `key:"network.resend_cycles"`
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       Source           `key:"workload.source"`
	Trace        string           `key:"workload.trace"`
	TraceSHA256  string           `key:"workload.trace_sha256"`
	NodesField   int              `key:"workload.nodes_field"`
	Start        int              `key:"workload.start"`
	Window       int              `key:"workload.window"`
	Jobs         int              `key:"workload.jobs"`
	Processes    int              `key:"workload.processes"`
	Placement    Placement        `key:"workload.placement"`
	Background   Mix              `key:"workload.background"`
	Traffic      string           `key:"workload.traffic"`
	TrafficLoad  float64          `key:"workload.traffic_load"`
	Lengths      string           `key:"workload.message_lengths"`
	BurstCycles  float64          `key:"workload.burst_cycles"`
	BurstShare   float64          `key:"workload.burst_share"`
	SelfMessages bool             `key:"workload.self_messages"`
	WarmupCycles int64            `key:"workload.warmup_cycles"`
	WindowCycles int64            `key:"workload.window_cycles"`
	Processors   int              `key:"workload.processors"`
	Side         SideSpec         // workload.side.*
	Interarrival InterarrivalSpec // workload.interarrival.*
	Service      ServiceSpec      // workload.service.*
	SystemLoad   float64          `key:"workload.system_load"`
	TargetLoad   float64          `key:"workload.target_load"`
	SizeClamp    int              `key:"workload.size_clamp"`
	SizeDivisor  int              `key:"workload.size_divisor"`
	RoundSizes   string           `key:"workload.round_sizes"`
	WorkMultiple float64          `key:"workload.work_multiple"`
	LoadScale    float64          `key:"workload.load_scale"`
	Shake        float64          `key:"workload.shake"`
	List         []ListedJob      `key:"workload.list"`
	Replication  int              `key:"workload.replication_factor"`
	Spread       float64          `key:"workload.replication_spread"`
}

// SideSpec says how synthetic jobs draw the sides of the submeshes they request, with one draw for
// each dimension of a grid, and two draws where the machine is none.
type SideSpec struct {
	Distribution string `key:"workload.side.distribution"`
	Min          int    `key:"workload.side.min"`
	Max          int    `key:"workload.side.max"`
	Outside      string `key:"workload.side.outside"`
	Value        int    `key:"workload.side.value"`
	Round        string `key:"workload.side.round"`
}

// InterarrivalSpec is the distribution of the times between submissions of synthetic
// jobs.
type InterarrivalSpec struct {
	Distribution string  `key:"workload.interarrival.distribution"`
	Mean         float64 `key:"workload.interarrival.mean"`
}

// ServiceSpec is the distribution of the run times of synthetic jobs.
type ServiceSpec struct {
	Distribution string  `key:"workload.service.distribution"`
	Mean         float64 `key:"workload.service.mean"`
}

// JobSpec is the section [job]: what a job does while it runs.
type JobSpec struct {
	Run             RunKind    `key:"job.run"`
	Pattern         Mix        `key:"job.pattern"`
	PatternBy       JobField   `key:"job.pattern_by"`
	Mapping         string     `key:"job.mapping"`
	Rules           []Rule     `key:"job.rules"`
	FlopRate        float64    `key:"job.flop_rate"`
	Order           string     `key:"job.order"`
	Cut             string     `key:"job.cut"`
	Grid            string     `key:"job.grid"`
	Cycle           string     `key:"job.cycle"`
	Bits            string     `key:"job.bits"`
	Bodies          string     `key:"job.bodies"`
	Flits           int        `key:"job.flits"`
	Repeat          int        `key:"job.repeat"`
	Class           string     `key:"job.class"`
	Scale           float64    `key:"job.scale"`
	Bytes           int64      `key:"job.bytes"`
	ComputeCycles   int64      `key:"job.compute_cycles"`
	SendCycles      int64      `key:"job.send_cycles"`
	ReceiveCycles   int64      `key:"job.receive_cycles"`
	RendezvousBytes int64      `key:"job.rendezvous_bytes"`
	Share           float64    `key:"job.communication_share"`
	Iteration       float64    `key:"job.iteration"`
	AssumedSpeedup  float64    `key:"job.assumed_speedup"`
	Quota           QuotaSpec  // job.quota.*
	CalibrateOn     string     `key:"job.calibrate_on"`
	CyclesPerSecond input.Auto `key:"job.cycles_per_second"`
}

// QuotaSpec says how many messages a job sends. One of Iterations, Benchmarks, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string     `key:"job.quota.distribution"`
	Iterations   float64    `key:"job.quota.iterations"`
	Benchmarks   float64    `key:"job.quota.benchmarks"`
	Messages     float64    `key:"job.quota.messages"`
	PerSecond    input.Auto `key:"job.quota.per_second"`
	Processes    int        `key:"job.quota.processes"`
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy            string  `key:"scheduler.policy"`
	PollSeconds       float64 `key:"scheduler.poll_seconds"`
	KillAtReservation bool    `key:"scheduler.kill_at_reservation"`
	Backfill          string  `key:"scheduler.backfill"`
	Reservation       string  `key:"scheduler.reservation"`
	OnOverrun         Overrun `key:"scheduler.on_overrun"`
	MissingEstimate   float64 `key:"scheduler.missing_estimate"`
	MaxRestarts       int     `key:"scheduler.max_restarts"`
	Decision          string  `key:"scheduler.decision"`
}

// RunsSpec is the part of the section [runs] that belongs to a study and not to one run.
type RunsSpec struct {
	Replications     int     `key:"runs.replications"`
	Confidence       float64 `key:"runs.confidence"`
	MaxRelativeError float64 `key:"runs.max_relative_error"`
	MaxReplications  int     `key:"runs.max_replications"`
	Threads          int     `key:"runs.threads"`
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
