package sim

import (
	"context"
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/scheduler"
)

// planNotes are the notes on the jobs and the network of a plan, which plans share that differ in
// their schedulers alone.
type planNotes struct {
	notes       []string
	jobs        int // of a log
	noEstimates int // jobs of the log without an estimate
}

// Notes returns sentences for the user on how a plan turns its log into messages and cycles: the
// load of the log, the values that "auto" chose, missing estimates, and the share of a link that
// routers can use. It returns the error of the context if it is cancelled.
func (s *Simulator) Notes(ctx context.Context, plan *config.Plan) ([]string, error) {
	k, err := s.memos.notes.until(ctx, plan.NotesID(),
		func() (planNotes, error) { return s.planNotes(ctx, plan) })
	notes := append(slices.Clip(k.notes), k.estimateNote(plan))
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" }), stopped(ctx, err)
}

// planNotes returns the notes on the jobs of a plan and on its network.
func (s *Simulator) planNotes(
	ctx context.Context, plan *config.Plan,
) (k planNotes, err error) {
	k.notes = []string{planesNote(plan), LinkNote(plan)}
	log := plan.Workload.HasTrace()
	if !log && len(plan.Job.Rules) == 0 && plan.Job.Iteration == 0 && !plan.MeasuresLoad {
		return k, nil
	}
	w, err := s.NewWork(ctx, plan, 0)
	if err != nil {
		return k, err
	}
	k.notes = append(k.notes, w.notes...)
	if log {
		k.jobs, k.noEstimates = len(w.Source.(*scheduler.List).Jobs), w.noEstimates
	}
	return k, nil
}

// noteQuotas notes that quotas were chosen by run times, and how many of the parallel jobs send a
// part of an iteration.
func (m *workMaker) noteQuotas(parallel, partial int) {
	rate := cyclesText(m.clock)
	m.note(fmt.Sprintf("%s = auto: every job sends as many messages as it can in its run time with "+
		"the machine to itself, at %s, so the log's load is kept", config.FieldPerSecond, rate))
	if partial > 0 {
		m.note(fmt.Sprintf("%d of %d parallel jobs run for less than one iteration of their pattern "+
			"at %s and send a part of it; a larger %s has fewer of them and takes as much longer to "+
			"simulate", partial, parallel, rate, config.FieldCyclesPerSecond))
	}
}

// noteRate notes the cycles of a second that keep the load of the log.
func (m *workMaker) noteRate() {
	if m.plan.Workload.HasTrace() {
		m.note(fmt.Sprintf("%s = auto: %s, which keeps the log's load when every job runs as it would "+
			"alone", config.FieldCyclesPerSecond, decimal.Number(m.clock.CyclesPerSecond)))
	}
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
	case k.noEstimates > 0:
		return fmt.Sprintf("%s: %d of %d jobs have no estimate; %s is given %s (%s = %g)", name,
			k.noEstimates, k.jobs, p.Policy, assumed, config.FieldMissingEstimate, p.MissingEstimate)
	case p.MissingEstimate > 1:
		return fmt.Sprintf("%s: no job lacks an estimate, so %s = %g changes nothing", name,
			config.FieldMissingEstimate, p.MissingEstimate)
	}
	return ""
}
