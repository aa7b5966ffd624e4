package cosim

import (
	"context"
	"fmt"

	"contend/experiments/cosim/places"
	"contend/experiments/cosim/run"
	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/scheduler"
)

// apart returns a function that measures how long a job of a run takes alone: with nobody else on
// the machine, on its own nodes and on a contiguous place of the same size. It reports false where
// that is not known, of a job that was killed or when the run is stopped. The function is nil if
// the plan does not ask for it.
func (s *Simulator) apart(
	ctx context.Context, plan *spec.Plan, u *Setup, replication int, gauge *Gauge,
) func(*scheduler.Record) (here, contiguous scheduler.Cycle, ok bool) {
	if !plan.Alone || u.net == nil {
		return nil
	}
	return func(r *scheduler.Record) (here, contiguous scheduler.Cycle, ok bool) {
		if r.Killed {
			return 0, 0, false
		}
		defer gauge.share()()
		here, err := s.timeOn(ctx, plan, u.Work, replication, r.Job, r.Nodes)
		if err != nil {
			return 0, 0, false
		}
		contiguous, err = s.timeOn(ctx, plan, u.Work, replication, r.Job,
			places.Contiguous(plan.Machine, r.Job.Size))
		return here, contiguous, err == nil
	}
}

// apartKey identifies the time of a job alone by everything on which it depends.
type apartKey struct {
	machine, network spec.Identity
	pattern, shape   string
	software         run.Software
	routes           int // replication whose routing draws
	clock            float64
	quota            int64
	seed             uint64
	lead, compute    scheduler.Cycle
	runTime          float64
	nodes            string
}

// timeOn simulates a job alone on some nodes and returns how long it takes.
func (s *Simulator) timeOn(ctx context.Context, plan *spec.Plan, w *Work, replication int,
	j *scheduler.Job, nodes []topology.Node) (scheduler.Cycle, error) {
	p := w.patterns[j.Pattern]
	key := apartKey{machine: plan.MachineID(), network: plan.NetworkID(), pattern: w.texts[j.Pattern],
		shape: shapeText(j, p), software: Software(plan), clock: w.clock.CyclesPerSecond,
		quota: j.Quota, lead: j.Lead, compute: j.Compute, runTime: j.RunTime, nodes: fmt.Sprint(nodes)}
	if plan.DrawsRoutes {
		key.routes = replication
	}
	if p.Draws() || p.Work != nil {
		key.seed = j.Seed
	}
	return s.shared.apart.Of(key, func() (scheduler.Cycle, error) {
		net, err := s.NewNetwork(plan, replication)
		if err != nil {
			return 0, err
		}
		x := run.New(net, w.patterns, w.clock)
		x.Software, x.Stop = Software(plan), func() bool { return ctx.Err() != nil }
		x.Start(j, nodes)
		end, _, err := x.Advance(scheduler.MaxCycle, nil)
		return end, err
	})
}
