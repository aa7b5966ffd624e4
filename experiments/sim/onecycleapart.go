package sim

import (
	"maps"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/internal/lifetime"
	"contend/scheduler"
)

// oneCycleApart simulates the jobs of a run a second time, every second one of which arrives one
// cycle later. It returns the root mean square over jobs of the relative change of service times.
func (r *run) oneCycleApart() (float64, error) {
	plan, life := *r.plan, lifetime.New(r.ctx)
	defer life.End()
	plan.Alone = false
	later := run{Simulator: r.Simulator, ctx: r.ctx, plan: &plan, replication: r.replication,
		extra: &Extra{Gauge: r.extra.Gauge}, work: r.work, aloneDone: r.work.total / 2,
		services: map[scheduler.JobID]float64{}}
	var err error
	if later.Setup, err = r.prepare(r.ctx, &plan, r.replication, life); err != nil {
		return 0, stopped(r.ctx, err)
	}
	later.Work.Source = oneCycleLater(later.Work.Source, later.Work.clock)
	if err := later.setCollector(); err != nil {
		return 0, stopped(r.ctx, err)
	}
	later.setExecutor()
	if _, err := later.runJobs(); err != nil {
		return 0, err
	}
	var squares metrics.Mean
	for _, id := range slices.Sorted(maps.Keys(r.services)) {
		if x, ok := later.services[id]; ok && r.services[id] > 0 {
			off := x/r.services[id] - 1
			squares.Add(off * off)
		}
	}
	return math.Sqrt(squares.Value()), nil
}

// oneCycleLater returns the jobs of a source, every second one of which arrives one cycle later, and
// others later where that keeps their order.
func oneCycleLater(source scheduler.Source, clock scheduler.Clock) *scheduler.List {
	list, last := &scheduler.List{}, 0.0
	for j := range metrics.Jobs(source) {
		k := *j
		if len(list.Jobs)%2 == 1 {
			k.Submit += clock.Seconds(1)
		}
		last = max(last, k.Submit)
		k.Submit = last
		list.Jobs = append(list.Jobs, k)
	}
	return list
}
