package sim

import (
	"context"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/lifetime"
	"contend/scheduler"
)

// Replay runs all jobs of the log of a plan without messages, under its scheduler and allocator.
// Each runs for its run time times a factor. What the plan says of windows, messages and jobs that
// do not count is left out.
func (s *Simulator) Replay(
	ctx context.Context, plan *config.Plan, factor func(*scheduler.Job) float64,
) (metrics.Result, error) {
	whole := *plan
	w := &whole.Workload
	w.Jobs, w.Transform.First, w.Start, w.Window, w.WarmStart = 0, 0, 0, 0, false
	w.Snapshots = false
	whole.Job.Run, whole.Job.CyclesPerSecond = config.RunFixed, milliseconds
	whole.FastForward, whole.WarmupJobs, whole.CooldownJobs = 0, 0, 0
	life := lifetime.New(ctx)
	defer life.End()
	r := run{Simulator: s, ctx: ctx, plan: &whole, extra: &Extra{}}
	var err error
	if r.Setup, err = s.prepareJobs(ctx, &whole, 0, life, false); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	jobs := r.Work.Source.(*scheduler.List).Jobs
	for i := range jobs {
		jobs[i].RunTime *= factor(&jobs[i])
	}
	if err := r.setCollector(); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	r.work = newEffort(&r.Setup, false)
	r.setExecutor()
	return r.simulate()
}
