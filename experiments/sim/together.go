package sim

import (
	"math"
	"math/rand/v2"

	"contend/allocation"
	"contend/experiments/config"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// newTogether returns jobs that start together and the allocator that gives them their places. With
// a background, only the first job has job.pattern. The others continue without end, and the
// run ends with the first job.
func newTogether(plan *config.Plan, replication int) (*Work, allocation.Allocator, error) {
	k := &plan.Workload.Together
	a, b := plan.StreamSeed(replication, "placement")
	rng := rand.New(rand.NewPCG(a, b))
	list, err := PlaceJobs(k.Placement, plan.Machine, k.Processes, rng)
	if err != nil {
		return nil, nil, err
	}
	list = list[:min(len(list), plan.Workload.Jobs)]
	w := &Work{}
	w.addPattern(plan.Job.Patterns[0].Config)
	w.setClock(plan.Job.CyclesPerSecond, 1)
	quota, err := exactQuota(plan, w.patterns[0])
	if err != nil {
		return nil, nil, err
	}
	if k.Others != nil {
		w.addPattern(k.Others.Config)
		w.until = 1
		if _, err := patterns.MessagesPerIteration(w.patterns[1], k.Processes, nil); err != nil {
			return nil, nil, config.FieldBackground.Bad("give same, idle or a pattern",
				"%s is %s: %v", config.FieldBackground, k.Background, err)
		}
	} else if k.Alone {
		list = list[:1]
	}
	seed, _ := plan.StreamSeed(replication, "workload")
	jobs := make([]scheduler.Job, len(list))
	for i := range jobs {
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Size: k.Processes, Quota: quota,
			Seed: seed + uint64(i)}
		if k.Others != nil && i > 0 {
			jobs[i].Pattern, jobs[i].Quota = 1, math.MaxInt64/2
		}
	}
	w.Source = &scheduler.List{Jobs: jobs}
	return w, &planned{places: list}, nil
}

// exactQuota returns the quota of a job without random draws, from whole iterations or a number of
// messages.
func exactQuota(plan *config.Plan, p patterns.Config) (int64, error) {
	q, n := &plan.Job.Quota, plan.Workload.Together.Processes
	if q.Messages > 0 {
		return int64(math.Ceil(q.Messages)), nil
	}
	per, err := patterns.MessagesPerIteration(p, n, nil)
	switch {
	case err != nil:
		return 0, config.FieldPattern.Refuse(err)
	case per == 0:
		return 0, config.FieldProcesses.Bad("take more",
			"%d processes of %s have nothing to send", n, p.Name)
	}
	return int64(math.Ceil(q.IterationsOf(p))) * per, nil
}

// planned is an allocator with fixed places. It gives them to jobs in the order of their requests,
// one to each.
type planned struct {
	places [][]topology.Node
	next   int
}

// Check implements allocation.Allocator.
func (p *planned) Check(allocation.Request) error { return nil }

// Allocate implements allocation.Allocator.
func (p *planned) Allocate(
	dst []topology.Node, _ *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	place := p.places[p.next]
	if len(place) != req.Size {
		panic("sim: a place of another size than the job")
	}
	p.next++
	return append(dst, place...), true
}
