package patterns

import (
	"fmt"
	"math/rand/v2"
)

// Config names a pattern and its options. Options a pattern has no use for
// are checked and otherwise ignored, so that one configuration serves a
// comparison of patterns.
type Config struct {
	// Name is one of Names.
	Name string
	// Order is the order in which a process that has a message for all others
	// sends them: "same" (default) or "rotated"; see OrderSame, OrderRotated.
	Order string
	// Flits is the length of a message; 0 means 8, the packet of Lo et al.
	Flits int
	// Iterations is the number of iterations after which the job ends; 0
	// means that only its quota of messages ends it.
	Iterations int64
	// Repeat is how often a suite does each of its patterns; 0 means 100, as
	// in Leung et al.
	Repeat int
	// Grid is the arrangement of the processes of multigrid and
	// near-neighbour: "square" (default), the most nearly square one, or
	// "shape", that of the job.
	Grid string
	// Cut is what becomes of the phase in which the quota is reached: "round"
	// (default), "process", "phase" (see CutRound, CutProcess, CutPhase), or
	// "iteration", which completes the iteration under way.
	Cut string
	// ComputeCycles is the time every process computes between two phases.
	ComputeCycles int64
	// Levels is the number of levels of multigrid; 0 means as many as the
	// grid has.
	Levels int
}

// Info is a pattern's name and what it is, in a line.
type Info struct{ Name, Doc string }

// Names lists the patterns NewPattern knows.
func Names() []Info {
	return []Info{
		{"all-to-all", "every process to all others, all at once (order same or rotated)"},
		{"one-to-all", "a random root to all others, another root in each iteration"},
		{"all-to-one", "all others to a random root, another root in each iteration"},
		{"broadcast-tree", "a random root to all others along a binomial tree"},
		{"n-body", "floor(n/2) shifts round the ring, then one message half-way round"},
		{"ring", "every process to the next round the ring"},
		{"fft", "log2 n exchanges, i with i xor 2^b, from the highest bit down; n a power of two"},
		{"multigrid", "a V-cycle of exchanges at stride 2^level on the process grid"},
		{"near-neighbour", "an exchange with the neighbours on the process grid"},
		{"ping-pong", "ranks 2i and 2i+1, a message there, then one back"},
		{"call", "ranks 2i and 2i+1, a message there, then an empty one, a flit, back"},
		{"all-pairs", "ping-pong of all pairs, disjoint pairs at a time"},
		{"random", "every process to another one drawn at random"},
		{"cplant-suite", "all-to-all, all-pairs and ring, each repeated (100 times)"},
	}
}

// NewPattern returns one iteration of the pattern a configuration names, for n
// processes. The shape, width first, matters only to grid = shape. What the
// pattern draws comes from rng, which may be nil when only the pattern's
// counts are asked for.
func NewPattern(c Config, n int, shape []int, rng *rand.Rand) (Pattern, error) {
	if n < 1 || n > MaxProcesses {
		return nil, fmt.Errorf("pattern %s: %d processes: a job has 1 to %d", c.Name, n, MaxProcesses)
	}
	o, err := c.options()
	if err != nil {
		return nil, err
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
		return NBody(n, o.flits), nil
	case "ring":
		return Ring(n, o.flits), nil
	case "fft":
		if !powerOfTwo(n) {
			return nil, fmt.Errorf("pattern fft: %d processes: it needs a power of two, so round the sizes of jobs", n)
		}
		return FFT(n, o.flits), nil
	case "multigrid", "near-neighbour":
		dims, err := c.dims(n, shape)
		if err != nil {
			return nil, err
		}
		if c.Name == "multigrid" {
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
	var names []string
	for _, i := range Names() {
		names = append(names, i.Name)
	}
	return nil, unknown("pattern", c.Name, names...)
}

// OneLength reports whether all messages of a pattern have the length its
// configuration gives.
func (c Config) OneLength() bool { return c.Name != "call" }

// New returns the program of a job of n processes. It ends after the quota of
// messages or the configuration's iterations, whichever comes first; 0 is no
// limit, but one of the two there must be. A job of one process has no
// messages, so its program is done as soon as it has started.
func New(c Config, n int, shape []int, quota int64, rng *rand.Rand) (Program, error) {
	p, err := NewPattern(c, n, shape, rng)
	if err != nil {
		return nil, err
	}
	if quota < 0 || quota == 0 && c.Iterations == 0 {
		return nil, fmt.Errorf("pattern %s: a quota of %d messages and %d iterations: one of them must be at least 1", c.Name, quota, c.Iterations)
	}
	times := c.Iterations
	if times == 0 {
		times = Forever
	}
	phases := Iterate(p, times)
	if quota > 0 {
		o, _ := c.options()
		if o.whole {
			quota = wholeIterations(quota, p.Messages())
		}
		phases = Quota(phases, quota, o.cut)
	}
	return Barrier(phases, c.ComputeCycles), nil
}

// MessagesPerIteration returns how many messages one iteration has, exactly:
// the mean quota of Lo et al. (CIS-TR-94-11, App. A) is that of the mean-sized
// job. It is 0 for a job whose processes have no partner.
func MessagesPerIteration(c Config, n int, shape []int) (int64, error) {
	p, err := NewPattern(c, n, shape, nil)
	if err != nil {
		return 0, err
	}
	return p.Messages(), nil
}
