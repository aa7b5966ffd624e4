package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
)

// Spec describes one run completely. Every field is a key of the table Keys;
// the fields' tags are what that table is made of, so they hold the
// documentation too.
type Spec struct {
	Machine   MachineSpec   `key:"machine"`
	Network   NetworkSpec   `key:"network"`
	Workload  WorkloadSpec  `key:"workload"`
	Job       JobSpec       `key:"job"`
	Scheduler SchedulerSpec `key:"scheduler"`
	Allocator AllocatorSpec `key:"allocator"`
	Seed      int64         `key:"runs.seed" default:"1" doc:"seed of every random stream of the run, with the point, the replication and the stream's name"`
}

// MachineSpec is the section [machine]: routers, how they are joined, and
// where the nodes hang.
type MachineSpec struct {
	Topology      string `key:"topology" default:"mesh" names:"topologies" doc:"how the routers are joined"`
	Dims          []int  `key:"dims" default:"[16, 16]" min:"1" unit:"routers" doc:"routers along each dimension, x first; of a hypercube the number of its dimensions alone, such as [6]"`
	Wrap          []bool `key:"wrap" default:"[]" doc:"per dimension, whether its ends are joined; empty: as the topology says"`
	Concentration int    `key:"concentration" default:"1" min:"1" max:"64" unit:"nodes" doc:"nodes that hang on a router"`
	ServiceRows   []int  `key:"service_rows" default:"[]" min:"0" doc:"coordinates along the last dimension of routers that carry no nodes" source:"leung2002 sec. 4"`
}

// NetworkSpec is the section [network]. The symbols are those of the network
// model: L, B, V, R, D, F, C.
type NetworkSpec struct {
	PacketFlits     int    `key:"packet_flits" default:"8" min:"1" max:"65535" unit:"flits" doc:"L, flits of a full packet"`
	BufferFlits     int    `key:"buffer_flits" default:"2" min:"1" max:"32767" unit:"flits" doc:"B, depth of the buffer of one virtual channel"`
	VirtualChannels int    `key:"virtual_channels" default:"0" min:"0" max:"64" doc:"V, virtual channels of a network channel; 0: 1, and 2 where dimensions wrap"`
	RoutingCycles   int    `key:"routing_cycles" default:"2" min:"0" max:"65535" unit:"cycles" doc:"R, time a header spends at the head of a buffer before it asks for a channel"`
	LinkCycles      int    `key:"link_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"D, time from sending a flit to its being at the other end"`
	FlitCycles      int    `key:"flit_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"F, time between two flits on one physical channel"`
	CreditCycles    int    `key:"credit_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"C, time from a flit leaving a buffer to the sender being able to use its slot"`
	Switching       string `key:"switching" default:"wormhole" choices:"wormhole,virtual-cut-through,store-and-forward" doc:"when a header may leave: at once, when a whole packet has room below, or when its tail has arrived"`
	InjectionPorts  int    `key:"injection_ports" default:"1" min:"1" max:"64" unit:"packets" doc:"packets a node may be injecting at once"`
	Arbiter         string `key:"arbiter" default:"fcfs" choices:"fcfs,round-robin" doc:"which of the headers that ask for a channel gets it"`
	Routing         string `key:"routing" default:"auto" names:"routings" doc:"which channels a header may take; auto: dimension-order, and dateline where dimensions wrap"`
	Engine          string `key:"engine" default:"auto" choices:"auto,cycle,worm" doc:"how flits are moved: cycle by cycle, worm by worm, or worm where that is exact (wormhole switching, one virtual channel, one injection port); the results are the same"`
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       string           `key:"source" default:"synthetic" choices:"synthetic,swf" doc:"where jobs come from: drawn from distributions, or a log in the Standard Workload Format"`
	Trace        string           `key:"trace" default:"" doc:"file of the log, plain or gzip; looked for as given, then in the folders of --traces"`
	TraceSHA256  string           `key:"trace_sha256" default:"" doc:"digest of the log; filled in by a run, and a later run refuses another log of the same name"`
	Start        int              `key:"start" default:"0" min:"0" unit:"jobs" doc:"jobs of the log to leave out at its beginning"`
	Jobs         int              `key:"jobs" default:"1000" min:"0" unit:"jobs" doc:"how many jobs to run; 0: all of the log"`
	Side         SideSpec         `key:"side"`
	Interarrival InterarrivalSpec `key:"interarrival"`
	Service      ServiceSpec      `key:"service"`
	Load         float64          `key:"load" default:"0" min:"0" oneof:"interarrival" doc:"system load: sets the mean interarrival time to the mean service time divided by it; 0: workload.interarrival.mean says" source:"lo1994 sec. 4"`
	SizeClamp    int              `key:"size_clamp" default:"0" min:"0" unit:"processors" doc:"larger jobs of a log are made this large; 0: they are an error"`
	SizeDivisor  int              `key:"size_divisor" default:"1" min:"1" doc:"sizes of a log are divided by it, rounding up" source:"bender2005 sec. 6"`
	RoundSizes   string           `key:"round_sizes" default:"none" choices:"none,down,nearest,up" doc:"round sizes of a log to a power of two"`
	WorkMultiple float64          `key:"work_multiple" default:"1" above:"0" doc:"run times of a log are multiplied by it" source:"leung2002 sec. 3"`
	LoadScale    float64          `key:"load_scale" default:"1" above:"0" doc:"interarrival times of a log are divided by it"`
}

// SideSpec says how the sides of the submeshes that synthetic jobs ask for are
// drawn, one draw a dimension.
type SideSpec struct {
	Distribution string  `key:"distribution" default:"uniform" choices:"uniform,exponential,increasing,decreasing,fixed" doc:"distribution of the sides of requested submeshes" source:"lo1994 App. A"`
	Min          int     `key:"min" default:"1" min:"1" unit:"processors" doc:"smallest side"`
	Max          int     `key:"max" default:"0" min:"0" unit:"processors" doc:"largest side; 0: the machine's"`
	Mean         float64 `key:"mean" default:"0" min:"0" unit:"processors" doc:"mean side of exponential; 0: half the machine's side"`
	Outside      string  `key:"outside" default:"clamp" choices:"clamp,redraw" doc:"what becomes of an exponential draw outside of the machine"`
	Value        int     `key:"value" default:"1" min:"1" unit:"processors" doc:"the side, where the distribution is fixed"`
	Round        string  `key:"round" default:"none" choices:"none,down,nearest,up" doc:"round each side to a power of two"`
}

// InterarrivalSpec says how the times between submissions of synthetic jobs
// are drawn.
type InterarrivalSpec struct {
	Distribution string  `key:"distribution" default:"exponential" choices:"exponential,fixed" doc:"distribution of the times between submissions" source:"lo1994 App. A"`
	Mean         float64 `key:"mean" default:"1" min:"0" oneof:"interarrival" unit:"time units" doc:"mean time between submissions; 0: all jobs at once"`
}

// ServiceSpec says how the run times of synthetic jobs are drawn.
type ServiceSpec struct {
	Distribution string  `key:"distribution" default:"exponential" choices:"exponential,fixed" doc:"distribution of run times" source:"lo1994 App. A"`
	Mean         float64 `key:"mean" default:"1" above:"0" unit:"time units" doc:"mean run time"`
}

// JobSpec is the section [job]: what a job does while it runs.
type JobSpec struct {
	Run             string    `key:"run" default:"messages" choices:"messages,fixed" doc:"until its quota of messages has arrived, or for its run time without a network"`
	Pattern         string    `key:"pattern" default:"all-to-all" names:"patterns" mix:"yes" doc:"who sends to whom; a mix with weights, such as all-to-all:2+ring:1, draws one for each job"`
	Order           string    `key:"order" default:"same" choices:"same,rotated" doc:"of all-to-all: every process sends to 0, 1, 2, ..., or process i to i+1, i+2, ..."`
	Cut             string    `key:"cut" default:"round" choices:"round,process,phase,iteration" doc:"which messages of the phase that reaches the quota are sent: every sender's first, then every sender's second, ...; those of the first senders; all; or all of the iteration"`
	Grid            string    `key:"grid" default:"square" choices:"square,shape" doc:"process grid of a pattern: the most nearly square one, or the shape the job asked for"`
	Flits           int       `key:"flits" default:"8" min:"1" max:"2147483647" unit:"flits" doc:"length of a message"`
	Repeat          int       `key:"repeat" default:"100" min:"1" max:"1000000" doc:"how often a suite does each of its patterns" source:"leung2002 sec. 4"`
	Levels          int       `key:"levels" default:"0" min:"0" max:"30" doc:"levels of a multigrid V-cycle; 0: all there are"`
	ComputeCycles   int64     `key:"compute_cycles" default:"0" min:"0" unit:"cycles" doc:"time a process computes before it sends the messages of a phase"`
	Quota           QuotaSpec `key:"quota"`
	CyclesPerSecond Auto      `key:"cycles_per_second" default:"auto" above:"0" unit:"cycles/s" doc:"network cycles in a second of the log or in a time unit; auto: 1 without a log, with one as many as make jobs run about as long as the log says"`
}

// QuotaSpec says how many messages a job sends. One of Iterations, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string  `key:"distribution" default:"exponential" choices:"exponential,fixed" doc:"distribution of a job's number of messages about its mean" source:"lo1994 App. A"`
	Iterations   float64 `key:"iterations" default:"1" min:"0" oneof:"quota" unit:"iterations" doc:"mean quota: the messages of so many iterations of the pattern for the mean-sized job"`
	Messages     float64 `key:"messages" default:"0" min:"0" oneof:"quota" unit:"messages" doc:"mean quota"`
	PerSecond    Auto    `key:"per_second" default:"0" min:"0" oneof:"quota" unit:"messages/s" doc:"quota for each second of the job's run time; auto: from job.cycles_per_second, so that a job alone runs about as long as the log says"`
	Processes    int     `key:"processes" default:"0" min:"0" unit:"processes" doc:"processes of the mean-sized job; 0: the square of the mean side, rounded as workload.side.round says"`
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy string `key:"policy" default:"fcfs" names:"schedulers" doc:"in which order waiting jobs start"`
}

// AllocatorSpec is the section [allocator]. Its short form, a string, is
// parsed by parseAllocator and printed by String.
type AllocatorSpec struct {
	Name       string `key:"name" default:"first-fit" names:"allocators" doc:"which processors a job gets"`
	Page       int    `key:"page" default:"0" min:"0" max:"12" doc:"of paging: pages are squares of side two to this power" source:"lo1994 sec. 3.2"`
	Order      string `key:"order" default:"row-major" names:"orders" doc:"order of the pages or processors"`
	Rotate     bool   `key:"rotate" default:"false" doc:"of submesh allocators: try the request turned by a quarter too"`
	LastShell  string `key:"last_shell" default:"previous" choices:"previous,l1,greedy,node-order" doc:"of mc, mc1x1 and mc1x1-tie: which processors of the last shell are taken: nearest to the center tried before, then to the one before that, and so on; nearest to the center in L1; one by one those nearest to all taken so far; or in the order of nodes"`
	ScanRadius int    `key:"scan_radius" default:"2" min:"0" max:"1000000" unit:"shells" doc:"SR of mc1x1-tie: how far beyond the last shell free processors count" source:"johnson2010 sec. II"`
	Available  int    `key:"available" default:"13" min:"0" max:"1000000" doc:"AF of mc1x1-tie: weight of free processors left nearby" source:"johnson2010 sec. II"`
	Wall       int    `key:"wall" default:"20" min:"0" max:"1000000" doc:"WF of mc1x1-tie: weight of walls bordered" source:"johnson2010 sec. II"`
	Border     int    `key:"border" default:"6" min:"0" max:"1000000" doc:"BF of mc1x1-tie: weight of other jobs bordered" source:"johnson2010 sec. II"`
	Limit      int    `key:"limit" default:"1000000" min:"1" doc:"of optimal: nodes of the search tree after which it takes the best found so far"`
	M          int    `key:"m" default:"3" min:"1" max:"32" doc:"of ptas: strips each way, at least 2" source:"bender2005 sec. 3"`
}

// RunsSpec is the part of the section [runs] that belongs to a study and not
// to any one run.
type RunsSpec struct {
	Replications     int     `key:"replications" default:"10" min:"1" max:"1000000" doc:"runs of every point, each with streams of its own"`
	Confidence       float64 `key:"confidence" default:"0.95" above:"0" below:"1" doc:"confidence of the intervals (Student's t)"`
	MaxRelativeError float64 `key:"max_relative_error" default:"0" min:"0" doc:"replications are added until the interval of every primary metric is at most this fraction of the mean on either side; 0: none are added"`
	MaxReplications  int     `key:"max_replications" default:"0" min:"0" max:"1000000" doc:"most replications of a point; 0: ten times runs.replications"`
}

// Auto is a number that may be left to the program, written "auto".
type Auto float64

// Automatic is the value of "auto".
const Automatic Auto = -1

// InterarrivalMean returns the mean interarrival time: what Load asks for, or
// Interarrival.Mean.
func (w *WorkloadSpec) InterarrivalMean() float64 {
	if w.Load > 0 {
		return w.Service.Mean / w.Load
	}
	return w.Interarrival.Mean
}

// Canonical returns the text that identifies the run: each key whose value is
// not its default on a line, in the order of Keys. Leaving defaults out keeps
// the results of old folders usable when a key is added.
func (s *Spec) Canonical() string { return s.canonical(func(string) bool { return true }) }

func (s *Spec) canonical(keep func(path string) bool) string {
	var b strings.Builder
	for _, k := range Keys() {
		if !k.Identity || !keep(k.Path) {
			continue
		}
		v := k.format(s)
		if k.Path == "workload.trace" { // the same log may lie elsewhere
			v = quoteTOML(baseName(s.Workload.Trace))
		}
		if v != k.defaultText() {
			b.WriteString(k.Path + " = " + v + "\n")
		}
	}
	return b.String()
}

// baseName is the file's name without its folders; "" stays "".
func baseName(file string) string {
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

// PointSeed returns the two words that seed the PCG of one random stream of
// one replication. The allocator and the engine are left out, so that compared
// allocators see the same jobs (common random numbers).
func (s *Spec) PointSeed(replication int, stream string) (uint64, uint64) {
	text := s.canonical(func(path string) bool {
		return path != "network.engine" && !strings.HasPrefix(path, "allocator.")
	})
	h := sha256.Sum256([]byte(text + "replication = " + strconv.Itoa(replication) + "\nstream = " + strconv.Quote(stream) + "\n"))
	return binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])
}
