package patterns

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/internal/call"
)

// Config names a pattern and its options. A pattern ignores options that it does not use, so one
// configuration can serve a comparison of patterns. Package config checks the bounds of numbers.
type Config struct {
	// Name is one of Names.
	Name string
	// Order is the order in which a process sends its messages to all others: "same" (default)
	// for 0, 1, 2, ... without the sender, so that all processes begin with the same receiver, or
	// "rotated" for i+1, i+2, ... from process i, so that first messages form a permutation.
	Order string
	// Flits is the length of a message in flits, at least 1. The value 0 means 8, the
	// packet of Lo et al.
	Flits int
	// Iterations is the number of iterations after which the job ends, at least 1. With
	// 0 only the quota of messages ends it.
	Iterations int64
	// Repeat is the number of times cplant-suite runs each of its patterns, at least 1. The
	// value 0 means 100, as in Leung et al.
	Repeat int
	// Grid is the arrangement of the processes of multigrid and near-neighbour:
	// "square" (default) for the most nearly square grid, "cube" for the most nearly
	// cubic one, or "shape" for the shape of the job.
	Grid string
	// Cycle is the order in which multigrid visits its levels: "v" (default) or
	// "by-dimension".
	Cycle string
	// Bits is the order of the bits of fft: "highest-first" (default) or "lowest-first", as in
	// decimation in time.
	Bits string
	// Bodies is the part of the ring round which n-body passes bodies: "half" (default),
	// after which it sends sums home, or "all".
	Bodies string
	// Cut is how the phase that reaches the quota ends. The choice matters: in an all-to-all of
	// a large job the quota is usually less than one phase, and Lo et al. (CIS-TR-94-11, App. A)
	// say only that a job ends "when its message quota has been reached and all messages are
	// received". Values are
	//
	//   - "round" (default) keeps each sender's first message, then each sender's second, and so
	//     on, and in the last round the messages of the first senders;
	//   - "process" keeps the messages sender by sender: the last senders may send none;
	//   - "phase" keeps all messages and so completes the phase;
	//   - "iteration" completes the current iteration;
	//   - CutCounter lets processes draw messages from a shared counter until it reaches the quota;
	//   - CutCounterBarriers is CutCounter without barriers: a process waits for its own messages
	//     only.
	Cut string
	// ComputeCycles is the time that every process computes between two phases, in
	// cycles, at least 0.
	ComputeCycles int64
	// PauseCycles is the time that every process of a pattern with a Code computes between two
	// iterations, in cycles, at least 0.
	PauseCycles int64
	// OperationsPerCycle is the number of operations (see Operations) that a process of a
	// NAS benchmark does in a cycle, at least 0. The steps of the benchmark then also
	// compute for the time of the operations, divided evenly among iterations, processes
	// and steps. With 0 the operations take no time.
	OperationsPerCycle float64
	// Levels is the number of levels of multigrid, at least 1. The value 0 means all
	// levels of the grid.
	Levels int
	// Class is the problem size of a NAS benchmark, S, W, A (default), B or C.
	Class string
	// Bytes is the length of the vector of a collective such as all-reduce, at least 1.
	// The value 0 means defaultBytes.
	Bytes int64
	// Scale multiplies the bytes of every message of the patterns that have codes,
	// above 0 and at most 1. The value 0 means 1.
	Scale float64
	// FlitBytes is the number of bytes in a flit, at least 1. The value 0 means 8.
	FlitBytes int
	// Own, if set, makes the pattern of n processes in place of the pattern with Name, which then
	// appears in messages only. shape is the shape of the job, flits the length of its messages,
	// and rng the source of its draws.
	Own func(n int, shape []int, flits int32, rng *rand.Rand) (Pattern, error)
	// OwnDraws reports whether Own draws from rng.
	OwnDraws bool
	// Work, if set, makes the work of n processes in place of Own and of the pattern with Name,
	// which then appears in messages only. Work draws from stream, which is nil if the caller only
	// counts messages.
	Work func(n int, shape []int, stream *rand.Rand) (Work, error)
	// Tasks reports whether Work returns a graph of tasks for every number of processes and ignores
	// shapes. Otherwise Work may return Phases.
	Tasks bool
	// Rate distinguishes works with the same Name and different contents: works that convert time
	// to cycles at different rates, or that come from different answers of an external program.
	Rate string
	// RendezvousFlits is the minimum length, in flits, of messages that a Work sends by rendezvous.
	// The value 0 sends all messages eagerly.
	RendezvousFlits int64
	// Collective has what the parameters of collectives say.
	Collective Collective
	// PadFlits is the padding of messages with a size in bytes: their flits are rounded up to a
	// multiple of PadFlits, at least 1. The value 0 means 1.
	PadFlits int
}

// Work is the work of the processes of a job whose pattern is neither a Pattern nor a Code: a graph
// of tasks, or Phases.
type Work interface {
	// Messages returns the number of messages of one iteration.
	Messages() int64
	// Program returns a program of the given iterations, at least 1. FlitBytes, PadFlits and Scale set
	// the lengths of its messages. RendezvousFlits sets which messages of tasks go by rendezvous.
	Program(c Config, iterations int64) Program
}

// TaskGraph is a Work whose processes run graphs of tasks.
type TaskGraph interface {
	Work
	// Pairs returns the pairs of processes that exchange messages, requests and answers of rendezvous
	// included: see Pairs.
	Pairs(c Config) []Pair
	// Arrivals returns the number of messages of an iteration that arrive over the network, requests
	// and answers of rendezvous included.
	Arrivals(c Config) int64
}

// taskGraph returns the graph of n processes, or nil if the pattern has none.
func (c Config) taskGraph(n int, shape []int) (TaskGraph, error) {
	if c.Work == nil {
		return nil, nil
	}
	w, err := c.Work(n, shape, nil)
	g, _ := w.(TaskGraph)
	return g, err
}

// TaskArrivals returns TaskGraph.Arrivals, and false if processes run no graphs of tasks.
func TaskArrivals(c Config, n int, shape []int) (arrivals int64, tasks bool, err error) {
	g, err := c.taskGraph(n, shape)
	if g == nil || err != nil {
		return 0, false, err
	}
	return g.Arrivals(c), true, nil
}

// check refuses a number of processes out of range, and invalid options, for all patterns.
func (c Config) check(n int) error {
	if n < 1 || n > MaxProcesses {
		return fmt.Errorf("pattern %s: %d processes: a job has 1 to %d", c.Name, n, MaxProcesses)
	}
	for _, w := range []struct {
		option, word string
		valid        []string
	}{
		{"order", c.Order, []string{"same", "rotated"}},
		{"cut", c.Cut, []string{"round", "process", "phase", "iteration", CutCounter,
			CutCounterBarriers}},
		{"grid", c.Grid, []string{"square", "cube", "shape"}},
		{"cycle", c.Cycle, []string{"v", "by-dimension"}},
		{"bits", c.Bits, []string{"highest-first", "lowest-first"}},
		{"bodies", c.Bodies, []string{"half", "all"}},
		{"class", c.Class, Classes()},
	} {
		if w.word != "" && !slices.Contains(w.valid, w.word) {
			return unknown(w.option, w.word, w.valid...)
		}
	}
	if rate := c.OperationsPerCycle; !(rate >= 0) || math.IsInf(rate, 1) {
		return fmt.Errorf("operations per cycle are %v: they must be a number of at least 0", rate)
	}
	return nil
}

// gridSides returns the sides of the grid that Grid selects for n processes, with their product n.
// shape is the shape of the job.
func (c Config) gridSides(n int, shape []int) ([]int, error) {
	switch c.Grid {
	case "", "square":
		w, h := NearSquare(n)
		return []int{w, h}, nil
	case "cube":
		x, y, z := NearCube(n)
		return []int{x, y, z}, nil
	}
	if len(shape) == 0 {
		return nil, fmt.Errorf("pattern %s: grid = shape, but the job of %d processes has none: use "+
			"grid = square", c.Name, n)
	}
	product := 1
	for _, d := range shape {
		if d < 1 || d > n/product {
			product = 0
			break
		}
		product *= d
	}
	if product != n {
		return nil, fmt.Errorf("pattern %s: grid = shape: the shape %v is not one of %d processes",
			c.Name, shape, n)
	}
	return shape, nil
}

// unknown returns the error for a name that is not one of the valid ones.
func unknown(what, name string, valid ...string) error {
	return fmt.Errorf("unknown %s %q: there are %s", what, name, strings.Join(valid, ", "))
}

// Info is a pattern's names and its description in one line.
type Info struct {
	// Name is the name in specifications, Display the name that figures and tables print, and Doc
	// the description. An empty Display means the words of Name, the first with a capital.
	Name, Display, Doc string
	// Parameters are those of collectives, and Source is the paper that defines the pattern, or "".
	Parameters []call.Parameter
	Source     string
}

// info returns an Info without parameters.
func info(name, display, doc string) Info { return Info{Name: name, Display: display, Doc: doc} }

// phasePatterns are the patterns in phases with barriers between them.
var phasePatterns = []struct {
	Info
	uses  string // fields of Config that only some patterns use, as in Uses
	draws bool   // its receivers are random
	make  func(s setting) Pattern
}{
	{info("all-to-all", "All-to-all", "every process to all others at once (order same or rotated)"),
		"order", false, allToAll},
	{info("one-to-all", "One-to-all", "a random root to all others, another root in each iteration"),
		"order", true, oneToAll},
	{info("all-to-one", "All-to-one", "all others to a random root, another root in each iteration"),
		"", true, allToOne},
	{info("incast", "", "all others to process 0, in each iteration"), "", false, incast},
	{info("broadcast-tree", "", "a random root to all others along a binomial tree"),
		"", true, broadcastTree},
	{info("n-body", "n-body", "floor(n/2) shifts round the ring, then one message half-way round"),
		"bodies", false, nBody},
	{info("ring", "", "every process to the next round the ring"), "", false, ring},
	{info("fft", "FFT",
		"log2 n exchanges, i with i xor 2^b, from the highest bit down; n a power of two"),
		"bits", false, fft},
	{info("multigrid", "", "a V-cycle of exchanges at stride 2^level on the process grid"),
		"grid cycle levels", false, multigrid},
	{info("near-neighbour", "", "an exchange with the neighbours on the process grid"),
		"grid", false, nearNeighbour},
	{info("ping-pong", "Ping-pong",
		"ranks 2i and 2i+1: a message there, then one back"), "", false, pingPong},
	{info("call", "", "ranks 2i and 2i+1: a message there, then an empty message of one flit back"),
		"", false, callAndAnswer},
	{info("all-pairs", "", "ping-pong of all pairs, disjoint pairs at a time"), "", false, allPairs},
	{info("random", "", "every process to another one drawn at random"), "", true, randomReceivers},
	{info("cplant-suite", "", "all-to-all, all-pairs and ring, each repeated (100 times)"),
		"order repeat", false, cplantSuite},
}

// codePatterns are the patterns in which each process waits only for its own messages. Their sizes
// are in bytes.
var codePatterns = []struct {
	Info
	make func(t traffic) (Code, error)
	// bus is the factor k of the bus bandwidth of a collective of n processes, k(n-1)/n times the
	// bytes of the vector over the time, as nccl-tests defines it; 0 for other patterns.
	bus float64
}{
	{Info{Name: "all-reduce-ring", Display: "All-reduce ring",
		Doc: "reduce-scatter, then all-gather, round the ring: 2(n-1) steps of 1/n of " +
			"the vector", Parameters: ringParameters, Source: "Patarasuk and Yuan 2009"},
		allReduceRing, 2},
	{Info{Name: "all-reduce-doubling", Display: "All-reduce doubling",
		Doc:        "exchanges of the whole vector at distance 1, 2, 4, ...",
		Parameters: ringExchangeParameters[:3]}, allReduceDoubling, 2},
	{info("all-reduce-tree", "All-reduce tree",
		"the whole vector up a binomial tree and down again"), allReduceTree, 2},
	{info("all-reduce-halving", "All-reduce halving",
		"reduce-scatter by halving, then all-gather by doubling (Rabenseifner)"),
		inSequence(reduceScatterHalving, allGatherDoubling), 2},
	{info("all-reduce-direct", "All-reduce direct",
		"all-to-all-direct, then all-gather-direct: two steps"),
		inSequence(allToAllDirect, allGatherDirect), 2},
	{Info{Name: "all-reduce-double-tree", Display: "All-reduce double tree",
		Doc: "up and down two binary trees of hosts, a half of the vector on each; in a host a chain " +
			"of its ranks", Parameters: treeParameters, Source: "Sanders et al. 2009"},
		allReduceDoubleTree, 2},
	{Info{Name: "all-reduce-hierarchical", Display: "All-reduce hierarchical",
		Doc: "reduce-scatter round the ring of a host, all-reduce round the ring of the ranks of the " +
			"same number in all hosts, all-gather in the host",
		Parameters: hierarchicalParameters, Source: "Cho et al. 2019"}, allReduceHierarchical, 2},
	{Info{Name: "all-gather-ring", Display: "All-gather ring",
		Doc: "n-1 steps round the ring, a block of the vector each", Parameters: ringParameters},
		allGatherRing, 1},
	{info("all-gather-doubling", "All-gather doubling",
		"exchanges at distance 1, 2, 4, ... of all blocks so far"),
		allGatherDoubling, 1},
	{info("all-gather-direct", "All-gather direct",
		"the own block of the vector to each other process at once"),
		allGatherDirect, 1},
	{Info{Name: "reduce-scatter-ring", Display: "Reduce-scatter ring",
		Doc: "n-1 steps round the ring, a block of the vector each", Parameters: ringParameters},
		reduceScatterRing, 1},
	{info("reduce-scatter-halving", "Reduce-scatter halving",
		"exchanges of half, a quarter, ... of the vector at distance n/2, "+
			"n/4, ..."), reduceScatterHalving, 1},
	{info("all-to-all-direct", "All-to-all direct",
		"a block of the vector to each other process at once"), allToAllDirect, 1},
	{Info{Name: "ring-exchange", Doc: "an exchange with both neighbours round the ring",
		Parameters: ringExchangeParameters, Source: gpcnetSource}, ringExchange, 0},
	{Info{Name: "all-to-all-pairwise",
		Doc:        "a message to each other process, one after the other, each exchanged for one",
		Parameters: streamParameters[:3], Source: gpcnetSource}, allToAllPairwise, 0},
	{Info{Name: "put-incast", Doc: "all others to process 0, each its next message as soon as one " +
		"arrives", Parameters: streamParameters, Source: gpcnetSource}, putIncast, 0},
	{Info{Name: "get-broadcast", Doc: "process 0 to all others, to each its next message as soon as " +
		"one arrives", Parameters: streamParameters, Source: gpcnetSource}, getBroadcast, 0},
	{info("npb-ft", "FT", "NAS FT: a 3-D FFT, its transpose an all-to-all; n a power of two"),
		newFT, 0},
	{info("npb-is", "IS",
		"NAS IS: bucket sort of integers: all-reduce, all-to-all; n a power of two"), newIS, 0},
	{info("npb-cg", "CG",
		"NAS CG: conjugate gradient, reductions along rows and a transpose; n a power of two"),
		newCG, 0},
	{info("npb-mg", "MG", "NAS MG: multigrid on a 3-D torus of processes; n a power of two"),
		newMG, 0},
	{info("npb-lu", "LU", "NAS LU: sweeps of a wavefront over a 2-D grid of processes"), newLU, 0},
	{info("npb-bt", "BT",
		"NAS BT: line solves along three directions on a multipartition; n a square"), newBT, 0},
	{info("npb-sp", "SP", "NAS SP: as BT, with other message sizes; n a square"), newSP, 0},
}

// defaultBytes is the length of the vector of a collective where Config.Bytes is 0.
const defaultBytes = 65536

// BusBytes returns the bytes of an iteration of a collective of n processes over a link, whose
// rate nccl-tests calls the bus bandwidth: those that each process has to send in the best
// algorithm. It is 0 for other patterns.
func BusBytes(c Config, n int) float64 {
	for i := range codePatterns {
		if p := &codePatterns[i]; p.Name == c.Name && c.Work == nil && c.Own == nil {
			if c.Collective.Processes > 0 {
				n = max(1, n/c.Collective.Host)
			}
			bytes := float64(cmp.Or(c.Bytes, defaultBytes)) * cmp.Or(c.Scale, 1)
			return p.bus * bytes * float64(n-1) / float64(n)
		}
	}
	return 0
}

// Names lists the patterns that New knows: those in phases, then those with codes.
func Names() (list []Info) {
	for i := range phasePatterns {
		list = append(list, phasePatterns[i].Info)
	}
	for i := range codePatterns {
		list = append(list, codePatterns[i].Info)
	}
	return list
}

// NewPattern returns one iteration of the configured pattern for n processes. The
// shape, width first, matters only to grid = shape. All random draws come from rng,
// which may be nil if the caller uses only the pattern's counts.
func NewPattern(c Config, n int, shape []int, rng *rand.Rand) (Pattern, error) {
	if err := c.check(n); err != nil {
		return nil, err
	}
	s := setting{group: group{Rank(n), int32(cmp.Or(c.Flits, 8))}, Config: c, rng: rng}
	switch {
	case c.Work != nil:
		return c.workPhases(n, shape, rng)
	case c.Own != nil:
		return c.Own(n, shape, s.flits, rng)
	}
	i := phaseIndex(c.Name)
	switch {
	case i < 0:
		return nil, unknownPattern(c.Name)
	case c.Name == "fft" && !powerOfTwo(n):
		return nil, &SizeError{fmt.Sprintf("pattern fft: %d processes: it needs a power of two, so "+
			"round the sizes of jobs", n)}
	case Uses(c.Name, "grid"):
		var err error
		if s.sides, err = c.gridSides(n, shape); err != nil {
			return nil, err
		}
	}
	return phasePatterns[i].make(s), nil
}

// newCode returns the code of the pattern with the name t.name.
func newCode(t traffic) (Code, error) {
	for i := range codePatterns {
		if codePatterns[i].Name == t.name {
			return t.onHosts(codePatterns[i].make)
		}
	}
	return nil, unknownPattern(t.name)
}

// unknownPattern returns the error for a name that is not one of Names.
func unknownPattern(name string) error {
	var names []string
	for _, i := range Names() {
		names = append(names, i.Name)
	}
	return unknown("pattern", name, names...)
}

// phaseIndex returns the index of a name in phasePatterns, or -1.
func phaseIndex(name string) int {
	for i := range phasePatterns {
		if phasePatterns[i].Name == name {
			return i
		}
	}
	return -1
}

// Uses reports whether a field of Config changes the messages of a pattern, or their times. The
// names of fields are the keys of the specification: order, flits, repeat, grid, cycle, bits,
// bodies, cut, compute_cycles, levels, class, bytes, scale, flit_bytes, pad_flits,
// rendezvous_bytes, and flop_rate for OperationsPerCycle.
func Uses(name, field string) bool {
	benchmark := strings.HasPrefix(name, "npb-")
	switch field {
	case "compute_cycles":
		return true
	case "flits", "cut":
		return !OwnSizes(name)
	case "scale", "flit_bytes", "pad_flits":
		return OwnSizes(name)
	case "class", "flop_rate":
		return benchmark
	case "bytes":
		return OwnSizes(name) && !benchmark
	}
	i := phaseIndex(name)
	return i >= 0 && slices.Contains(strings.Fields(phasePatterns[i].uses), field)
}

// Draws reports whether the configured pattern draws random numbers.
func (c Config) Draws() bool { return c.OwnDraws || Draws(c.Name) || c.Collective.Redraw > 0 }

// Draws reports whether a pattern draws its receivers at random, so that jobs with
// different seeds send different messages.
func Draws(name string) bool {
	i := phaseIndex(name)
	return i >= 0 && phasePatterns[i].draws
}

// OwnSizes reports whether the configured pattern defines the sizes of its messages, so that Flits
// has no effect.
func (c Config) OwnSizes() bool { return c.Work != nil || OwnSizes(c.Name) }

// OwnSizes reports whether a pattern of Names has a Code, which defines the sizes of its messages.
// Flits then has no effect.
func OwnSizes(name string) bool {
	for i := range codePatterns {
		if codePatterns[i].Name == name {
			return true
		}
	}
	return false
}

// OneLength reports whether all messages of a pattern have the length Config.Flits.
func OneLength(name string) bool { return name != "call" && !OwnSizes(name) }
