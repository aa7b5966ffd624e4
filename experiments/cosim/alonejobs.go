package cosim

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"contend/experiments/spec"
	"contend/patterns"
	"contend/scheduler"
)

// AloneJob is a kind of job whose time alone on the machine a run computes.
type AloneJob struct {
	// Key identifies the computation; see Simulator.Has.
	Key AloneKey
	// Pattern is the name of the communication pattern; see Simulator.Rate.
	Pattern string
	// Messages is the number of messages of an iteration, above 0.
	Messages int64
}

// AloneJobs returns the different kinds of jobs of a run. It returns none if the jobs are
// unknown.
func (s *Simulator) AloneJobs(plan *spec.Plan, replication int) []AloneJob {
	own := plan.Own()
	work, err := s.NewWork(own, replication)
	if err != nil {
		return nil
	}
	a := s.newAlone(own)
	a.once = true // as in undisturbed
	var list []AloneJob
	seen := map[string]bool{}
	for {
		j, err := work.Source.Next()
		if errors.Is(err, io.EOF) || err != nil {
			return list
		}
		kind := fmt.Sprint(j.Pattern, j.Size, j.Shape)
		if seen[kind] || j.Quota == 0 {
			continue
		}
		seen[kind] = true
		list = append(list, a.lonely(&j, work.patterns[j.Pattern])...)
	}
}

// lonely returns the computation that iteration would share for a job, or none.
func (a *alone) lonely(j *scheduler.Job, p patterns.Config) []AloneJob {
	messages, err := patterns.MessagesPerIteration(p, j.Size, slices.Clone(j.Shape))
	if err != nil || messages == 0 {
		return nil
	}
	return []AloneJob{{a.key(j, p), p.Name, messages}}
}
