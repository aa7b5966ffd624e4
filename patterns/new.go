package patterns

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
)

// New returns the program of a job of n processes. The job ends after the quota of
// messages or the configured number of iterations, whichever comes first. A limit of 0
// does not apply, and at least one of the two must. A pattern with a code always
// completes the iteration that reaches the quota. A job of one process has no messages,
// so its program is done as soon as it has started.
func New(c Config, n int, shape []int, quota int64, rng *rand.Rand) (Program, error) {
	switch {
	case c.Work != nil:
		return newWorkProgram(c, n, shape, quota, rng)
	case OwnSizes(c.Name):
		return newCodeProgram(c, n, quota, rng)
	}
	p, err := NewPattern(c, n, shape, rng)
	if err != nil {
		return nil, err
	}
	if err := c.checkEnd(quota); err != nil {
		return nil, err
	}
	if c.SharesCounter() {
		return newCounterProgram(p, n, c, quota), nil
	}
	return newPhaseProgram(p, c, quota), nil
}

// newCodeProgram returns the program of a pattern with a code.
func newCodeProgram(c Config, n int, quota int64, rng *rand.Rand) (Program, error) {
	if c.Draws() && rng != nil {
		c.Collective.seed = rng.Uint64()
	}
	code, rest, err := c.newWorkingCode(n)
	if err != nil {
		return nil, err
	}
	if err := c.checkEnd(quota); err != nil {
		return nil, err
	}
	times := int64(0)
	if messages := code.Messages(); messages > 0 {
		times = c.iterations(quota, messages)
	}
	p := newThreads(n, code.Threads(), repeatCode(code, times, c.PauseCycles+rest))
	_, p.independent = code.(Independent)
	p.perIteration = int64(code.Parts() / code.Threads())
	p.parts = times * p.perIteration
	return p, nil
}

// NewScript returns the script of n processes for the configured number of iterations of a pattern
// with a code, the one that New runs. It refuses codes whose processes have several threads.
func NewScript(c Config, n int) (Script, error) {
	code, rest, err := c.newWorkingCode(n)
	if err != nil {
		return nil, err
	}
	if k := code.Threads(); k > 1 {
		return nil, fmt.Errorf("pattern %s: a process has %d threads, and a script has one: take "+
			"fewer channels", c.Name, k)
	}
	return repeatCode(code, c.Iterations, c.PauseCycles+rest), nil
}

// iterations returns the number of iterations, each of some messages, that complete the quota, at
// most the configured number. A limit of 0 does not apply.
func (c Config) iterations(quota, messages int64) int64 {
	times := c.Iterations
	if whole := (quota-1)/messages + 1; quota > 0 && (times == 0 || whole < times) {
		times = whole
	}
	return times
}

// newWorkProgram returns the program of a Work, which completes its iterations. An iteration
// without messages counts as one message.
func newWorkProgram(c Config, n int, shape []int, quota int64, rng *rand.Rand) (Program, error) {
	w, err := c.Work(n, shape, rng)
	if err != nil {
		return nil, err
	}
	if err := c.checkEnd(quota); err != nil {
		return nil, err
	}
	return w.Program(c, c.iterations(quota, max(1, w.Messages()))), nil
}

// checkEnd refuses a program without an end.
func (c Config) checkEnd(quota int64) error {
	if quota < 0 || quota == 0 && c.Iterations == 0 {
		return fmt.Errorf("pattern %s: a quota of %d messages and %d iterations: one of them must be "+
			"at least 1", c.Name, quota, c.Iterations)
	}
	return nil
}

// MessagesOf returns the number of messages of an iteration and of the whole program that New
// returns for the same arguments. With cut = phase, which completes the last phase, total is the
// quota. Both are 0 without messages. The quota is at least 1.
func MessagesOf(c Config, n int, shape []int, quota int64) (iteration, total int64, err error) {
	iteration, err = MessagesPerIteration(c, n, shape)
	if err != nil || iteration == 0 {
		return 0, 0, err
	}
	total = quota
	if c.OwnSizes() || c.Cut == "iteration" {
		total = wholeIterations(quota, iteration)
	}
	if c.Iterations > 0 {
		total = min(total, c.Iterations*iteration)
	}
	return iteration, total, nil
}

// SizeError is the error for a number of processes that a pattern does not support.
type SizeError struct{ problem string }

func (e *SizeError) Error() string { return e.problem }

// NewSizeError makes a SizeError, for patterns made outside of the package.
func NewSizeError(problem string) *SizeError { return &SizeError{problem} }

// ReleasedAtOnce estimates the number of messages that processes release before one of them has to
// arrive: the messages of a mean phase; all messages of an exchange in which no process waits
// before the end; or one message per thread of a process if processes wait for each other.
func ReleasedAtOnce(c Config, n int, shape []int) (int64, error) {
	if c.Tasks {
		return int64(n), nil
	}
	if OwnSizes(c.Name) {
		code, err := NewCode(c, n)
		if err != nil {
			return int64(n), err
		}
		if d, ok := code.(directCode); ok {
			return d.Messages(), nil
		}
		return int64(n) * int64(code.Threads()), nil
	}
	p, err := NewPattern(c, n, shape, nil)
	if errors.Is(err, ErrNoPhases) {
		return int64(n), nil
	}
	if err != nil || p.Messages() == 0 {
		return 0, err
	}
	return (p.Messages()-1)/int64(max(1, p.Phases())) + 1, nil
}

// MessagesPerIteration returns the exact number of messages of one iteration. The mean
// quota of Lo et al. (CIS-TR-94-11, App. A) is that of the mean-sized job. The number
// is 0 for a job whose processes have no partners.
func MessagesPerIteration(c Config, n int, shape []int) (int64, error) {
	if c.Work != nil {
		w, err := c.Work(n, shape, nil)
		if err != nil {
			return 0, err
		}
		if p, is := w.(Phases); is {
			return p.Messages(), nil
		}
		return max(1, w.Messages()), nil
	}
	if OwnSizes(c.Name) {
		code, err := NewCode(c, n)
		if err != nil {
			return 0, err
		}
		return code.Messages(), nil
	}
	p, err := NewPattern(c, n, shape, nil)
	if err != nil {
		return 0, err
	}
	return p.Messages(), nil
}

// Sized is a Work that knows the length of its messages.
type Sized interface {
	// Flits returns the flits of all messages of one iteration.
	Flits(c Config) int64
}

// meanRanks is the number of processes from whose messages MeanFlits estimates a mean.
const meanRanks = 16

// MeanFlits returns the mean length of the messages of an iteration in flits, at least 1: exact if
// all have one length or for a Sized work, otherwise estimated from some processes. It returns 1
// for a pattern without messages and where nothing is known.
func MeanFlits(c Config, n int, shape []int) float64 {
	if !c.OwnSizes() {
		return float64(cmp.Or(c.Flits, 8))
	}
	flits, messages := int64(0), int64(0)
	if c.Work != nil {
		w, err := c.Work(n, shape, nil)
		if sized, ok := w.(Sized); ok && err == nil {
			flits, messages = sized.Flits(c), w.Messages()
		}
	} else if code, err := NewCode(c, n); err == nil {
		var part []Operation
		for r := 0; r < n; r += (n + meanRanks - 1) / meanRanks {
			for k := range code.Parts() {
				part = code.Part(part[:0], Rank(r), k)
				for _, o := range part {
					if o.kind == sendOperation {
						flits, messages = flits+int64(o.flits), messages+1
					}
				}
			}
		}
	}
	return max(1, float64(flits)/float64(max(1, messages)))
}
