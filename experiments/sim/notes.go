package sim

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/scheduler"
)

// planNotes are the notes that plans share which differ in their schedulers alone.
type planNotes struct {
	notes   []string
	jobs    int // of a log
	missing int // jobs without an estimate
}

// add adds the notes that are not empty.
func (k *planNotes) add(notes ...string) {
	k.notes = slices.DeleteFunc(slices.Concat(k.notes, notes),
		func(note string) bool { return note == "" })
}

// Notes returns sentences for the user on how a plan turns its log into messages and cycles: the
// load of the log, the values that "auto" chose, missing estimates, and what routers
// carry at most of a link.
func (s *Simulator) Notes(plan *config.Plan) ([]string, error) {
	k, err := s.shared.notes.Of(plan.NotesID(),
		func() (planNotes, error) { return s.planNotes(plan) })
	k.add(k.estimateNote(plan))
	return k.notes, err
}

// planNotes returns the notes on the jobs of a plan and on its network.
func (s *Simulator) planNotes(plan *config.Plan) (k planNotes, err error) {
	k.add(planesNote(plan), LinkNote(plan))
	generated := !plan.Workload.HasTrace()
	if generated && len(plan.Job.Rules) == 0 && plan.Job.Iteration == 0 {
		return k, nil
	}
	w, err := s.NewWork(plan, 0)
	if err != nil {
		return k, err
	}
	k.add(w.ruled)
	if generated {
		k.add(w.shared)
		return k, nil
	}
	log, err := s.log(&plan.Workload)
	if err != nil {
		return k, err
	}
	jobs := w.Source.(*scheduler.List).Jobs
	k.jobs, k.missing = len(jobs), w.noEstimate
	k.add(log.Warnings...)
	if !slices.ContainsFunc(jobs, func(j scheduler.Job) bool { return j.Untimed }) {
		k.add(logNotes(plan, jobs)...)
	}
	k.add(calibrationNotes(plan, w)...)
	return k, nil
}

// calibrationNotes returns notes on the values that "auto" chose.
func calibrationNotes(plan *config.Plan, w *Work) []string {
	switch {
	case plan.Job.Run == config.RunFixed:
	case w.shared != "":
		return []string{w.shared}
	case plan.Job.Quota.PerSecond == input.Automatic:
		notes := []string{fmt.Sprintf("%s = auto: every job sends as many messages as it "+
			"can in its run time with the machine to itself, at %s, so the log's load is kept",
			config.FieldPerSecond, cyclesText(w.clock))}
		if w.partial > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d parallel jobs run for less than one "+
				"iteration of their pattern at %s and send a part of it; a larger %s has fewer "+
				"of them and takes as much longer to simulate",
				w.partial, w.parallel, cyclesText(w.clock), config.FieldCyclesPerSecond))
		}
		return notes
	case plan.Job.CyclesPerSecond == input.Automatic:
		return []string{fmt.Sprintf("%s = auto: %s, which keeps the log's load when every job "+
			"runs as it would alone", config.FieldCyclesPerSecond,
			decimal.Number(w.clock.CyclesPerSecond))}
	}
	return nil
}

// cyclesText returns the rate of a clock in words.
func cyclesText(c scheduler.Clock) string {
	if c.CyclesPerSecond == 1 {
		return "1 cycle a second"
	}
	return decimal.Number(c.CyclesPerSecond) + " cycles a second"
}

// estimateNote returns a note on the number of jobs without an estimate and on the assumed
// estimates. It returns "" if no job lacks an estimate or the scheduler ignores them.
func (k *planNotes) estimateNote(plan *config.Plan) string {
	p := &plan.Scheduler
	if k.jobs == 0 || !p.UsesEstimates {
		return ""
	}
	name, assumed := input.BaseName(plan.Workload.Trace), "their run times, as if users knew them"
	if p.MissingEstimate > 1 {
		assumed = fmt.Sprintf("%g times their run times", p.MissingEstimate)
	}
	switch {
	case k.missing > 0:
		return fmt.Sprintf("%s: %d of %d jobs have no estimate; %s is given %s (%s = %g)", name,
			k.missing, k.jobs, p.Policy, assumed, config.FieldMissingEstimate, p.MissingEstimate)
	case p.MissingEstimate > 1:
		return fmt.Sprintf("%s: no job lacks an estimate, so %s = %g changes nothing", name,
			config.FieldMissingEstimate, p.MissingEstimate)
	}
	return ""
}
