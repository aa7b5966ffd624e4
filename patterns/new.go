package patterns

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// New returns the program of a job of n processes. It ends after the quota of
// messages or the configuration's iterations, whichever comes first; 0 is no
// limit, but one of the two there must be. A pattern with a code always
// completes the iteration in which its quota is reached. A job of one process
// has no messages, so its program is done as soon as it has started.
func New(c Config, n int, shape []int, quota int64, rng *rand.Rand) (Program, error) {
	if hasCode(c.Name) {
		return newCodeProgram(c, n, quota)
	}
	p, err := NewPattern(c, n, shape, rng)
	if err != nil {
		return nil, err
	}
	if err := c.checkEnd(quota); err != nil {
		return nil, err
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

// newCodeProgram returns the program of a pattern with a code. It is not
// verified anew: the tests verify every code.
func newCodeProgram(c Config, n int, quota int64) (Program, error) {
	code, err := NewCode(c, n)
	if err != nil {
		return nil, err
	}
	if err := c.checkEnd(quota); err != nil {
		return nil, err
	}
	times, messages := c.Iterations, code.Messages()
	switch {
	case messages == 0:
		times = 0
	case quota > 0:
		if whole := (quota-1)/messages + 1; times == 0 || whole < times {
			times = whole
		}
	}
	return newProcesses(n, repeatApart(code, times, c.PauseCycles)), nil
}

// checkEnd refuses a program that would never end.
func (c Config) checkEnd(quota int64) error {
	if quota < 0 || quota == 0 && c.Iterations == 0 {
		return fmt.Errorf("pattern %s: a quota of %d messages and %d iterations: one of them must be "+
			"at least 1", c.Name, quota, c.Iterations)
	}
	return nil
}

// SizeError says that a pattern is not one for so many processes.
type SizeError struct{ problem string }

func (e *SizeError) Error() string { return e.problem }

// hasCode reports whether NewCode, and not NewPattern, knows the name.
func hasCode(name string) bool {
	return slices.ContainsFunc(codeNames(), func(i Info) bool { return i.Name == name })
}

// OwnSizes reports whether a pattern's messages have sizes of their own, so
// that Flits has no meaning for it.
func OwnSizes(name string) bool { return hasCode(name) }

// OneLength reports whether all messages of a pattern have the length Flits
// gives.
func OneLength(name string) bool { return name != "call" && !OwnSizes(name) }

// MessagesPerIteration returns how many messages one iteration has, exactly:
// the mean quota of Lo et al. (CIS-TR-94-11, App. A) is that of the mean-sized
// job. It is 0 for a job whose processes have no partner.
func MessagesPerIteration(c Config, n int, shape []int) (int64, error) {
	if hasCode(c.Name) {
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
