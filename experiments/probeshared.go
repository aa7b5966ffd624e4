package experiments

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"contend/patterns"
	"contend/scheduler"
)

// Runs share what patterns take alone (see alone.iteration): whichever run asks
// first computes it. In studies of generated jobs that is a good part of the
// work, all of it in the first runs, so a forecast counts it apart from them.

// spent is time that went into messages of a pattern alone.
type spent struct {
	messages float64
	seconds  float64
}

func (s *Simulator) spend(pattern string, messages int64, t time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spent == nil {
		s.spent = map[string]spent{}
	}
	x := s.spent[pattern]
	s.spent[pattern] = spent{x.messages + float64(messages), x.seconds + t.Seconds()}
}

// rate returns the seconds a message takes, of a pattern or, where nothing is
// known of that, of all.
func (s *Simulator) rate(pattern string) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.spent[pattern]
	if x.messages == 0 {
		for _, name := range sortedKeys(s.spent) {
			x.messages += s.spent[name].messages
			x.seconds += s.spent[name].seconds
		}
	}
	if x.messages == 0 {
		return 0
	}
	return x.seconds / x.messages
}

// has tells whether a shared value has been computed, or is being computed.
func (s *Simulator) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.once[key] != nil
}

// lonely is a job whose time alone is asked for.
type lonely struct {
	key, pattern string
	messages     int64
}

// sharedAhead returns, for each run, how many seconds it will spend on what
// runs share, having been begun in this order.
func (s *Simulator) sharedAhead(tasks []task) []float64 {
	ahead := make([]float64, len(tasks))
	if s == nil {
		return ahead
	}
	jobs, counted := map[string][]lonely{}, map[string]bool{}
	for i, t := range tasks {
		spec := &t.point.Spec
		if spec.knowsTimes() || together.holds(spec) || traffic.holds(spec) {
			continue
		}
		same := fmt.Sprintf("%s%d", spec.canonical(func(path string) bool {
			return makesJobs(path) || isReference(path) || path == "runs.seed"
		}), t.replication)
		list, ok := jobs[same]
		if !ok {
			list = s.lonelyJobs(spec, t.replication)
			jobs[same] = list
		}
		for _, l := range list {
			if !counted[l.key] && !s.has(l.key) {
				counted[l.key] = true
				ahead[i] += float64(l.messages) * s.rate(l.pattern)
			}
		}
	}
	return ahead
}

// lonelyJobs lists the different jobs of a run, none where they cannot be told.
func (s *Simulator) lonelyJobs(spec *Spec, replication int) []lonely {
	own := *spec
	own.Job.CalibrateOn = ""
	machine, err := newMachine(&own.Machine)
	if err != nil {
		return nil
	}
	work, err := s.newWork(&own, machine, replication)
	if err != nil {
		return nil
	}
	a, err := s.newAlone(&own, machine)
	if err != nil {
		return nil
	}
	a.once = true // as undisturbed has it
	var list []lonely
	seen := map[string]bool{}
	for {
		j, err := work.source.Next()
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
func (a *alone) lonely(j *scheduler.Job, p patterns.Config) []lonely {
	messages, err := patterns.MessagesPerIteration(p, j.Size, slices.Clone(j.Shape))
	if err != nil || messages == 0 {
		return nil
	}
	return []lonely{{a.key(j, p), p.Name, messages}}
}
