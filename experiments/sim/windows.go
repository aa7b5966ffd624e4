package sim

import (
	"fmt"

	"contend/experiments/config"
	"contend/scheduler"
)

// CheckWindows refuses a plan whose replications are windows of a log, if the last one
// does not have all its jobs in the log: it would fail in mid-study, or have fewer jobs than the
// others.
func (s *Simulator) CheckWindows(plan *config.Plan, replications int) error {
	w := &plan.Workload
	if w.Source != config.SourceSWF || w.Window == 0 || replications < 2 {
		return nil
	}
	last := replications - 1
	start := w.Start + last*w.Window
	usable, err := s.usableJobs(w)
	if err != nil {
		return err
	}
	if start < usable {
		seed, _ := plan.StreamSeed(last, "workload")
		jobs, err := s.logJobs(plan, start, patternWeights(plan), seed)
		if err != nil || len(jobs) >= w.Jobs {
			return err
		}
	}
	return config.FieldWindow.Bad(smallerWindow(w, last, usable),
		"%s is %d: replication %d begins after %d jobs of %s and has %d, but the log has %d jobs",
		config.FieldWindow, w.Window, last, start, s.logFile(w.Trace), w.Jobs, usable)
}

// smallerWindow says which window, or which number of replications, fits into a log.
func smallerWindow(w *config.WorkloadPlan, last, usable int) string {
	room := usable - w.Start - w.Jobs
	if fit := room / w.Window; fit > 0 && fit < last {
		return fmt.Sprintf("give %d at most, or %s = %d at most", room/last,
			config.FieldReplications, fit+1)
	}
	return fmt.Sprintf("give less, or a smaller %s", config.FieldReplications)
}

// usableJobs returns the number of jobs of a log that can be simulated, before transforms.
func (s *Simulator) usableJobs(w *config.WorkloadPlan) (int, error) {
	l, err := s.readLog(w)
	if err != nil {
		return 0, err
	}
	jobs, err := scheduler.ReadAll(l)
	return len(jobs), err
}
