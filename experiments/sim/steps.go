package sim

import (
	"math/rand/v2"

	"contend/experiments/metrics"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/scheduler"
)

// stepsKey identifies the iterations of a job by everything on which they depend without a network.
type stepsKey struct {
	messages messagesKey
	quota    int64
	seed     uint64 // of slow ranks that are drawn
}

// steps describes the iterations of a job, once for all jobs that have the same. It returns a zero
// value for a job that sends nothing.
func (r *run) steps(j *scheduler.Job) (s metrics.Steps) {
	if r.net == nil || j.Quota == 0 {
		return s
	}
	p := r.Work.patterns[j.Pattern]
	key := stepsKey{messages: messagesKey{r.Work.texts[j.Pattern], j.Size, shapeText(j, p)},
		quota: j.Quota}
	if p.Draws() {
		key.seed = j.Seed
	}
	s, _ = r.memos.steps.of(key, func() (metrics.Steps, error) { return stepsOf(p, j) })
	return s
}

// stepsOf describes the iterations of a job with a pattern.
func stepsOf(p patterns.Config, j *scheduler.Job) (s metrics.Steps, err error) {
	per, all, err := patterns.MessagesOf(p, j.Size, j.Shape, j.Quota)
	if err != nil || per == 0 {
		return s, err
	}
	s.Count = float64(all) / float64(per)
	s.BusBytes = patterns.BusBytes(p, j.Size)
	if p.Work == nil {
		return s, nil
	}
	work, err := p.Work(j.Size, j.Shape, rand.New(rand.NewPCG(j.Seed, 0)))
	graph, is := work.(tasks.Work)
	if err != nil || !is {
		return s, err
	}
	s.FullRate = graph.FullRate * 1e-9
	end, err := patterns.Rehearse(graph.Program(p, int64(s.Count)), func(patterns.Message) {})
	s.Unhindered = scheduler.Cycle(end)
	return s, err
}
