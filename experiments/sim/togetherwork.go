package sim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"contend/allocation"
	"contend/experiments/config"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router/topology"
	"contend/scheduler"
)

// makeTogether makes jobs that start together on the places that the plan gives them. With a
// background, only the first job has job.pattern. The others continue without end, and the run ends
// with the first job.
func (m *workMaker) makeTogether() error {
	plan, k := m.plan, &m.plan.Workload.Together
	a, b := plan.StreamSeed(m.replication, "placement")
	places, err := PlaceJobs(k.Placement, plan.Machine, k.Processes, rand.New(rand.NewPCG(a, b)))
	if err != nil {
		return err
	}
	places = places[:min(len(places), plan.Workload.Jobs)]
	m.addPattern(plan.Job.Patterns[0].Config)
	m.setClock(1)
	quota, err := exactQuota(plan, m.patterns[0])
	if err != nil {
		return err
	}
	if k.Others != nil {
		m.addPattern(k.Others.Config)
		m.lastEnd = 1
		if err := m.checkEndless(m.patterns[1], k.Processes); err != nil {
			return config.FieldBackground.Bad("give same, idle or a pattern",
				"%s is %s: %v", config.FieldBackground, k.Background, err)
		}
	} else if k.Alone {
		places = places[:1]
	}
	jobs := make([]scheduler.Job, len(places))
	for i := range jobs {
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Size: k.Processes, Quota: quota,
			Seed: m.seed + uint64(i)}
		if k.Others != nil && i > 0 {
			jobs[i].Pattern, jobs[i].Quota = 1, math.MaxInt64/2
		}
	}
	m.Source, m.places = &scheduler.List{Jobs: jobs}, &plannedPlaces{places: places}
	return nil
}

// checkEndless returns an error if a pattern cannot be that of n processes that go on without end.
func (m *workMaker) checkEndless(p patterns.Config, n int) error {
	if _, err := patterns.MessagesPerIteration(p, n, nil); err != nil || p.Work == nil {
		return err
	}
	w, err := p.Work(n, nil, nil)
	if t, ok := w.(tasks.Work); ok && err == nil {
		if r := t.Instant(m.plan.Job.SendCycles > 0); r != tasks.AnyRank {
			err = fmt.Errorf("rank %d waits for nothing, and would repeat its tasks at once without end", r)
		}
	}
	return err
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

// plannedPlaces is an allocator that gives each job its planned place, in the order of requests.
type plannedPlaces struct {
	places [][]topology.Node
	next   int
}

// Check implements allocation.Allocator.
func (p *plannedPlaces) Check(allocation.Request) error { return nil }

// Allocate implements allocation.Allocator.
func (p *plannedPlaces) Allocate(
	dst []topology.Node, _ *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	place := p.places[p.next]
	if len(place) != req.Size {
		panic("sim: a place of another size than the job")
	}
	p.next++
	return append(dst, place...), true
}
