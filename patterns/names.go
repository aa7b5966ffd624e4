package patterns

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Info is a pattern's name and its description in one line.
type Info struct {
	// Name is the name in specifications, and Doc its description.
	Name, Doc string
}

// phasePatterns are the patterns in barrier-separated phases.
var phasePatterns = []struct {
	Info
	uses  string // fields of Config that only some patterns use, as in Uses
	draws bool   // its receivers are random
	make  func(s setting) Pattern
}{
	{Info{"all-to-all", "every process to all others at once (order same or rotated)"},
		"order", false, allToAll},
	{Info{"one-to-all", "a random root to all others, another root in each iteration"},
		"order", true, oneToAll},
	{Info{"all-to-one", "all others to a random root, another root in each iteration"},
		"", true, allToOne},
	{Info{"incast", "all others to process 0, in each iteration"}, "", false, incast},
	{Info{"broadcast-tree", "a random root to all others along a binomial tree"},
		"", true, broadcastTree},
	{Info{"n-body", "floor(n/2) shifts round the ring, then one message half-way round"},
		"bodies", false, nBody},
	{Info{"ring", "every process to the next round the ring"}, "", false, ring},
	{Info{"fft", "log2 n exchanges, i with i xor 2^b, from the highest bit down; n a power of two"},
		"bits", false, fft},
	{Info{"multigrid", "a V-cycle of exchanges at stride 2^level on the process grid"},
		"grid cycle levels", false, multigrid},
	{Info{"near-neighbour", "an exchange with the neighbours on the process grid"},
		"grid", false, nearNeighbour},
	{Info{"ping-pong", "ranks 2i and 2i+1: a message there, then one back"}, "", false, pingPong},
	{Info{"call", "ranks 2i and 2i+1: a message there, then an empty message of one flit back"},
		"", false, callAndAnswer},
	{Info{"all-pairs", "ping-pong of all pairs, disjoint pairs at a time"}, "", false, allPairs},
	{Info{"random", "every process to another one drawn at random"}, "", true, randomReceivers},
	{Info{"cplant-suite", "all-to-all, all-pairs and ring, each repeated (100 times)"},
		"order repeat", false, cplantSuite},
}

// codePatterns are the patterns in which each process waits only for its own messages. Their sizes
// are in bytes.
var codePatterns = []struct {
	Info
	make func(t traffic) (Code, error)
}{
	{Info{"all-reduce-ring",
		"reduce-scatter, then all-gather, round the ring: 2(n-1) steps of 1/n of " +
			"the vector"}, inSequence(reduceScatterRing, allGatherRing)},
	{Info{"all-reduce-doubling", "exchanges of the whole vector at distance 1, 2, 4, ..."},
		allReduceDoubling},
	{Info{"all-reduce-tree", "the whole vector up a binomial tree and down again"}, allReduceTree},
	{Info{"all-reduce-halving",
		"reduce-scatter by halving, then all-gather by doubling (Rabenseifner)"},
		inSequence(reduceScatterHalving, allGatherDoubling)},
	{Info{"all-reduce-direct", "all-to-all-direct, then all-gather-direct: two steps"},
		inSequence(allToAllDirect, allGatherDirect)},
	{Info{"all-gather-ring", "n-1 steps round the ring, a block of the vector each"}, allGatherRing},
	{Info{"all-gather-doubling", "exchanges at distance 1, 2, 4, ... of all blocks so far"},
		allGatherDoubling},
	{Info{"all-gather-direct", "the own block of the vector to each other process at once"},
		allGatherDirect},
	{Info{"reduce-scatter-ring", "n-1 steps round the ring, a block of the vector each"},
		reduceScatterRing},
	{Info{"reduce-scatter-halving",
		"exchanges of half, a quarter, ... of the vector at distance n/2, " +
			"n/4, ..."}, reduceScatterHalving},
	{Info{"all-to-all-direct", "a block of the vector to each other process at once"}, allToAllDirect},
	{Info{"ring-exchange", "an exchange with both neighbours round the ring"}, ringExchange},
	{Info{"npb-ft", "NAS FT: a 3-D FFT, its transpose an all-to-all; n a power of two"}, newFT},
	{Info{"npb-is",
		"NAS IS: bucket sort of integers: all-reduce, all-to-all; n a power of two"}, newIS},
	{Info{"npb-cg",
		"NAS CG: conjugate gradient, reductions along rows and a transpose; n a power of two"},
		newCG},
	{Info{"npb-mg", "NAS MG: multigrid on a 3-D torus of processes; n a power of two"}, newMG},
	{Info{"npb-lu", "NAS LU: sweeps of a wavefront over a 2-D grid of processes"}, newLU},
	{Info{"npb-bt",
		"NAS BT: line solves along three directions on a multipartition; n a square"}, newBT},
	{Info{"npb-sp", "NAS SP: as BT, with other message sizes; n a square"}, newSP},
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

// newCode returns the code that the name of the traffic selects.
func newCode(t traffic) (Code, error) {
	for i := range codePatterns {
		if codePatterns[i].Name == t.name {
			return codePatterns[i].make(t)
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

// Uses reports whether a field of Config changes what a pattern sends, or when. The names of fields
// are the keys of the specification: order, flits, repeat, grid, cycle, bits, bodies,
// cut, compute_cycles, levels, class, bytes, scale, flit_bytes, pad_flits and
// rendezvous_bytes; flop_rate stands for OperationsPerCycle.
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

// Draws reports whether the pattern of the configuration draws.
func (c Config) Draws() bool { return c.OwnDraws || Draws(c.Name) }

// Draws reports whether a pattern draws its receivers at random, so that jobs with
// different seeds send different messages.
func Draws(name string) bool {
	i := phaseIndex(name)
	return i >= 0 && phasePatterns[i].draws
}

// OwnSizes reports whether the pattern of the configuration defines the sizes of its messages, so
// that Flits has no effect on it.
func (c Config) OwnSizes() bool { return c.Work != nil || OwnSizes(c.Name) }

// OwnSizes reports whether a pattern of Names has a code. A code defines the sizes of its messages,
// so that Flits has no effect on it.
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
