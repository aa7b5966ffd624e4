package sim

import (
	"context"
	"errors"
	"fmt"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/router/topology"
	"contend/scheduler"
)

// apart returns a function that simulates a job of a run alone on the machine, on the nodes that it
// had and on a contiguous place of the same size, and returns both times. It reports false for a
// job that was killed, and when the run is stopped. It is nil unless the plan sets runs.alone.
func (s *Simulator) apart(
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
		here, err := s.timeOn(ctx, plan, u.Work, replication, r.Job, r.Nodes)
		if err != nil {
			return here, contiguous, false
		}
		contiguous, err = s.timeOn(ctx, plan, u.Work, replication, r.Job,
			ContiguousNodes(plan.Machine, r.Job.Size))
		return here, contiguous, err == nil
	}
}

// apartKey identifies the time of a job alone by everything on which it depends.
type apartKey struct {
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

// timeOn simulates a job alone on some nodes and returns how long it takes, in cycles. It jumps
// over time if the run does.
func (s *Simulator) timeOn(ctx context.Context, plan *config.Plan, w *Work, replication int,
	j *scheduler.Job, nodes []topology.Node) (metrics.Uncertain, error) {
	p := w.patterns[j.Pattern]
	key := apartKey{machine: plan.MachineID(), network: plan.NetworkID(), pattern: w.texts[j.Pattern],
		shape: shapeText(j, p), software: Software(plan), clock: w.clock.CyclesPerSecond,
		quota: j.Quota, lead: j.Lead, compute: j.Compute, runTime: j.RunTime, nodes: fmt.Sprint(nodes),
		fastForward: plan.FastForward}
	if plan.DrawsRoutes {
		key.routes = replication
	}
	if p.Draws() || p.Work != nil || plan.DrawsRoutes {
		key.seed = j.Seed
	}
	alone := func() (t metrics.Uncertain, err error) {
		net, err := s.NewNetwork(plan, replication)
		if err != nil {
			return t, err
		}
		stop := func() bool { return ctx.Err() != nil }
		var x scheduler.Executor
		if plan.FastForward > 0 {
			jumping := newJumping(plan, net, w)
			jumping.Stop = stop
			jumping.ReportHalfWidths(func(_ scheduler.JobID, half float64) { t.Half = half })
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
		t, err := s.shared.apart.Of(key, alone)
		if !errors.Is(err, scheduler.ErrStopped) || ctx.Err() != nil {
			return t, err
		} // another run that had begun with it was stopped
	}
}
