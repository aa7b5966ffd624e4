package sim

import (
	"context"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/lifetime"
	"contend/router/topology"
	"contend/scheduler"
)

// Replay runs all jobs of the log of a plan without messages, under its scheduler and allocator.
// Each runs for its run time times a factor, which may depend on the mean distance of its nodes,
// NaN on a machine without distances. The metric dilation of the result is that of the factors, and
// submitted_load is the load with them. What the plan says of windows, messages and jobs that do
// not count is left out.
func (s *Simulator) Replay(ctx context.Context, plan *config.Plan, replication int,
	factor func(j *scheduler.Job, distance float64) float64,
) (metrics.Result, error) {
	whole := *plan
	w := &whole.Workload
	w.Jobs, w.Transform.First, w.Start, w.Window, w.WarmStart = 0, 0, 0, 0, false
	w.Snapshots = false
	whole.Job.Run, whole.Job.CyclesPerSecond = config.RunFixed, milliseconds
	whole.FastForward, whole.WarmupJobs, whole.CooldownJobs = 0, 0, 0
	life := lifetime.New(ctx)
	defer life.End()
	r := run{Simulator: s, ctx: ctx, plan: &whole, replication: replication, extra: &Extra{}}
	var err error
	if r.Setup, err = s.prepareJobs(ctx, &whole, replication, life, false); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	if err := r.setCollector(); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	r.work = newEffort(&r.Setup, false)
	r.setExecutor()
	logged, ran := 0.0, 0.0 // processor seconds
	meter := metrics.NewPlacementMeter(whole.Machine, nil)
	r.executor.(*scheduler.Fixed).Dilation = func(j *scheduler.Job, nodes []topology.Node) float64 {
		by := factor(j, meter.Distance(nodes))
		work := float64(j.Size) * j.RunTime
		logged, ran = logged+work, ran+float64(work*by)
		return by
	}
	result, err := r.simulate()
	if err == nil && logged > 0 {
		result.Metrics = slices.DeleteFunc(result.Metrics, func(m metrics.Metric) bool {
			return m.Name == "dilation"
		})
		for i := range result.Metrics {
			if m := &result.Metrics[i]; m.Name == "submitted_load" {
				m.Value *= ran / logged
			}
		}
		result.Metrics = append(result.Metrics, metrics.Metric{Name: "dilation", Value: ran / logged})
	}
	return result, err
}
