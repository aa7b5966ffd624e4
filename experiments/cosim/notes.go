package cosim

import (
	"fmt"

	"contend/experiments/spec"
	"contend/internal/decimal"
	"contend/scheduler"
)

// Notes returns sentences for the user on how a plan turns its log into messages and cycles: the
// load of the log, the values that "auto" chose, scaled messages and missing estimates.
func (s *Simulator) Notes(plan *spec.Plan) ([]string, error) {
	notes, err := s.shared.notes.Of(plan.NotesID(), func() ([]string, error) {
		return s.planNotes(plan)
	})
	if err != nil {
		return nil, err
	}
	note, err := s.estimateNote(plan)
	if note != "" {
		notes = append(notes[:len(notes):len(notes)], note)
	}
	return notes, err
}

// planNotes returns the notes except for those on estimates.
func (s *Simulator) planNotes(plan *spec.Plan) ([]string, error) {
	var notes []string
	if plan.Job.Scale != 1 && !plan.Job.OneLength {
		notes = append(notes, fmt.Sprintf(
			"%s = %g: messages with sizes in bytes have that share of their size",
			spec.FieldScale, plan.Job.Scale))
	}
	if note := planesNote(plan); note != "" {
		notes = append(notes, note)
	}
	if plan.FastForward > 0 {
		notes = append(notes, fmt.Sprintf("%s = %g: rate_error is of the spread of rates within the "+
			"trajectories that are followed; it leaves out beats between jobs that are slower than a "+
			"trajectory, and other positions at which an epoch may begin", spec.FieldFastForward,
			plan.FastForward))
	}
	generated := plan.Workload.Source != spec.SourceSWF
	if generated && len(plan.Job.Rules) == 0 && plan.Job.Iteration == 0 {
		return notes, nil
	}
	w, err := s.NewWork(plan, 0)
	if err != nil {
		return nil, err
	}
	if w.ruled != "" {
		notes = append(notes, w.ruled)
	}
	if generated {
		return append(notes, w.sharedNote()...), nil
	}
	l, err := s.log(plan.Workload.Trace)
	if err != nil {
		return nil, err
	}
	notes = append(notes, l.Warnings...)
	about, err := s.logNotes(plan, w.Source.(*scheduler.List).Jobs)
	if err != nil {
		return nil, err
	}
	notes = append(notes, about...)
	if plan.Job.Run == spec.RunFixed {
		return notes, nil
	}
	return append(notes, calibrationNotes(plan, w)...), nil
}

// sharedNote returns the note on computing and communicating, if there is one.
func (w *Work) sharedNote() []string {
	if w.shared == "" {
		return nil
	}
	return []string{w.shared}
}

// calibrationNotes returns notes on the values that "auto" chose.
func calibrationNotes(plan *spec.Plan, w *Work) []string {
	switch {
	case w.shared != "":
		return w.sharedNote()
	case plan.Job.Quota.PerSecond == spec.Automatic:
		notes := []string{fmt.Sprintf("%s = auto: every job sends as many messages as it "+
			"can in its run time with the machine to itself, at %s, so the log's load is kept",
			spec.FieldPerSecond, cyclesText(w.clock))}
		if w.partial > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d parallel jobs run for less than one "+
				"iteration of their pattern at %s and send a part of it; a larger %s has fewer "+
				"of them and takes as much longer to simulate",
				w.partial, w.parallel, cyclesText(w.clock), spec.FieldCyclesPerSecond))
		}
		return notes
	case plan.Job.CyclesPerSecond == spec.Automatic:
		return []string{fmt.Sprintf("%s = auto: %s, which keeps the log's load when every job "+
			"runs as it would alone", spec.FieldCyclesPerSecond,
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
