package experiments

import (
	"context"

	"contend/experiments/sim"
)

// PlannedRun is a run that the next round of a study needs.
type PlannedRun struct {
	RunKey
	// Seconds is its expected time, 0 if that is unknown.
	Seconds float64
}

// NextRuns lists the runs of the next round, to be made by other processes: those that are wanted,
// neither stored nor failed. The first call makes the forecast for OnForecast; if its probes make
// all runs of the round, NextRuns lists the round after it. The error is that of missing logs or of
// a folder that cannot be written.
func (r *Runner) NextRuns(ctx context.Context, results *Results, failed map[RunKey]error,
) ([]PlannedRun, error) {
	tasks, missing := r.nextRuns(results, failed)
	if r.OnForecast != nil && r.costs == nil && len(tasks) > 0 {
		if tasks = r.storeProbes(ctx, results, tasks); len(tasks) == 0 && r.Folder.err == nil {
			return r.NextRuns(ctx, results, failed)
		}
	}
	if r.Folder.err != nil {
		return nil, r.Folder.err
	}
	var runs []PlannedRun
	for _, t := range tasks {
		hash := t.point.Hash
		runs = append(runs, PlannedRun{RunKey{hash, t.replication}, r.costs[hash]})
	}
	return runs, missing
}

// FinalError reloads the runs of the folder after the last round and returns the failure that comes
// first in the order of the study, nil if there is none.
func (r *Results) FinalError(failed map[RunKey]error) error {
	r.reload()
	return firstFailure(r, failed)
}

// Wanted returns the number of runs that the study wants as far as that is known, and of those that
// are stored. Points of equal hash share their runs.
func (r *Results) Wanted() (done, wanted int) {
	for hash, n := range r.wantedRuns() {
		wanted += n
		for rep := range n {
			if r.Folder.holds(RunKey{hash, rep}, sim.Extra{}) { // also behind a gap
				done++
			}
		}
	}
	return done, wanted
}
