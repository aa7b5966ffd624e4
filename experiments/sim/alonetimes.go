package sim

import (
	"context"
	"errors"
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/router/topology"
	"contend/scheduler"
)

// aloneTimes returns a function that simulates a job of a run alone on the machine, on the nodes
// that it had and on a contiguous place of the same size, and returns both times. The function
// reports false for a job that was killed, and when the run is stopped. aloneTimes returns nil unless
// the plan sets runs.alone.
func (s *Simulator) aloneTimes(
	ctx context.Context, plan *config.Plan, u *Setup, replication int, gauge *Gauge,
) metrics.AloneTimes {
	if !plan.Alone || u.net == nil {
		return nil
	}
	return func(r *scheduler.Record) (here, contiguous metrics.Uncertain, ok bool) {
		if r.Killed {
			return here, contiguous, false
		}
		defer gauge.share()()
		here, err := s.timeAlone(ctx, plan, u.Work, replication, r.Job, r.Nodes)
		if err != nil {
			return here, contiguous, false
		}
		contiguous, err = s.timeAlone(ctx, plan, u.Work, replication, r.Job,
			ContiguousNodes(plan.Machine, r.Job.Size))
		return here, contiguous, err == nil
	}
}

// aloneJobKey identifies the time of a job alone by everything on which it depends.
type aloneJobKey struct {
	machine, network config.Identity
	pattern, shape   string
	software         executor.Software
	routes           int // replication whose routing draws
	clock            float64
	quota            int64
	seed             uint64
	lead, compute    scheduler.Cycle
	runTime          float64
	nodes            string
	fastForward      float64
}

// timeAlone simulates a job alone on the given nodes and returns how long it takes, in cycles. It
// jumps over time if the run does.
func (s *Simulator) timeAlone(ctx context.Context, plan *config.Plan, w *Work, replication int,
	j *scheduler.Job, nodes []topology.Node) (metrics.Uncertain, error) {
	p := w.patterns[j.Pattern]
	key := aloneJobKey{machine: plan.MachineID(), network: plan.NetworkID(), pattern: w.texts[j.Pattern],
		shape: shapeText(j, p), software: Software(plan), clock: w.clock.CyclesPerSecond,
		quota: j.Quota, lead: j.Lead, compute: j.Compute, runTime: j.RunTime, nodes: fmt.Sprint(nodes),
		fastForward: plan.FastForward}
	if plan.DrawsRoutes {
		key.routes = replication
	}
	if p.Draws() || p.Work != nil || plan.DrawsRoutes {
		key.seed = j.Seed
	}
	simulate := func() (t metrics.Uncertain, err error) {
		net, err := s.NewNetwork(plan, replication)
		if err != nil {
			return t, err
		}
		stop := func() bool { return ctx.Err() != nil }
		var x scheduler.Executor
		if plan.FastForward > 0 {
			jumping := newJumping(plan, net, w)
			jumping.Stop = stop
			jumping.Uncertain(func(_ scheduler.JobID, half float64) { t.Half = half })
			x = jumping
		} else {
			full := executor.New(net, w.patterns, w.clock)
			full.Software, full.Stop = Software(plan), stop
			x = full
		}
		x.Start(j, nodes)
		end, _, err := x.Advance(scheduler.MaxCycle, nil)
		t.Value = float64(end)
		return t, err
	}
	for {
		t, err := s.memos.aloneTimes.of(key, simulate)
		if !errors.Is(err, scheduler.ErrStopped) || ctx.Err() != nil {
			return t, err
		} // another run that had begun with it was stopped
	}
}

// undisturbedTimes returns a function that returns the undisturbed time of a job, the base of its
// slowdown: its run time if it has one, otherwise the time of its messages on the machine of the run
// without other jobs. The gauge does not count the time of this computation.
func (s *Simulator) undisturbedTimes(
	plan *config.Plan, u *Setup, gauge *Gauge,
) func(*scheduler.Record) scheduler.Cycle {
	a := &calibration{s: s, work: u.Work, plan: plan, gauge: gauge, once: true}
	return func(r *scheduler.Record) scheduler.Cycle {
		j := r.Job
		if plan.KnowsTimes || j.Quota == 0 {
			return u.Work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := a.iteration(j)
		if err != nil || messages == 0 {
			return r.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles*float64(j.Quota)/float64(messages))) + j.Lead
	}
}
