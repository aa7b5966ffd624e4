package experiments

import (
	"math"
	"math/rand/v2"

	"contend/allocation"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// Jobs that run together (workload.source = "together") are of one size, start
// at once and stay where workload.placement says, as the sixteen instances of
// an application in Pascual et al. 2009, sec. 5. Nothing is queued and nothing
// allocated, so the difference between two placements is that of the network.

// What the machine does beside the job looked at, beside a pattern's name.
const (
	backgroundSame = "same" // all jobs are alike, and all are looked at
	backgroundIdle = "idle" // there is one job
)

// background returns the pattern of the jobs in the background of a job that is
// looked at, and false where there are none.
func (s *Spec) background() (Weighted, bool) {
	b := s.Workload.Background
	if s.Workload.Source != "together" || b == backgroundSame || b == backgroundIdle {
		return Weighted{}, false
	}
	mix, err := ParseMix(b)
	if err != nil {
		return Weighted{}, false
	}
	return mix[0], true
}

// checkTogether refuses what jobs that run together cannot be.
func (s *Spec) checkTogether() *InputError {
	w := &s.Workload
	if w.Source != "together" {
		return nil
	}
	if _, err := parsePlacement(w.Placement); err != nil {
		return err
	}
	if mix, err := ParseMix(s.Job.Pattern); err != nil || len(mix) > 1 {
		return badInput("job.pattern", "give one pattern; that of the others is workload.background", "job.pattern is %s, for jobs that run together", s.Job.Pattern)
	}
	if mix, err := ParseMix(w.Background); err != nil || len(mix) > 1 {
		return badInput("workload.background", "give one pattern", "workload.background is %s", w.Background)
	}
	return nil
}

// newTogether makes the jobs and the allocator that puts them where they are to
// be. Where there is a background, the run is over when the first job, the only
// one of job.pattern, is done: the others go on without end.
func newTogether(spec *Spec, machine Machine, replication int) (*work, allocation.Allocator, error) {
	k := &spec.Workload
	p, err := parsePlacement(k.Placement)
	if err != nil {
		return nil, nil, err
	}
	a, b := spec.StreamSeed(replication, "placement")
	places, problem := p.places(machine, k.Processes, rand.New(rand.NewPCG(a, b)))
	if problem != nil {
		return nil, nil, problem
	}
	places = places[:min(len(places), k.count())]
	mix, problem := ParseMix(spec.Job.Pattern)
	if problem != nil {
		return nil, nil, badInput("job.pattern", "", "%v", problem)
	}
	w := &work{patterns: []patterns.Config{patternConfig(spec, mix[0])}, clock: scheduler.Clock{CyclesPerSecond: 1}}
	if cps := spec.Job.CyclesPerSecond; cps != Automatic {
		w.clock.CyclesPerSecond = float64(cps)
	}
	quota, problem := exactQuota(spec, w.patterns[0])
	if problem != nil {
		return nil, nil, problem
	}
	other, hasBackground := spec.background()
	if hasBackground {
		w.patterns, w.until = append(w.patterns, patternConfig(spec, other)), 1
		if _, err := patterns.MessagesPerIteration(w.patterns[1], k.Processes, nil); err != nil {
			return nil, nil, badInput("workload.background", "give same, idle or a pattern", "workload.background is %s: %v", k.Background, err)
		}
	} else if k.Background == backgroundIdle {
		places = places[:1]
	}
	seed, _ := spec.StreamSeed(replication, "workload")
	jobs := make([]scheduler.Job, len(places))
	for i := range jobs {
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Size: k.Processes, Quota: quota, Seed: seed + uint64(i)}
		if hasBackground && i > 0 {
			jobs[i].Pattern, jobs[i].Quota = 1, math.MaxInt64/2
		}
	}
	w.source = &scheduler.List{Jobs: jobs}
	return w, &planned{places: places}, nil
}

// exactQuota is a job's quota where nothing is drawn: whole iterations, or so
// many messages.
func exactQuota(spec *Spec, p patterns.Config) (int64, error) {
	q := &spec.Job.Quota
	if q.Messages > 0 {
		return int64(math.Ceil(q.Messages)), nil
	}
	per, err := patterns.MessagesPerIteration(p, spec.Workload.Processes, nil)
	switch {
	case err != nil:
		return 0, badInput("job.pattern", "", "%v", err)
	case per == 0:
		return 0, badInput("workload.processes", "take more", "%d processes of %s have nothing to send", spec.Workload.Processes, p.Name)
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
