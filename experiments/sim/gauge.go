package sim

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"contend/experiments/metrics"
	"contend/scheduler"
)

// Gauge shows the progress of a run. The run updates it from time to time. Any goroutine may read
// it at any time. The methods that update a Gauge accept nil and then do nothing.
type Gauge struct {
	start    time.Time
	fraction atomic.Uint64 // the bits of a float64 from 0 to 1
	setup    atomic.Int64  // nanoseconds from start to the beginning of the simulation; 0 before
	paused   atomic.Int64  // nanoseconds of the simulation spent on computations that runs share
}

// NewGauge returns the gauge of a run that starts now.
func NewGauge() *Gauge { return &Gauge{start: time.Now()} }

// Fraction returns the share of the run's work that is done, from 0 to 1. It never decreases.
// Work is counted in messages if there is a network and no jump, otherwise in jobs.
func (g *Gauge) Fraction() float64 { return math.Float64frombits(g.fraction.Load()) }

// Show sets the fraction to done over total. With a total of 0 it does nothing.
func (g *Gauge) Show(done, total int64) {
	if g != nil && total > 0 {
		g.fraction.Store(math.Float64bits(min(1, float64(done)/float64(total))))
	}
}

// Begin records the end of the setup and the beginning of the simulation.
func (g *Gauge) Begin() {
	if g != nil {
		g.setup.Store(max(1, int64(time.Since(g.start))))
	}
}

// pause stops the time of the simulation for a computation that runs share, and returns a function
// that resumes it.
func (g *Gauge) pause() func() {
	if g == nil {
		return func() {}
	}
	began := time.Now()
	return func() { g.paused.Add(int64(time.Since(began))) }
}

// Spent returns the time that the run has taken so far, for its setup and for its simulation
// without computations that runs share. The second is 0 before the simulation begins.
func (g *Gauge) Spent() (setup, simulated time.Duration) {
	all := time.Since(g.start)
	if setup = time.Duration(g.setup.Load()); setup == 0 {
		return all, 0
	}
	return setup, max(0, all-setup-time.Duration(g.paused.Load()))
}

// Whole returns the expected time of the whole run at the pace so far, 0 if nothing is done yet.
func (g *Gauge) Whole() time.Duration {
	setup, simulated := g.Spent()
	fraction := g.Fraction()
	if fraction == 0 {
		return 0
	}
	return setup + time.Duration(min(float64(simulated)/fraction, math.MaxInt64/2))
}

// effort is the work of a run's jobs.
type effort struct {
	total   int64           // of all jobs, at most the greatest int64
	network bool            // work is messages, not jobs
	only    scheduler.JobID // the one job that counts; 0 for all
}

// of returns the work of a job: 1, or its messages.
func (e *effort) of(j *scheduler.Job) int64 {
	switch {
	case e.only != 0 && j.ID != e.only:
		return 0
	case !e.network || j.Size == 1: // a single process sends nothing
		return 1
	}
	return max(1, j.Quota)
}

// addPairs adds the work of each two jobs beside each other, where it is known which jobs are on
// the machine at the same time: of jobs that start together.
func (e *effort) addPairs(w *Work) {
	if list, ok := w.Source.(*scheduler.List); ok && w.places != nil {
		e.total *= int64(len(list.Jobs))
	}
}

// newEffort returns the work of a run that has not begun. It draws the jobs of a generated stream
// a second time. With jumps a job costs what its beginning and its end do, however many messages
// lie between, so work is jobs.
func newEffort(u *Setup, jumps bool) effort {
	e := effort{network: u.net != nil && (!jumps || u.Work.lastEnd > 0)}
	if u.Work.lastEnd > 0 {
		e.only = 1
	}
	for j := range metrics.Jobs(u.Work.Source) {
		e.total += min(e.of(j), math.MaxInt64-e.total)
	}
	return e
}

// poll returns a function that updates the gauge and reports whether to stop the run. The
// function done returns the work that is done.
func (g *Gauge) poll(ctx context.Context, total int64, done func() int64) func() bool {
	return func() bool {
		g.Show(done(), total)
		return ctx.Err() != nil
	}
}
