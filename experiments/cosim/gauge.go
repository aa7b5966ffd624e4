package cosim

import (
	"context"
	"errors"
	"io"
	"math"
	"sync/atomic"
	"time"

	"contend/scheduler"
)

// Gauge shows how far a run is. The run moves it now and then; anybody may look
// at it at any time. A nil Gauge shows nothing.
type Gauge struct {
	start    time.Time
	fraction atomic.Uint64 // the bits of a float64 from 0 to 1
	begun    atomic.Int64  // nanoseconds from start to the simulation's begin; 0 before
	aside    atomic.Int64  // nanoseconds of it spent on what runs share
	sharing  atomic.Int64  // nanoseconds from start to when it last turned to that; 0: it has not
}

// NewGauge returns the gauge of a run that starts now.
func NewGauge() *Gauge { return &Gauge{start: time.Now()} }

// Fraction returns the share of the run's work that is done, from 0 to 1. It
// never falls. Work is messages where there is a network, otherwise jobs.
func (g *Gauge) Fraction() float64 { return math.Float64frombits(g.fraction.Load()) }

func (g *Gauge) Show(done, total int64) {
	if g != nil && total > 0 {
		g.fraction.Store(math.Float64bits(min(1, float64(done)/float64(total))))
	}
}

// Begin notes that the run is set up and its simulation begins.
func (g *Gauge) Begin() {
	if g != nil {
		g.begun.Store(max(1, int64(time.Since(g.start))))
	}
}

// share notes that the run turns to what runs share, and returns a function
// that notes that it is through with it.
func (g *Gauge) share() func() {
	if g == nil {
		return func() {}
	}
	g.sharing.Store(max(1, int64(time.Since(g.start))))
	return func() {
		g.aside.Add(int64(time.Since(g.start)) - g.sharing.Load())
		g.sharing.Store(0)
	}
}

// own returns how long the run itself has taken so far: its setup, and its
// simulation less what it did that other runs profit from. simulated is 0
// before the simulation begins.
func (g *Gauge) own() (setup, simulated time.Duration) {
	all := time.Since(g.start)
	begun := time.Duration(g.begun.Load())
	if begun == 0 {
		return all, 0
	}
	until := all
	if sharing := time.Duration(g.sharing.Load()); sharing > 0 {
		until = sharing
	}
	return begun, max(0, until-begun-time.Duration(g.aside.Load()))
}

// effort adds up the work of a run's jobs.
type effort struct {
	total, done int64
	network     bool            // messages count, not jobs
	only        scheduler.JobID // the one job that counts; 0: all
}

// of returns the work of a job.
func (e *effort) of(j *scheduler.Job) int64 {
	switch {
	case e.only != 0 && j.ID != e.only:
		return 0
	case !e.network || j.Size == 1: // a process has nobody to send to
		return 1
	}
	return max(1, j.Quota)
}

// newEffort adds up the work ahead. Where a stream is generated and messages
// count, its jobs are drawn once more.
func newEffort(u *Setup) effort {
	e := effort{network: u.net != nil}
	if u.Work.until > 0 {
		e.only = 1
	}
	switch source := u.Work.Source.(type) {
	case *scheduler.List:
		for i := range source.Jobs {
			e.total += e.of(&source.Jobs[i])
		}
	case *scheduler.Synthetic:
		again := source.Again()
		for j, err := again.Next(); !errors.Is(err, io.EOF); j, err = again.Next() {
			e.total += e.of(&j)
		}
	}
	return e
}

// poll returns what a run calls now and then: it moves the gauge and reports
// whether to give up. done returns the work done so far.
func (g *Gauge) poll(ctx context.Context, total int64, done func() int64) func() bool {
	return func() bool {
		g.Show(done(), total)
		return ctx.Err() != nil
	}
}

// Patience returns how much longer a probe may go on: until it has simulated
// for the time given, or for the little that is left of it. It reports false
// where it has seen enough.
func (g *Gauge) Patience(each time.Duration) (time.Duration, bool) {
	_, simulated := g.own()
	if simulated < each {
		return each - simulated, true
	}
	f := g.Fraction()
	if f == 0 {
		return 0, true
	}
	rest := time.Duration(float64(simulated) * (1 - f) / f)
	return rest, rest <= each
}

// Whole returns how many seconds the run takes from beginning to end; 0 where
// that cannot be told.
func (g *Gauge) Whole(ended bool) float64 {
	setup, simulated := g.own()
	if ended {
		return (setup + simulated).Seconds()
	}
	f := g.Fraction()
	if f == 0 {
		return 0
	}
	return setup.Seconds() + simulated.Seconds()/f
}
