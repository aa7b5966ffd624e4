package cosim

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"contend/allocation"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// Simulator runs plans. It keeps what runs have in common: logs, the freedom of networks from
// deadlock, and the times of patterns alone. The zero value is ready for use. Several runs may
// use a Simulator at the same time.
type Simulator struct {
	// TraceDirs are folders in which logs are looked up, after the path as given.
	TraceDirs []string
	// AtOnce is the number of concurrent runs, for the check of memory. The value 0 means 1.
	AtOnce int

	mu     sync.Mutex
	asked  time.Time        // when memory was asked for
	memory int64            // available then, in bytes
	spent  map[string]spent // time spent on patterns alone, by pattern
	shared shared
}

// Run simulates one replication of a plan. The argument extra may be nil. Run returns an
// *spec.InputError for invalid input, a *router.StuckError for a deadlock, and the error of the
// context if it is cancelled.
func (s *Simulator) Run(
	ctx context.Context, plan *spec.Plan, replication int, extra *Extra,
) (Result, error) {
	if plan.Workload.Source == spec.SourceTraffic {
		return s.runTraffic(ctx, plan, replication, extra)
	}
	if err := checkExtra(plan, extra); err != nil {
		return Result{}, err
	}
	u, err := s.Prepare(plan, replication)
	if err != nil {
		return Result{}, err
	}
	var gauge *Gauge
	if extra != nil {
		gauge = extra.Gauge
	}
	meter := s.newMeter(plan, &u, extra, gauge)
	if meter.trim, err = newTrim(plan, u.Work.Source); err != nil {
		return Result{}, err
	}
	if u.net != nil && plan.FastForward == 0 {
		u.net.Watch(meter.latencies.packet)
	}
	sim := scheduler.Sim{
		Source: u.Work.Source, Policy: u.policy, Allocator: u.alloc,
		Free:  allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.Work.clock, KillOverruns: plan.Scheduler.OnOverrun == spec.OverrunKill,
		Log: s.logFile(plan.Workload.Trace), Record: meter.record, Decided: meter.decided(&u),
	}
	poll := s.setExecutor(ctx, &sim, plan, &u, meter, gauge)
	s.watch(gauge, plan, replication, &u, sim.Executor)
	sim.Stop = func() bool { return poll() || u.Work.until > 0 && meter.ends >= u.Work.until }
	gauge.Begin()
	totals, err := sim.Run()
	if err := runError(ctx, err); err != nil {
		return Result{}, err
	}
	used, err := meter.carried(sim.Executor, u.net)
	if err := runError(ctx, err); err != nil {
		return Result{}, err
	}
	gauge.Show(1, 1)
	gauge.tell(true)
	r := meter.result(&totals, used)
	r.inRealUnits(plan, cmp.Or(u.Work.clock.CyclesPerSecond, 1))
	return r, nil
}

// checkExtra refuses what needs every flit of a run in which time is jumped over.
func checkExtra(plan *spec.Plan, extra *Extra) error {
	if plan.FastForward == 0 || extra == nil || !extra.Links && !extra.Series && !extra.Waits {
		return nil
	}
	return spec.FieldFastForward.Bad("take 0, which simulates every flit, or leave these files out",
		"%s is %g, and the records of channels, of time series and of who waited for whom need every "+
			"flit", spec.FieldFastForward, plan.FastForward)
}

// carried returns what the network of a run carried, and nil if there is none. Jumps over time
// are checked first.
func (c *collector) carried(x scheduler.Executor, net *netsim.Network) (*carried, error) {
	switch x := x.(type) {
	case *epochs:
		c.jumps = x
		err := x.checks.run(x.stage)
		return x.carried(), err
	case *netExecutor:
		return carriedBy(net), nil
	}
	return nil, nil
}

// newMeter returns the collector of a run. It may wrap the allocator of the setup.
func (s *Simulator) newMeter(plan *spec.Plan, u *Setup, extra *Extra, gauge *Gauge) *collector {
	order, _ := s.Order(plan, plan.SpanOrder) // nil if the machine has no such order
	meter := newCollector(plan, newCompactness(plan, order), u.Work.clock, extra)
	meter.own = newOwnMeters(plan, u.Work.clock)
	if extra != nil && extra.Series {
		meter.timeline = newTimeline(plan, u.Work.clock, u.net)
	}
	if extra != nil && extra.Waits && u.net != nil {
		meter.waits = &jobWaits{net: u.net, cycles: map[jobPair]int64{}}
	}
	if plan.CountTies {
		if meter.ties = countTies(u.alloc); meter.ties != nil {
			u.alloc = meter.ties
		}
	}
	if list, ok := u.Work.Source.(*scheduler.List); ok {
		meter.submittedLoad, _ = scheduler.SubmittedLoad(list.Jobs, u.machine.Nodes())
		meter.offeredLoad, _ = scheduler.Load(list.Jobs, u.machine.Nodes())
	}
	meter.undisturbed = s.undisturbed(plan, u, gauge)
	return meter
}

// setExecutor sets the executor of a simulation. It returns a function that moves the gauge and
// reports whether to stop.
func (s *Simulator) setExecutor(
	ctx context.Context, sim *scheduler.Sim, plan *spec.Plan, u *Setup, meter *collector,
	gauge *Gauge,
) (poll func() bool) {
	work := newEffort(u, plan.FastForward > 0)
	ended := func() int64 { return int64(meter.ends) }
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.Work.clock, Speedup: plan.Job.Speedup}
		return gauge.poll(ctx, work.total, ended)
	}
	if plan.FastForward > 0 {
		x := newEpochs(u.net, u.Work.patterns, u.Work.clock,
			settling{plan.FastForward, plan.DrawsRoutes}, software(plan))
		if meter.extra != nil && meter.extra.Jobs {
			x.ended = meter.jumped
		}
		if work.network {
			ended = func() int64 { return x.work.done }
		}
		x.stop = gauge.poll(ctx, work.total, ended)
		x.stage.stop = x.stop
		x.checks = newChecks(plan.CheckJumps, plan.FastForward, u.jumps)
		sim.Executor = x
		return x.stop
	}
	x := newNetExecutor(u.net, u.Work.patterns, u.Work.clock)
	x.software = software(plan)
	if meter.extra != nil && meter.extra.Jobs {
		x.ended = meter.ended
	}
	if w := meter.waits; w != nil {
		x.began = w.began
		u.net.RecordWaits(w)
	}
	x.work = work
	x.stop = gauge.poll(ctx, work.total, func() int64 { return x.work.done })
	sim.Executor = x
	return x.stop
}

// runError returns the error of a run for the error of its simulation.
func runError(ctx context.Context, err error) error {
	var stuck *router.StuckError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, scheduler.ErrStopped):
		return ctx.Err() // nil if the measured job has ended
	case errors.As(err, &stuck):
		return err
	}
	return &spec.InputError{Problem: err.Error()}
}
