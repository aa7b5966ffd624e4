package patterns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Config names a pattern and its options. A pattern ignores options that it does not use, so that
// one configuration serves a comparison of patterns. Package config checks the bounds of numbers.
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
	//   - CutCounter keeps the messages that processes, sending one after the other, come to send;
	//   - CutCounterBarriers does so without barriers: a process waits for its own messages only.
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
	Work func(n int, shape []int, stream *rand.Rand) (Work, error)
	// Tasks reports whether Work is a graph of tasks for every number of processes and never Phases.
	// It does not depend on shapes then.
	Tasks bool
	// Rate distinguishes works of the same name that convert time to cycles differently, or that
	// programs answered differently.
	Rate string
	// RendezvousFlits is the minimum length, in flits, of messages that a Work sends by rendezvous.
	// The value 0 sends all messages eagerly.
	RendezvousFlits int64
	// PadFlits rounds up the flits of a message with a size in bytes to a multiple, at
	// least 1. The value 0 means 1.
	PadFlits int
}

// Work is the work of the processes of a job that is neither a Pattern nor a Code: a graph of
// tasks, or Phases.
type Work interface {
	// Messages is the number of messages of one iteration.
	Messages() int64
	// Program returns a program of the given iterations, at least 1. FlitBytes, PadFlits and Scale
	// set the lengths of its messages, and RendezvousFlits which of tasks go by rendezvous.
	Program(c Config, iterations int64) Program
}

// check refuses a number of processes that no job has, and options without a meaning, whatever the
// pattern.
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

// gridSides returns the sides of the grid of n processes.
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
