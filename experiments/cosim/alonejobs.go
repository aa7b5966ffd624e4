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

// AloneJob is a job whose time alone is asked for.
type AloneJob struct {
	Key      AloneKey
	Pattern  string
	Messages int64
}

// AloneJobs lists the different jobs of a run, none where they cannot be told.
func (s *Simulator) AloneJobs(plan *spec.Plan, replication int) []AloneJob {
	own := plan.Own()
	work, err := s.NewWork(own, replication)
	if err != nil {
		return nil
	}
	a := s.newAlone(own)
	a.once = true // as undisturbed has it
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

// lonely returns what iteration would share of a job, if anything.
func (a *alone) lonely(j *scheduler.Job, p patterns.Config) []AloneJob {
	messages, err := patterns.MessagesPerIteration(p, j.Size, slices.Clone(j.Shape))
	if err != nil || messages == 0 {
		return nil
	}
	return []AloneJob{{a.key(j, p), p.Name, messages}}
}
