package sim

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"contend/experiments/stats"
	"contend/internal/processortime"
)

// Calibration is the mean time of the jobs of a stream alone on a machine, or of an iteration of a
// kind of job of a log, as a folder stores it.
type Calibration struct {
	Key    string  `json:"key"`    // hash of everything on which the time depends
	Cycles float64 `json:"cycles"` // the mean
	Half   float64 `json:"half"`   // half the width of its 95% interval, 0 of iterations
	Ratio  float64 `json:"ratio"`  // the mean over that of the undisturbed times
	Jobs   int     `json:"jobs"`   // jobs that were simulated to their end
}

// Calibrations are those that a Simulator makes, and those of earlier commands that it need not
// make again. The zero value is ready for use; several goroutines may use it at the same time.
type Calibrations struct {
	// Budget is the processor time after which a calibration ends with what it knows, for forecasts;
	// 0 means no limit.
	Budget time.Duration
	// Show, if not nil, is called with the jobs of a calibration that are done, parts of them too,
	// and with how many there are at most.
	Show func(done float64, most int)

	mu      sync.Mutex
	known   map[string]aloneMean
	seconds float64 // processor time of whole calibrations
}

// Restore adds calibrations of earlier commands.
func (c *Calibrations) Restore(list []Calibration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]aloneMean{}
	}
	for _, k := range list {
		c.known[k.Key] = aloneMean{cycles: k.Cycles, half: k.Half, ratio: k.Ratio, jobs: k.Jobs}
	}
}

// List returns all calibrations, restored and made, sorted by key.
func (c *Calibrations) List() (list []Calibration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, m := range c.known {
		list = append(list, Calibration{key, m.cycles, m.half, m.ratio, m.jobs})
	}
	slices.SortFunc(list, func(a, b Calibration) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// Seconds returns the processor time that the calibrations take which were begun and not restored:
// the time that they took, or where Budget ended them the time that they would take.
func (c *Calibrations) Seconds() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seconds
}

// of returns the calibration of a key, which measure makes unless it is known. One that is ended by
// Budget is not kept.
func (c *Calibrations) of(
	key any, measure func(*pace) (aloneMean, error),
) (aloneMean, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %+v", key, key))
	name := hex.EncodeToString(sum[:])
	c.mu.Lock()
	m, known := c.known[name]
	c.mu.Unlock()
	if known {
		return m, nil
	}
	runtime.LockOSThread() // whose time tells this calibration from others
	defer runtime.UnlockOSThread()
	p := &pace{c: c, began: time.Now(), used0: processortime.Thread()}
	m, err := measure(p)
	if err != nil {
		return m, err
	}
	c.mu.Lock()
	c.seconds += cmp.Or(p.whole, p.used().Seconds())
	c.mu.Unlock()
	if p.whole == 0 {
		c.Restore([]Calibration{{name, m.cycles, m.half, m.ratio, m.jobs}})
	}
	return m, nil
}

// pace is how far a calibration has come.
type pace struct {
	c      *Calibrations
	began  time.Time
	used0  time.Duration // processor time of the thread at the beginning
	before time.Duration // processor time of other parts of the calibration
	setup  time.Duration // processor time before its first job, which is not limited
	whole  float64       // the seconds that it would take, 0 if its time was not up
	// unknown says that nothing tells how long it would take: it then has several times its time.
	unknown bool
}

// patience is the factor by which a calibration of which nothing is known may exceed its time.
const patience = 5

// used returns the processor time of the calibration, at most the time of the clock.
func (p *pace) used() time.Duration {
	return min(processortime.Thread()-p.used0, time.Since(p.began))
}

// over reports whether the time is up.
func (p *pace) over() bool {
	limit := p.c.Budget
	if p.unknown {
		limit *= patience
	}
	return limit > 0 && p.before+p.used()-p.setup >= limit
}

// show shows the jobs that are done.
func (p *pace) show(done float64, most int) {
	if p.c.Show != nil {
		p.c.Show(done, most)
	}
}

// budgeted is a context that also ends when the time of a calibration is up.
type budgeted struct {
	context.Context
	pace *pace
}

// Err implements context.Context.
func (l budgeted) Err() error {
	if err := l.Context.Err(); err != nil || !l.pace.over() {
		return err
	}
	return context.DeadlineExceeded
}

// jobsNeeded returns the number of jobs that a calibration takes, from the relative half width of
// the interval after some.
func jobsNeeded(done int, half float64) float64 {
	if done < 2 || half == 0 {
		return stepAlone
	}
	n := float64(stats.Estimate{N: done, Half: half}.ValuesFor(aloneHalf, 0.95))
	return min(maxAlone, max(stepAlone, stepAlone*math.Ceil(n/stepAlone)))
}
