package sim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"contend/internal/processortime"
)

// Calibration is the mean time of the jobs of a stream alone on a machine, as a folder stores it.
type Calibration struct {
	Key    string  `json:"key"`    // hash of everything on which the time depends
	Cycles float64 `json:"cycles"` // the mean
	Half   float64 `json:"half"`   // half the width of its 95% interval
	Ratio  float64 `json:"ratio"`  // the mean over that of the undisturbed times
	Jobs   int     `json:"jobs"`   // jobs that were simulated to their end
}

// Calibrations are those that a Simulator makes, and those of earlier commands that it need not
// make again. The zero value is ready for use; several goroutines may use it at the same time.
type Calibrations struct {
	// Budget is the processor time after which a calibration ends with what it knows, for forecasts;
	// 0 means no limit.
	Budget time.Duration
	// Show, if not nil, is called with the jobs of a calibration that are done, and with how many
	// there are at most.
	Show func(done, most int)

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
	key aloneMeanKey, measure func(*pace) (aloneMean, error),
) (aloneMean, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", key))
	name := hex.EncodeToString(sum[:])
	c.mu.Lock()
	m, known := c.known[name]
	c.mu.Unlock()
	if known {
		return m, nil
	}
	p := &pace{c: c, began: time.Now(), before: processortime.Used(), share: 1}
	m, err := measure(p)
	if err != nil {
		return m, err
	}
	c.mu.Lock()
	c.seconds += p.used().Seconds() / p.share
	c.mu.Unlock()
	if p.share == 1 {
		c.Restore([]Calibration{{name, m.cycles, m.half, m.ratio, m.jobs}})
	}
	return m, nil
}

// pace is how far a calibration has come.
type pace struct {
	c      *Calibrations
	began  time.Time
	before time.Duration
	share  float64 // of the whole work that is done at the end
}

// used returns the processor time of the calibration, at most the time of the clock, as others may
// be made at the same time.
func (p *pace) used() time.Duration {
	return min(processortime.Used()-p.before, time.Since(p.began))
}

// over reports whether the time is up.
func (p *pace) over() bool { return p.c.Budget > 0 && p.used() >= p.c.Budget }

// show shows the jobs that are done.
func (p *pace) show(done int) {
	if p.c.Show != nil {
		p.c.Show(done, maxAlone)
	}
}

// limit returns a context that ends when the time is up, and a function that releases it.
func (p *pace) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.c.Budget == 0 {
		return context.WithCancel(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(max(time.Millisecond, p.c.Budget/20))
		defer tick.Stop()
		for ctx.Err() == nil && !p.over() {
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
		stop()
	}()
	return ctx, stop
}

// jobsNeeded returns the number of jobs that a calibration takes, from the relative half width of
// the interval after some.
func jobsNeeded(done int, half float64) float64 {
	if done < 2 || half == 0 {
		return stepAlone
	}
	n := float64(done) * math.Pow(half/aloneHalf, 2)
	return min(maxAlone, max(stepAlone, stepAlone*math.Ceil(n/stepAlone)))
}
