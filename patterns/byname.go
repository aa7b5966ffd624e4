package patterns

import (
	"fmt"
	"math/rand/v2"
)

// Config names a pattern and its options. Options that a pattern does not use are
// checked and otherwise ignored, so that one configuration serves a comparison of
// patterns.
type Config struct {
	// Name is one of Names.
	Name string
	// Order is the order in which a process sends its messages to all others: "same"
	// (default) or "rotated"; see OrderSame and OrderRotated.
	Order string
	// Flits is the length of a message in flits, at least 1. The value 0 means 8, the
	// packet of Lo et al.
	Flits int
	// Iterations is the number of iterations after which the job ends, at least 1. With
	// 0 only the quota of messages ends it.
	Iterations int64
	// Repeat is the number of times a suite runs each of its patterns, at least 1. The
	// value 0 means 100, as in Leung et al.
	Repeat int
	// Grid is the arrangement of the processes of multigrid and near-neighbour:
	// "square" (default) for the most nearly square grid, "cube" for the most nearly
	// cubic one, or "shape" for the shape of the job.
	Grid string
	// Cycle is the order in which multigrid visits its levels: "v" (default) or
	// "by-dimension"; see Multigrid and MultigridByDimension.
	Cycle string
	// Bits is the order of the bits of fft: "highest-first" (default; see FFT) or
	// "lowest-first", as in decimation in time.
	Bits string
	// Bodies is the part of the ring round which n-body passes bodies: "half" (default),
	// after which it sends sums home, or "all"; see NBody.
	Bodies string
	// Cut says how the phase that reaches the quota ends: "round" (default), "process",
	// "phase" (see CutRound, CutProcess, CutPhase), or "iteration", which completes the
	// current iteration.
	Cut string
	// ComputeCycles is the time that every process computes between two phases, in
	// cycles, at least 0.
	ComputeCycles int64
	// PauseCycles is the time that every process of a pattern with a code computes
	// between two iterations, in cycles, at least 0.
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
	// The value 0 means 65536.
	Bytes int64
	// Scale multiplies the bytes of every message of the patterns that have codes,
	// above 0 and at most 1. The value 0 means 1.
	Scale float64
	// FlitBytes is the number of bytes in a flit, at least 1. The value 0 means 8.
	FlitBytes int
	// Own makes the pattern in place of the one that Name names. Name is then only for
	// messages. The value nil means a pattern of Names.
	Own func(n int, shape []int, flits int32, rng *rand.Rand) (Pattern, error)
	// OwnDraws reports whether Own draws from its generator of random numbers.
	OwnDraws bool
	// Work makes the work of the processes in place of the pattern that Name names. Name is then
	// only for messages. The value nil means a pattern of Names, or Own. Work draws from the
	// stream, which is nil if the caller only counts messages.
	Work func(n int, stream *rand.Rand) (Work, error)
	// Rate distinguishes works of the same name that convert time to cycles differently.
	Rate string
	// RendezvousFlits is the minimum length, in flits, of messages that a Work sends by rendezvous.
	// The value 0 sends all messages eagerly.
	RendezvousFlits int64
	// PadFlits rounds up the flits of a message with a size in bytes to a multiple, at
	// least 1. The value 0 means 1.
	PadFlits int
}

// Work is the work of the processes of a job that is neither a Pattern nor a Code, such as a graph
// of tasks.
type Work interface {
	// Messages is the number of messages of one iteration.
	Messages() int64
	// Program returns a program of the given iterations, at least 1. FlitBytes, PadFlits and Scale
	// set the lengths of its messages, and RendezvousFlits which of them go by rendezvous.
	Program(c Config, iterations int64) Program
}

// Info is a pattern's name and its description in one line.
type Info struct {
	// Name is the name in specifications, and Doc its description.
	Name, Doc string
}

// Names lists the patterns that New knows: those in phases, then those with codes.
func Names() []Info { return append(phaseNames(), codeNames()...) }

// phaseNames lists the patterns in barrier-separated phases.
func phaseNames() []Info {
	return []Info{
		{"all-to-all", "every process to all others at once (order same or rotated)"},
		{"one-to-all", "a random root to all others, another root in each iteration"},
		{"all-to-one", "all others to a random root, another root in each iteration"},
		{"broadcast-tree", "a random root to all others along a binomial tree"},
		{"n-body", "floor(n/2) shifts round the ring, then one message half-way round"},
		{"ring", "every process to the next round the ring"},
		{"fft", "log2 n exchanges, i with i xor 2^b, from the highest bit down; n a power of two"},
		{"multigrid", "a V-cycle of exchanges at stride 2^level on the process grid"},
		{"near-neighbour", "an exchange with the neighbours on the process grid"},
		{"ping-pong", "ranks 2i and 2i+1: a message there, then one back"},
		{"call", "ranks 2i and 2i+1: a message there, then an empty message of one flit back"},
		{"all-pairs", "ping-pong of all pairs, disjoint pairs at a time"},
		{"random", "every process to another one drawn at random"},
		{"cplant-suite", "all-to-all, all-pairs and ring, each repeated (100 times)"},
	}
}

// codeNames lists the patterns in which each process waits only for its own messages.
// Their sizes are in bytes.
func codeNames() []Info {
	return []Info{
		{"all-reduce-ring", "reduce-scatter, then all-gather, round the ring: 2(n-1) steps of 1/n of " +
			"the vector"},
		{"all-reduce-doubling", "exchanges of the whole vector at distance 1, 2, 4, ..."},
		{"all-reduce-tree", "the whole vector up a binomial tree and down again"},
		{"all-reduce-halving", "reduce-scatter by halving, then all-gather by doubling (Rabenseifner)"},
		{"all-reduce-direct", "all-to-all-direct, then all-gather-direct: two steps"},
		{"all-gather-ring", "n-1 steps round the ring, a block of the vector each"},
		{"all-gather-doubling", "exchanges at distance 1, 2, 4, ... of all blocks so far"},
		{"all-gather-direct", "the own block of the vector to each other process at once"},
		{"reduce-scatter-ring", "n-1 steps round the ring, a block of the vector each"},
		{"reduce-scatter-halving", "exchanges of half, a quarter, ... of the vector at distance n/2, " +
			"n/4, ..."},
		{"all-to-all-direct", "a block of the vector to each other process at once"},
		{"npb-ft", "NAS FT: a 3-D FFT, its transpose an all-to-all; n a power of two"},
		{"npb-is", "NAS IS: bucket sort of integers: all-reduce, all-to-all; n a power of two"},
		{"npb-cg", "NAS CG: conjugate gradient, reductions along rows and a transpose; n a power of two"},
		{"npb-mg", "NAS MG: multigrid on a 3-D torus of processes; n a power of two"},
		{"npb-lu", "NAS LU: sweeps of a wavefront over a 2-D grid of processes"},
		{"npb-bt", "NAS BT: line solves along three directions on a multipartition; n a square"},
		{"npb-sp", "NAS SP: as BT, with other message sizes; n a square"},
	}
}

// NewPattern returns one iteration of the configured pattern for n processes. The
// shape, width first, matters only to grid = shape. All random draws come from rng,
// which may be nil if the caller uses only the pattern's counts.
func NewPattern(c Config, n int, shape []int, rng *rand.Rand) (Pattern, error) {
	if n < 1 || n > MaxProcesses {
		return nil, fmt.Errorf("pattern %s: %d processes: a job has 1 to %d", c.Name, n, MaxProcesses)
	}
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	if c.Own != nil {
		return c.Own(n, shape, o.flits, rng)
	}
	switch c.Name {
	case "all-to-all":
		return AllToAll(n, o.order, o.flits), nil
	case "one-to-all":
		return OneToAll(n, o.order, o.flits, rng), nil
	case "all-to-one":
		return AllToOne(n, o.flits, rng), nil
	case "broadcast-tree":
		return BroadcastTree(n, o.flits, rng), nil
	case "n-body":
		return nBody{newGroup(n, o.flits), o.allRound}, nil
	case "ring":
		return Ring(n, o.flits), nil
	case "fft":
		if !powerOfTwo(n) {
			return nil, &SizeError{fmt.Sprintf("pattern fft: %d processes: it needs a power of two, so "+
				"round the sizes of jobs", n)}
		}
		return newFFT(n, o.flits, o.lowestFirst), nil
	case "multigrid", "near-neighbour":
		dims, err := c.dims(n, shape)
		if err != nil {
			return nil, err
		}
		if c.Name == "multigrid" {
			if o.byDimension {
				return MultigridByDimension(dims, c.Levels, o.flits), nil
			}
			return Multigrid(dims, c.Levels, o.flits), nil
		}
		return NearNeighbour(dims, o.flits), nil
	case "ping-pong":
		return PingPong(n, o.flits), nil
	case "call":
		return Call(n, o.flits), nil
	case "all-pairs":
		return AllPairs(n, o.flits), nil
	case "random":
		return Random(n, o.flits, rng), nil
	case "cplant-suite":
		return CplantSuite(n, o.order, o.repeat, o.flits), nil
	}
	return nil, unknownPattern(c.Name)
}

// NewCode returns one iteration of the configured pattern for n processes, if the
// pattern has a code.
func NewCode(c Config, n int) (Code, error) {
	code, _, err := c.newWorkingCode(n)
	return code, err
}

// makeCode returns the code that the name of the traffic selects.
func makeCode(t traffic) (Code, error) {
	switch t.name {
	case "all-reduce-ring":
		return allReduceRing(t), nil
	case "all-reduce-doubling":
		return allReduceDoubling{t}, nil
	case "all-reduce-tree":
		return allReduceTree{t}, nil
	case "all-reduce-halving":
		return allReduceHalving(t), nil
	case "all-reduce-direct":
		return allReduceDirect(t), nil
	case "all-gather-direct":
		return direct{t, true}, nil
	case "all-to-all-direct":
		return direct{traffic: t}, nil
	case "all-gather-ring":
		return allGatherRing{t}, nil
	case "all-gather-doubling":
		return newAllGatherDoubling(t), nil
	case "reduce-scatter-ring":
		return reduceScatterRing{t}, nil
	case "reduce-scatter-halving":
		return reduceScatterHalving{t}, nil
	case "npb-ft":
		return newFT(t)
	case "npb-is":
		return newIS(t)
	case "npb-cg":
		return newCG(t)
	case "npb-mg":
		return newMG(t)
	case "npb-lu":
		return newLU(t)
	case "npb-bt":
		return newBT(t)
	case "npb-sp":
		return newSP(t)
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
