package cosim

import (
	"context"
	"errors"
	"sync"

	"contend/allocation"
	"contend/experiments/spec"
	"contend/router"
	"contend/scheduler"
)

// Simulator turns specs into results. It keeps what runs have in common: logs
// that were read, networks known to be free of deadlock, and how long patterns
// take alone. Several runs may use it at the same time.
type Simulator struct {
	// TraceDirs are where logs are looked for, after the path as given.
	TraceDirs []string
	// AtOnce is how many runs are made at a time; 0 for one.
	AtOnce int

	mu     sync.Mutex
	spent  map[string]spent // on patterns alone, by pattern
	shared shared
}

// Run simulates one replication of a plan.
func (s *Simulator) Run(
	ctx context.Context, plan *spec.Plan, replication int, extra *Extra,
) (Result, error) {
	if plan.Workload.Source == spec.SourceTraffic {
		return s.runTraffic(ctx, plan, replication, extra)
	}
	u, err := s.Prepare(plan, replication)
	if err != nil {
		return Result{}, err
	}
	order, _ := s.Order(plan, plan.SpanOrder) // none where the machine has no such order
	meter := newCollector(plan, newCompactness(plan, order), u.Work.clock, extra)
	meter.own = newOwnMeters(plan, u.Work.clock)
	if plan.CountTies {
		if meter.ties = countTies(u.alloc); meter.ties != nil {
			u.alloc = meter.ties
		}
	}
	sim := scheduler.Sim{
		Source: u.Work.Source, Policy: u.policy, Allocator: u.alloc, Free: allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.Work.clock, KillOverruns: plan.Scheduler.OnOverrun == spec.OverrunKill,
		Log: s.logFile(plan.Workload.Trace), Record: meter.record,
	}
	var gauge *Gauge
	if extra != nil {
		gauge = extra.Gauge
	}
	work := newEffort(&u)
	poll := gauge.poll(ctx, work.total, func() int64 { return int64(meter.response.N) })
	sim.Decided = meter.decided(&u)
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.Work.clock, Speedup: plan.Job.Speedup}
	} else {
		x := newNetExecutor(u.net, u.Work.patterns, u.Work.clock)
		x.software = software(plan)
		if extra != nil && extra.Jobs {
			x.ended = meter.ended
		}
		x.work = work
		poll = gauge.poll(ctx, work.total, func() int64 { return x.work.done })
		x.stop = poll
		sim.Executor = x
	}
	if list, ok := u.Work.Source.(*scheduler.List); ok {
		meter.offeredLoad, _ = scheduler.Load(list.Jobs, u.machine.Nodes())
	}
	meter.undisturbed = s.undisturbed(plan, &u, gauge)
	sim.Stop = func() bool { return poll() || u.Work.until > 0 && meter.response.N >= u.Work.until }
	gauge.Begin()
	totals, err := sim.Run()
	switch {
	case errors.Is(err, scheduler.ErrStopped) && ctx.Err() == nil: // the job looked at is done
	case errors.Is(err, scheduler.ErrStopped):
		return Result{}, ctx.Err()
	case err != nil:
		var stuck *router.StuckError
		if errors.As(err, &stuck) {
			return Result{}, err
		}
		return Result{}, &spec.InputError{Problem: err.Error()}
	}
	gauge.Show(1, 1)
	return meter.result(&totals, u.net), nil
}
