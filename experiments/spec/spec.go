package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
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
	CountTies bool          `key:"runs.count_ties" default:"false" doc:"count the decisions in which several different sets of processors had the best score, which takes time: metrics decisions_tied, ties_percent and ties_mean, of mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc" source:"johnson2010 Fig. 4"`
	Seed      int64         `key:"runs.seed" default:"1" doc:"seed of every random stream of the run, with the point, the replication and the stream's name"`
	Measures  string        `key:"runs.measures" default:"mean" choices:"mean,all" doc:"of how compact allocations are: means over jobs, or also means weighted by run times and maxima, as NAME_weighted and NAME_max" source:"leung2002 sec. 3"`
}

// MachineSpec is the section [machine]: routers, how they are joined, and
// where the nodes hang.
type MachineSpec struct {
	Topology      string `key:"topology" default:"mesh" names:"topologies" doc:"how the routers are joined"`
	Dims          []int  `key:"dims" default:"[]" min:"1" unit:"routers" doc:"routers along each dimension, x first; of a hypercube the number of its dimensions alone, such as [6]. Empty: with a log as nearly square as its machine allows (MaxProcs of its header, else MaxNodes, else the largest job), else [16, 16], of a hypercube [8]"`
	Arity         int    `key:"arity" default:"4" min:"2" doc:"of a tree: ports down of a router, k of a k-ary n-tree" source:"pascual2009 sec. 3"`
	Levels        int    `key:"levels" default:"4" min:"1" max:"24" doc:"of a tree: levels of routers, n of a k-ary n-tree"`
	Nodes         int    `key:"nodes" default:"0" min:"0" unit:"nodes" doc:"of a tree: how many nodes are there, the first ones; 0: all k^n" source:"pascual2009 sec. 4"`
	UpPorts       []int  `key:"up_ports" default:"[]" min:"1" doc:"of a tree: ports up of a router, one number for all levels, such as [2], or one for each but the top, from the bottom; empty: as many as down"`
	Wrap          []bool `key:"wrap" default:"[]" doc:"per dimension, whether its ends are joined; empty: as the topology says"`
	Concentration int    `key:"concentration" default:"1" min:"1" max:"64" unit:"nodes" doc:"nodes that hang on a router"`
	ServiceRows   []int  `key:"service_rows" default:"[]" min:"0" doc:"coordinates along the last dimension of routers that carry no nodes" source:"leung2002 sec. 4"`
}

// NetworkSpec is the section [network]. The symbols are those of the network
// model: L, B, V, R, D, F, C.
type NetworkSpec struct {
	PacketFlits         int     `key:"packet_flits" default:"8" min:"1" max:"65535" unit:"flits" doc:"L, flits of a full packet"`
	BufferFlits         int     `key:"buffer_flits" default:"2" min:"1" max:"32767" unit:"flits" doc:"B, depth of the buffer of one virtual channel"`
	VirtualChannels     int     `key:"virtual_channels" default:"0" min:"0" max:"64" doc:"V, virtual channels of a network channel; 0: 1, and 2 where dimensions wrap"`
	NodeVirtualChannels int     `key:"node_virtual_channels" default:"1" min:"0" max:"64" doc:"virtual channels of the channels from and to nodes, at most network.virtual_channels; 0: as many. With one a packet that enters or leaves a node holds up those behind it"`
	RoutingCycles       int     `key:"routing_cycles" default:"2" min:"0" max:"65535" unit:"cycles" doc:"R, time a header spends at the head of a buffer before it asks for a channel"`
	LinkCycles          int     `key:"link_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"D, time from sending a flit to its being at the other end"`
	FlitCycles          int     `key:"flit_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"F, time between two flits on one physical channel"`
	CreditCycles        int     `key:"credit_cycles" default:"1" min:"1" max:"65535" unit:"cycles" doc:"C, time from a flit leaving a buffer to the sender being able to use its slot"`
	FlitBytes           int     `key:"flit_bytes" default:"8" min:"1" max:"65535" unit:"bytes" doc:"bytes a flit carries, for patterns whose messages have sizes in bytes: a message of b bytes is b divided by it flits, rounded up"`
	PadFlits            int     `key:"pad_flits" default:"1" min:"1" max:"65535" unit:"flits" doc:"such a message is padded to a multiple of so many flits; a multiple of network.buffer_flits that divides network.packet_flits lets the fastest engine be exact"`
	Switching           string  `key:"switching" default:"wormhole" choices:"wormhole,virtual-cut-through,store-and-forward" doc:"when a header may leave: at once, when a whole packet has room below, or when its tail has arrived"`
	InjectionPorts      int     `key:"injection_ports" default:"1" min:"1" max:"64" unit:"packets" doc:"packets a node may be injecting at once"`
	InjectionFlitCycles float64 `key:"injection_flit_cycles" default:"0" min:"0" max:"65536" unit:"cycles" doc:"G, time a flit takes at the rate of a node slower than its link: having begun a packet of L flits it begins no other for L times as long; the packet itself travels at the rate of links. 0: as fast as the link"`
	Arbiter             string  `key:"arbiter" default:"fcfs" choices:"fcfs,round-robin" doc:"which of the headers that ask for a channel gets it"`
	VCSelect            string  `key:"vc_select" default:"most-credits" choices:"most-credits,round-robin,first,random" doc:"which of several free virtual channels of a link a header takes: the one with most free slots below, ties in turn; the next in turn; the first routing lists; or one drawn. Without effect where network.virtual_channels is 1, or 2 with dateline routing and every dimension wraps"`
	InputSpeedup        int     `key:"input_speedup" default:"1" min:"0" max:"64" unit:"flits" doc:"S, flits an input port of a router sends every network.flit_cycles at most, over all its virtual channels; 0: one from each, a crossbar without limit. A port of one virtual channel, such as nodes' are unless network.node_virtual_channels says otherwise, is not limited"`
	HeadersYield        bool    `key:"headers_yield" default:"false" doc:"an input port of a router passes over a header while another of its virtual channels has a flit that is no header for the same output, as routers do that ask for the switch speculatively (Peh and Dally, HPCA 2001): packets from one port to one output follow each other in place of taking turns"`
	Routing             string  `key:"routing" default:"auto" names:"routings" doc:"which channels a header may take; auto: dimension-order, dateline where dimensions wrap, d-mod-k on a tree"`
	Engine              string  `key:"engine" default:"auto" choices:"auto,cycle,worm" doc:"how flits are moved: cycle by cycle, worm by worm, or worm where that is exact (wormhole switching, one virtual channel, one injection port); the results are the same"`
}

// WorkloadSpec is the section [workload]: which jobs arrive when, how large
// they are and how long they run.
type WorkloadSpec struct {
	Source       string           `key:"source" default:"synthetic" choices:"synthetic,swf,lublin,cplant-stream,together,traffic" doc:"where jobs come from: drawn from distributions, a log in the Standard Workload Format, Lublin and Feitelson's model of logs (JPDC 2003), the 188 test jobs of leung2002 sec. 4, or jobs of one size that start at once where workload.placement says; traffic: there are none, nodes create messages of job.flits as workload.traffic and workload.traffic_load say, whatever becomes of them"`
	Trace        string           `key:"trace" default:"" doc:"file of the log, plain or gzip; looked for as given, then in the folders of --traces, with or without .swf and .gz; where it is not, the newest other version of the log (NAME-YEAR-VERSION) is taken"`
	TraceSHA256  string           `key:"trace_sha256" default:"" doc:"digest of the log; filled in by a run, and a later run refuses another log of the same name"`
	Start        int              `key:"start" default:"0" min:"0" max:"100000000" unit:"jobs" doc:"jobs of the log to leave out at its beginning"`
	Window       int              `key:"window" default:"0" min:"0" unit:"jobs" doc:"replication r leaves out r times so many jobs more: replications are windows of the log, in place of other draws; 0: they are not"`
	Jobs         int              `key:"jobs" default:"0" min:"0" max:"100000000" unit:"jobs" doc:"how many jobs to run; 0: all of a log, 1000 of generated ones; of together: how many at most, if the machine has room for more"`
	Processes    int              `key:"processes" default:"16" min:"2" unit:"processes" doc:"of together: size of each job"`
	Placement    string           `key:"placement" default:"contiguous" doc:"of together: contiguous, each job in a subtree of its level or a submesh; away:T, T processes of each, drawn, change places with those of neighbouring jobs; dealt, nodes dealt out in turn; scattered, the same, each round shuffled; random" source:"pascual2009 sec. 5"`
	Background   string           `key:"background" default:"same" doc:"of together: same, all jobs do the same; idle, one has the machine to itself; or the pattern of all jobs but the first, which do it until that is done"`
	Traffic      string           `key:"traffic" default:"uniform" choices:"uniform,transpose,bit-complement,neighbour,tornado,hotspot" doc:"of traffic: where nodes send" source:"Dally and Towles 2004, sec. 3.2"`
	TrafficLoad  float64          `key:"traffic_load" default:"0.1" above:"0" max:"1" unit:"flits/node/cycle" doc:"of traffic: what a node creates on average; a message begins in each cycle with the same probability"`
	SelfMessages bool             `key:"self_messages" default:"false" doc:"of traffic: nodes send to themselves too, through their routers, where the pattern has them do so, as in BookSim 2; false: such nodes are silent, and uniform traffic goes to others"`
	WarmupCycles int64            `key:"warmup_cycles" default:"0" min:"0" max:"1000000000" unit:"cycles" doc:"of traffic: not measured; 0: 5000, and 10 messages of each node on average"`
	WindowCycles int64            `key:"window_cycles" default:"0" min:"0" max:"1000000000" unit:"cycles" doc:"of traffic: messages created in it count; 0: 10000, and 40 messages of each node on average"`
	Lublin       string           `key:"lublin" default:"batch" choices:"batch,interactive,all" doc:"which jobs of Lublin and Feitelson's model; all: with the parameters fitted to both kinds together"`
	Processors   int              `key:"processors" default:"0" min:"0" unit:"processors" doc:"generated jobs ask for so many processors, of any shape; 0: they draw sides"`
	Side         SideSpec         `key:"side"`
	Interarrival InterarrivalSpec `key:"interarrival"`
	Service      ServiceSpec      `key:"service"`
	SystemLoad   float64          `key:"system_load" default:"0" min:"0" oneof:"interarrival" doc:"mean service time over mean interarrival time, which sets the latter; 0: workload.interarrival.mean says" source:"lo1994 sec. 4"`
	TargetLoad   float64          `key:"target_load" default:"0" min:"0" unit:"" doc:"interarrival times of a log or of Lublin and Feitelson's model are multiplied by one factor such that the offered load (metric offered_load) is this, window by window; 0: they are not" source:"pascual2009 Eq. 2"`
	SizeClamp    int              `key:"size_clamp" default:"0" min:"0" unit:"processors" doc:"larger jobs of a log are made this large; 0: they are an error"`
	SizeDivisor  int              `key:"size_divisor" default:"1" min:"1" doc:"sizes of a log are divided by it, rounding up" source:"bender2005 sec. 6"`
	RoundSizes   string           `key:"round_sizes" default:"none" choices:"none,down,nearest,up" doc:"round sizes of a log to a power of two"`
	WorkMultiple float64          `key:"work_multiple" default:"1" above:"0" doc:"run times of a log are multiplied by it" source:"leung2002 sec. 3"`
	LoadScale    float64          `key:"load_scale" default:"1" above:"0" doc:"interarrival times of a log are divided by it"`
	Shake        float64          `key:"shake" default:"0" min:"0" max:"1e9" unit:"s" doc:"each replication moves every submission of a log by up to so much, earlier or later: how far results hang on chance" source:"Tsafrir, Ouaknine and Feitelson 2007"`
	Replication  int              `key:"replication_factor" default:"1" min:"1" max:"1000" doc:"how often each job of a log is there, the copies at other times" source:"leung2002 sec. 3"`
	Spread       float64          `key:"replication_spread" default:"3600" min:"0" max:"1e12" unit:"s" doc:"copies of a job are submitted up to so much before or after it (leung2002 does not say how much)"`
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
	Pattern         string    `key:"pattern" default:"all-to-all" names:"patterns" mix:"yes" doc:"who sends to whom; a mix with weights, such as all-to-all:2+ring:1, draws one for each job; a NAS benchmark may have its class, npb-ft:A or, with a weight, npb-ft:A:2"`
	Order           string    `key:"order" default:"same" choices:"same,rotated" doc:"of all-to-all: every process sends to 0, 1, 2, ..., or process i to i+1, i+2, ..."`
	Cut             string    `key:"cut" default:"round" choices:"round,process,phase,iteration" doc:"which messages of the phase that reaches the quota are sent: every sender's first, then every sender's second, ...; those of the first senders; all; or all of the iteration"`
	Grid            string    `key:"grid" default:"square" choices:"square,cube,shape" doc:"process grid of a pattern: the most nearly square one, the most nearly cubic one, or the shape the job asked for"`
	Cycle           string    `key:"cycle" default:"v" choices:"v,by-dimension" doc:"order of multigrid's exchanges: the levels down and up again, all neighbours at once; or one dimension after the other, boundaries closed, one message each way in a ring of two, the finest level once, found by fitting Lo et al.'s figures. NAS MG's own order is the pattern npb-mg"`
	Bits            string    `key:"bits" default:"highest-first" choices:"highest-first,lowest-first" doc:"order in which fft exchanges the bits of a process's number" source:"lo1994 sec. 4.2"`
	Bodies          string    `key:"bodies" default:"half" choices:"half,all" doc:"of n-body: bodies are passed half round the ring and sent home, or all round it" source:"lo1994 sec. 4.2"`
	Flits           int       `key:"flits" default:"8" min:"1" max:"2147483647" unit:"flits" doc:"length of a message, but for patterns whose messages have sizes in bytes"`
	Repeat          int       `key:"repeat" default:"100" min:"1" max:"1000000" doc:"how often a suite does each of its patterns" source:"leung2002 sec. 4"`
	Class           string    `key:"class" default:"A" choices:"S,W,A,B,C" doc:"problem size of a NAS benchmark that has no class of its own in job.pattern"`
	Scale           float64   `key:"scale" default:"1" above:"0" max:"1" doc:"sizes in bytes are multiplied by it, so that NAS benchmarks of larger classes are simulated in seconds"`
	Bytes           int64     `key:"bytes" default:"65536" min:"1" max:"2147483647" unit:"bytes" doc:"vector of all-reduce, all-gather and reduce-scatter, all blocks together"`
	Levels          int       `key:"levels" default:"0" min:"0" max:"30" doc:"levels of a multigrid V-cycle; 0: all there are"`
	ComputeCycles   int64     `key:"compute_cycles" default:"0" min:"0" unit:"cycles" doc:"time a process computes before it sends the messages of a phase; of a NAS benchmark, of a step (docs/patterns.md says which)"`
	SendCycles      int64     `key:"send_cycles" default:"0" min:"0" max:"1000000000" unit:"cycles" doc:"time a process needs to send a message, one after the other, before it enters the network" source:"Moore and Ni 1996"`
	ReceiveCycles   int64     `key:"receive_cycles" default:"0" min:"0" max:"1000000000" unit:"cycles" doc:"time a process needs to receive a message, one after the other, before it acts on it" source:"Moore and Ni 1996"`
	Share           float64   `key:"communication_share" default:"1" min:"0" max:"1" doc:"share of a job's run time in the log in which it communicates when it has the machine to itself; the rest its processes compute, spread evenly between the phases of its messages, of NAS benchmarks and collectives between iterations. Below 1 with job.quota.per_second = auto; jobs do whole iterations, and those of so many processes that the pattern is none for them (workload.round_sizes = down helps) only compute"`
	AssumedSpeedup  float64   `key:"assumed_speedup" default:"0" min:"0" below:"100" unit:"%" doc:"with job.run = fixed: how much less time than the log says jobs of several processors take with an allocator that keeps them together (contiguous, quasi-contiguous, first-fit, best-fit, frame-sliding, buddy2d); none with others" source:"pascual2009 sec. 6"`
	Quota           QuotaSpec `key:"quota"`
	CalibrateOn     string    `key:"calibrate_on" default:"" doc:"on which machine and network a job that has them to itself runs as long as the log says, which sets the quota or the cycles a second where they are auto: those of the first point with the same jobs, with the keys of [machine], [network] and software times given here changed, such as network.buffer_flits = 4; machine.dims = [8, 8]; or each: every point is calibrated on its own, so that compared networks get different messages"`
	CyclesPerSecond Auto      `key:"cycles_per_second" default:"auto" above:"0" unit:"cycles/s" doc:"network cycles in a second of the log or in a time unit; auto: 1 without a log, with one as many as make jobs run about as long as the log says; with job.run = fixed as many as keep fractions of a second, to a millionth"`
}

// QuotaSpec says how many messages a job sends. One of Iterations, Messages
// and PerSecond is set, the others are 0.
type QuotaSpec struct {
	Distribution string  `key:"distribution" default:"fixed" choices:"exponential,fixed" doc:"distribution of a job's number of messages about its mean: all jobs do the mean, or an exponential draw, as in the papers" source:"lo1994 App. A"`
	Iterations   float64 `key:"iterations" default:"1" min:"0" oneof:"quota" unit:"iterations" doc:"mean quota: the messages of so many iterations of the pattern for the mean-sized job"`
	Messages     float64 `key:"messages" default:"0" min:"0" oneof:"quota" unit:"messages" doc:"mean quota"`
	PerSecond    Auto    `key:"per_second" default:"0" min:"0" oneof:"quota" unit:"messages/s" doc:"quota for each second of the job's run time; auto: from job.cycles_per_second, so that a job alone runs about as long as the log says"`
	Processes    int     `key:"processes" default:"0" min:"0" unit:"processes" doc:"processes of the mean-sized job; 0: the square of the mean side, rounded as workload.side.round says"`
}

// SchedulerSpec is the section [scheduler].
type SchedulerSpec struct {
	Policy            string  `key:"policy" default:"fcfs" names:"schedulers" doc:"in which order waiting jobs start"`
	PollSeconds       float64 `key:"poll_seconds" default:"60" min:"0" max:"1e9" unit:"s" doc:"of cplant: time between two looks at the queue, at its multiples; 0: whenever a job arrives or ends (leung2002 says periodically)" source:"leung2002 sec. 3"`
	KillAtReservation bool    `key:"kill_at_reservation" default:"false" doc:"of easy: the first job of the queue runs at the time it was promised, and jobs in its way that went ahead of it are killed" source:"pascual2009 sec. 3"`
	Backfill          string  `key:"backfill" default:"extra" choices:"extra,ending" doc:"of easy: which jobs go ahead of the first one: those that end, by their estimates, before its reservation, and those on nodes it leaves over then; or only those that end before" source:"pascual2009 sec. 1"`
	Reservation       string  `key:"reservation" default:"placement" choices:"placement,count" doc:"of easy with an allocator that may refuse enough nodes: the first job's reservation is for when the allocator would place it, or for when enough nodes are free" source:"pascual2009 sec. 3"`
	OnOverrun         string  `key:"on_overrun" default:"extend" choices:"extend,kill,raise" doc:"what becomes of a job that passes its estimate: it goes on and is taken to end now, as the run times of a log call for, which are those its system let jobs have; it is killed; or it does not happen, because estimates of a log below the run time are raised to it beforehand" source:"johnson2010 sec. I"`
	MissingEstimate   string  `key:"missing_estimate" default:"runtime" choices:"runtime,factor" doc:"what users are taken to have estimated where a log does not say (-1): the run time, or scheduler.estimate_factor times that; of policies that look at estimates, and of on_overrun = kill, which kills no such job either way"`
	EstimateFactor    float64 `key:"estimate_factor" default:"2" min:"1" below:"1e9" doc:"of missing_estimate = factor: estimate over run time; 2 is the mean of Mu'alem and Feitelson's model, uniform from 1 to f + 1, at f = 2" source:"Mu'alem and Feitelson 2001"`
	Decision          string  `key:"decision" default:"" doc:"an allocator that is asked, whenever a job starts, where it would have put it with the same processors free (the decision algorithm; that of [allocator] is the situation algorithm); the metrics decision_* say how well. It does not change the run" source:"bender2005 sec. 5"`
}

// AllocatorSpec is the section [allocator]. Its short form, a string, is
// parsed by parseAllocator and printed by String.
type AllocatorSpec struct {
	Name       string `key:"name" default:"first-fit" names:"allocators" doc:"which processors a job gets"`
	Page       int    `key:"page" default:"0" min:"0" max:"12" doc:"of paging: pages are squares of side two to this power" source:"lo1994 sec. 3.2"`
	Order      string `key:"order" default:"row-major" doc:"one of the orders: of the pages of paging, or of the processors, for free-list, first-fit-1d, best-fit-1d and sum-of-squares; a curve may be turned: hilbert/yx exchanges x and y, hilbert/x-y begins at the far end of y"`
	Span       string `key:"span" default:"ring" choices:"ring,linear" doc:"of packers, where no interval is free that is long enough: the order is closed to a ring, or a line" source:"leung2002 sec. 2.3"`
	Percent    int    `key:"qct" default:"0" min:"0" max:"100" unit:"%" doc:"of quasi-contiguous: share of a job's processes that may use one level of the tree more" source:"pascual2009 Eq. 1"`
	Rotate     bool   `key:"rotate" default:"false" doc:"of submesh allocators: try the request turned by a quarter too"`
	LastShell  string `key:"last_shell" default:"previous" choices:"previous,l1,greedy,node-order" doc:"of mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc: which of the processors equally far from the center, in shells or (gen-alg, mm, mm-inc) in L1, are taken last: nearest to the center tried before, then to the one before that, and so on, as one list sorted stably for one center after the other has them; nearest to the center in L1 (not of gen-alg, mm and mm-inc, where all are); one by one those nearest to all taken so far; or in the order of nodes"`
	ScanRadius int    `key:"scan_radius" default:"2" min:"0" max:"1000000" unit:"shells" doc:"SR of mc1x1-tie: how far beyond the last shell free processors count" source:"johnson2010 sec. II"`
	Available  int    `key:"available" default:"13" min:"0" max:"1000000" doc:"AF of mc1x1-tie: weight of free processors left nearby" source:"johnson2010 sec. II"`
	Wall       int    `key:"wall" default:"20" min:"0" max:"1000000" doc:"WF of mc1x1-tie: weight of walls bordered" source:"johnson2010 sec. II"`
	Border     int    `key:"border" default:"6" min:"0" max:"1000000" doc:"BF of mc1x1-tie: weight of other jobs bordered" source:"johnson2010 sec. II"`
	Corners    string `key:"corners" default:"once" choices:"once,twice" doc:"of mc1x1-tie: a processor that borders two walls counts for the wall score once, or once for each wall as the paper's text has it" source:"johnson2010 sec. II b"`
	Score      string `key:"score" default:"sides" choices:"sides,boundary" doc:"of best-fit: the frame is taken that has most sides which touch something busy or the border, or most busy or missing places along its sides" source:"lo1994 sec. 2"`
	Start      string `key:"start" default:"fitting" choices:"fitting,free" doc:"of frame-sliding: the first frame stands at the lowest leftmost free processor at which it lies in the machine, or at the lowest leftmost free processor" source:"lo1994 sec. 2"`
	Limit      int    `key:"limit" default:"1000000" min:"1" doc:"of optimal: nodes of the search tree after which it takes the best found so far"`
	M          int    `key:"m" default:"3" min:"1" max:"32" doc:"of ptas: strips each way, at least 2" source:"bender2005 sec. 3"`
}

// RunsSpec is the part of the section [runs] that belongs to a study and not
// to any one run.
type RunsSpec struct {
	Replications     int     `key:"replications" default:"10" min:"1" max:"1000000" doc:"runs of every point, each with streams of its own"`
	Confidence       float64 `key:"confidence" default:"0.95" above:"0" below:"1" doc:"confidence of the intervals (Student's t)"`
	MaxRelativeError float64 `key:"max_relative_error" default:"0" min:"0" doc:"replications are added until the interval of every primary metric is at most this fraction of the mean on either side, judged from ten replications on; intervals of 95% then hold the mean in 93.5 to 95% of studies where runs are nearly normal, in 85 to 90% where they have the tail of an exponential distribution; 0: none are added" source:"Law, Simulation Modeling and Analysis, sec. 9.4.1"`
	MaxReplications  int     `key:"max_replications" default:"0" min:"0" max:"1000000" doc:"most replications of a point; 0: ten times runs.replications"`
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
	keys := Keys()
	for i := range keys {
		k := &keys[i]
		if !k.Identity || k.isDefault(s) || !keep(k.Path) {
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
