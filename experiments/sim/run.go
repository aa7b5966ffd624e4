package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Simulator runs plans. It keeps what runs have in common: logs, the freedom of networks from
// deadlock, and the times of patterns alone. The zero value is ready for use. Several runs may
// use a Simulator at the same time.
type Simulator struct {
	// TraceDirs are the folders of logs, which are searched after the path as given.
	TraceDirs []string
	// AtOnce is the number of concurrent runs, for the check of memory. The value 0 means 1.
	AtOnce int

	mu       sync.Mutex
	memoryAt time.Time // when memory was measured
	memory   int64     // available then, in bytes
	shared   shared
}

// Extra requests more than metrics from a run, and holds what the run answers.
type Extra struct {
	metrics.Records
	// Gauge shows the progress of the run. It may be nil.
	Gauge *Gauge
}

// Run simulates one replication of a plan. The argument extra may be nil. Run returns an
// *input.Error for invalid input, a *router.StuckError for a deadlock, and the error of the
// context if it is cancelled.
func (s *Simulator) Run(
	ctx context.Context, plan *config.Plan, replication int, extra *Extra,
) (r metrics.Result, err error) {
	if extra == nil {
		extra = &Extra{}
	}
	gauge := extra.Gauge
	if plan.Workload.Source == config.SourceTraffic {
		return s.runTraffic(ctx, plan, replication, &extra.Records)
	}
	if err := CheckJumps(plan, &extra.Records); err != nil {
		return r, err
	}
	u := Setup{life: lifetime.New(ctx)}
	defer u.life.End()
	if u, err = s.prepare(plan, replication, u); err != nil {
		return r, err
	}
	order, err := s.spanOrder(plan)
	if err != nil {
		return r, err
	}
	meter, err := metrics.NewCollector(metrics.Setup{Plan: plan, Clock: u.Work.clock, Order: order,
		Source: u.Work.Source, Net: u.net, Undisturbed: s.undisturbed(plan, &u, gauge),
		Decision: u.decision, Records: &extra.Records,
		Alone: s.apart(ctx, plan, &u, replication, gauge)})
	if err != nil {
		return r, err
	}
	u.alloc = meter.CountTies(u.alloc)
	if u.net != nil && plan.FastForward == 0 {
		u.net.Watch(meter.Packet)
	}
	sim := scheduler.Sim{
		Source: u.Work.Source, Policy: u.policy, Allocator: u.alloc,
		Free:  allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.Work.clock, KillOverruns: plan.Scheduler.OnOverrun == config.OverrunKill,
		Log: s.logFile(plan.Workload.Trace), Record: meter.Record, Decided: meter.Decided(u.alloc),
	}
	poll := s.setExecutor(ctx, &sim, plan, &u, meter, gauge, extra.Interference)
	executor := sim.Executor
	if sim.Executor, err = s.newMapped(plan, u.Work, executor); err != nil {
		return r, err
	}
	sim.Stop = func() bool {
		return poll() || u.life.Err() != nil || u.Work.until > 0 && meter.Ends() >= u.Work.until
	}
	gauge.Begin()
	totals, err := sim.Run()
	if failure := u.life.Err(); failure != nil {
		return r, failure
	}
	if err := runError(ctx, err); err != nil {
		return r, err
	}
	used, more, err := carried(executor)
	if err := runError(ctx, err); err != nil {
		return r, err
	}
	gauge.Show(1, 1)
	return meter.Result(&totals, used, more), nil
}

// CheckJumps refuses rows and plans that need every flit, if the plan jumps over time. Where
// messages take rails in turn, the rail of a message depends on all that its node has sent before,
// also for jobs that have ended.
func CheckJumps(plan *config.Plan, r *metrics.Records) error {
	switch {
	case plan.FastForward == 0:
	case slices.ContainsFunc(plan.Job.Patterns,
		func(p config.PatternPlan) bool { return p.Work != nil }):
		return config.FieldFastForward.Bad("take 0, which simulates every flit",
			"%s is %g, and graphs of tasks compute at times that jumps do not know", config.FieldFastForward,
			plan.FastForward)
	case r.Links || r.Series || r.Interference:
		files := "links.csv (what packets wait at each channel)"
		switch {
		case r.Links:
		case r.Series:
			files = "series.csv and load.csv (what happens in each bin of time)"
		default:
			files = "interference.csv and critical-path.csv (which job waits for which)"
		}
		return config.FieldFastForward.Bad(
			"take 0, which simulates every flit, or --jobs-csv, which is known of jumps too",
			"%s is %g, and time that is jumped over has no %s", config.FieldFastForward,
			plan.FastForward, files)
	case topology.Rails(plan.Machine) > 1 && plan.Network.Rail != netsim.RailByDestination:
		return config.FieldFastForward.Bad(
			fmt.Sprintf("take 0, which simulates every flit, or %s = %q", config.FieldRail, "destination"),
			"%s is %g, and messages take the rails of their nodes in turn", config.FieldFastForward,
			plan.FastForward)
	}
	return nil
}

// carried returns the traffic that the network of a run carried, nil without a network, and a
// function that adds the metrics of jumps over time, nil without jumps. It checks the jumps first.
func carried(x scheduler.Executor) (*metrics.Carried, func(func(string, float64)), error) {
	switch x := x.(type) {
	case *fastforward.Executor:
		err := x.Finish()
		return x.Carried(), x.Metrics, err
	case *executor.Executor:
		return metrics.CarriedBy(x.Net), nil, nil
	}
	return nil, nil, nil
}

// newJumping returns the executor of a plan that jumps over time.
func newJumping(plan *config.Plan, net *netsim.Network, w *Work) *fastforward.Executor {
	return fastforward.New(net, w.patterns, w.clock,
		fastforward.Config{Tolerance: plan.FastForward, DrawsRoute: plan.DrawsRoutes}, Software(plan))
}

// setExecutor sets the executor of a simulation. It returns a function that moves the gauge and
// reports whether to stop.
func (s *Simulator) setExecutor(
	ctx context.Context, sim *scheduler.Sim, plan *config.Plan, u *Setup, meter *metrics.Collector,
	gauge *Gauge, interfering bool,
) (poll func() bool) {
	work := newEffort(u, plan.FastForward > 0)
	ended := func() int64 { return int64(meter.Ends()) }
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.Work.clock, Speedup: plan.Job.Speedup}
		return gauge.poll(ctx, work.total, ended)
	}
	if plan.FastForward > 0 {
		x := newJumping(plan, u.net, u.Work)
		x.Ended = meter.Ended()
		x.ReportHalfWidths(meter.Uncertain())
		if work.network {
			ended = func() int64 { return x.Done }
		}
		x.Stop = gauge.poll(ctx, work.total, ended)
		x.Check(plan.CheckJumps, u.jumps)
		sim.Executor = x
		return x.Stop
	}
	x := executor.New(u.net, u.Work.patterns, u.Work.clock)
	x.Software, x.WorkOf, x.Ended = Software(plan), work.of, meter.Ended()
	if interfering {
		interfere(x, meter)
	}
	x.Stop = gauge.poll(ctx, work.total, func() int64 { return x.Done })
	sim.Executor = x
	return x.Stop
}

// interfere records waits and critical paths from the network and the executor.
func interfere(x *executor.Executor, meter *metrics.Collector) {
	w := metrics.NewInterference(x.Net)
	meter.Interfere(w)
	x.Began = w.Began
	x.Net.RecordWaits(w)
	chains := &executor.Chains{Waited: w.WaitedFor, Ended: w.Path}
	x.FindChains(chains)
	x.Net.Watch(func(p *router.Arrival) {
		meter.Packet(p)
		chains.Packet(p)
	})
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
	return &input.Error{Problem: err.Error()}
}
