package cosim

import (
	"math"
	"math/rand/v2"

	"contend/allocation"
	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// newTogether makes the jobs and the allocator that puts them where they are to
// be. Where there is a background, the run is over when the first job, the only
// one of job.pattern, is done: the others go on without end.
func newTogether(plan *spec.Spec, machine spec.Machine, replication int) (*work, allocation.Allocator, error) {
	k := &plan.Workload
	p, err := spec.ParsePlacement(k.Placement)
	if err != nil {
		return nil, nil, err
	}
	a, b := plan.StreamSeed(replication, "placement")
	places, problem := places(p, machine, k.Processes, rand.New(rand.NewPCG(a, b)))
	if problem != nil {
		return nil, nil, problem
	}
	places = places[:min(len(places), k.Count())]
	mix, problem := spec.ParseMix(plan.Job.Pattern)
	if problem != nil {
		return nil, nil, spec.BadInput("job.pattern", "", "%v", problem)
	}
	w := &work{patterns: []patterns.Config{PatternConfig(plan, mix[0])}, clock: scheduler.Clock{CyclesPerSecond: 1}}
	if cps := plan.Job.CyclesPerSecond; cps != spec.Automatic {
		w.clock.CyclesPerSecond = float64(cps)
	}
	quota, problem := exactQuota(plan, w.patterns[0])
	if problem != nil {
		return nil, nil, problem
	}
	other, hasBackground := plan.Background()
	if hasBackground {
		w.patterns, w.until = append(w.patterns, PatternConfig(plan, other)), 1
		if _, err := patterns.MessagesPerIteration(w.patterns[1], k.Processes, nil); err != nil {
			return nil, nil, spec.BadInput("workload.background", "give same, idle or a pattern", "workload.background is %s: %v", k.Background, err)
		}
	} else if k.Background == spec.BackgroundIdle {
		places = places[:1]
	}
	seed, _ := plan.StreamSeed(replication, "workload")
	jobs := make([]scheduler.Job, len(places))
	for i := range jobs {
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Size: k.Processes, Quota: quota, Seed: seed + uint64(i)}
		if hasBackground && i > 0 {
			jobs[i].Pattern, jobs[i].Quota = 1, math.MaxInt64/2
		}
	}
	w.Source = &scheduler.List{Jobs: jobs}
	return w, &planned{places: places}, nil
}

// exactQuota is a job's quota where nothing is drawn: whole iterations, or so
// many messages.
func exactQuota(plan *spec.Spec, p patterns.Config) (int64, error) {
	q := &plan.Job.Quota
	if q.Messages > 0 {
		return int64(math.Ceil(q.Messages)), nil
	}
	per, err := patterns.MessagesPerIteration(p, plan.Workload.Processes, nil)
	switch {
	case err != nil:
		return 0, spec.BadInput("job.pattern", "", "%v", err)
	case per == 0:
		return 0, spec.BadInput("workload.processes", "take more", "%d processes of %s have nothing to send", plan.Workload.Processes, p.Name)
	}
	return int64(math.Ceil(q.Iterations)) * per, nil
}

// planned gives the jobs the places it was made with, in the order in which they
// ask: each asks once.
type planned struct {
	places [][]topology.Node
	next   int
}

// Check implements allocation.Allocator.
func (p *planned) Check(allocation.Request) error { return nil }

// Allocate implements allocation.Allocator.
func (p *planned) Allocate(dst []topology.Node, _ *allocation.FreeSet, req allocation.Request) ([]topology.Node, bool) {
	place := p.places[p.next]
	if len(place) != req.Size {
		panic("experiments: a place of another size than the job")
	}
	p.next++
	return append(dst, place...), true
}
