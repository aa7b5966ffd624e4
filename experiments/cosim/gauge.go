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

// Gauge shows the progress of a run. The run updates it from time to time. Any goroutine may read
// it at any time. The methods that update a Gauge accept nil and then do nothing.
type Gauge struct {
	start    time.Time
	fraction atomic.Uint64 // the bits of a float64 from 0 to 1
	begun    atomic.Int64  // nanoseconds from start to the beginning of the simulation; 0 before
	aside    atomic.Int64  // nanoseconds of the simulation spent on shared computations
	sharing  atomic.Int64  // nanoseconds from start to the current shared computation; 0 if none
	total    atomic.Int64  // all of the run's work; 0 before it is known
	moment   atomic.Pointer[Moment]

	// Of the goroutine of the run.
	state func() Moment    // what the moment is now; nil if the run has none
	told  time.Time        // when the moment was updated
	clock func() time.Time // the time

	// Patience, Pace and Stop are for one goroutine at a time.
	until     time.Duration // simulated time at which Patience compares two halves
	halfTime  time.Duration // simulated time at the end of the first half; 0 before
	halfShare float64       // the fraction by then
	stopped   time.Duration // from start to Stop; 0 before
}

// NewGauge returns the gauge of a run that starts now.
func NewGauge() *Gauge { return &Gauge{start: time.Now(), clock: time.Now} }

// Fraction returns the share of the run's work that is done, from 0 to 1. It never decreases.
// Work is counted in messages if there is a network and no jump, otherwise in jobs.
func (g *Gauge) Fraction() float64 { return math.Float64frombits(g.fraction.Load()) }

// Show sets the fraction to done over total. With a total of 0 it does nothing.
func (g *Gauge) Show(done, total int64) {
	if g != nil && total > 0 {
		g.total.Store(total)
		g.fraction.Store(math.Float64bits(min(1, float64(done)/float64(total))))
	}
}

// Begin records the end of the setup and the beginning of the simulation.
func (g *Gauge) Begin() {
	if g != nil {
		g.begun.Store(max(1, int64(time.Since(g.start))))
	}
}

// share records the beginning of a shared computation, and returns a function that records its
// end.
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

// own returns the time that the run itself has taken so far, for its setup and for its simulation
// without shared computations. The second is 0 before the simulation begins.
func (g *Gauge) own() (setup, simulated time.Duration) {
	all := time.Since(g.start)
	if g.stopped > 0 {
		all = g.stopped
	}
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

// effort accumulates the work of a run's jobs.
type effort struct {
	total, done int64
	network     bool            // work is messages, not jobs
	only        scheduler.JobID // the one job that counts; 0 for all
}

// of returns the work of a job.
func (e *effort) of(j *scheduler.Job) int64 {
	switch {
	case e.only != 0 && j.ID != e.only:
		return 0
	case !e.network || j.Size == 1: // a single process sends nothing
		return 1
	}
	return max(1, j.Quota)
}

// add adds the work of a job to the total, up to the greatest number.
func (e *effort) add(j *scheduler.Job) {
	e.total += min(e.of(j), math.MaxInt64-e.total)
}

// newEffort returns the work of a run that has not begun. It draws the jobs of a generated stream
// a second time. With jumps a job costs what its beginning and its end do, however many messages
// lie between, so work is jobs.
func newEffort(u *Setup, jumps bool) effort {
	e := effort{network: u.net != nil && (!jumps || u.Work.until > 0)}
	if u.Work.until > 0 {
		e.only = 1
	}
	switch source := u.Work.Source.(type) {
	case *scheduler.List:
		for i := range source.Jobs {
			e.add(&source.Jobs[i])
		}
	case *scheduler.Synthetic:
		again := source.Again()
		for j, err := again.Next(); !errors.Is(err, io.EOF); j, err = again.Next() {
			e.add(&j)
		}
	}
	return e
}

// poll returns a function that updates the gauge and reports whether to stop the run. The
// function done returns the work that is done.
func (g *Gauge) poll(ctx context.Context, total int64, done func() int64) func() bool {
	return func() bool {
		g.Show(done(), total)
		g.tell(false)
		return ctx.Err() != nil
	}
}
