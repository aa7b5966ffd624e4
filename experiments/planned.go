package experiments

import (
	"context"

	"contend/experiments/sim"
)

// PlannedRun is a run that a round of a study asks for.
type PlannedRun struct {
	RunKey
	// Seconds is how long it is expected to take; 0 where nothing is known.
	Seconds float64
}

// Planned lists the runs of the next round, for those who make them elsewhere:
// runs that are wanted, not in the folder, and have not failed. The first call
// makes the forecast that Foretold asks for; if its probes make all runs of the
// round, the runs are those of the round after it. The error is that of missing
// logs or of a folder that cannot be written.
func (r *Runner) Planned(ctx context.Context, results *Results, failed map[RunKey]error,
) ([]PlannedRun, error) {
	tasks, missing := r.nextRuns(results, failed)
	if r.Foretold != nil && r.costs == nil && len(tasks) > 0 {
		if tasks = r.foretell(ctx, results, tasks); len(tasks) == 0 && r.Folder.err == nil {
			return r.Planned(ctx, results, failed)
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

// Close takes in what the folder holds after the last round, and returns the
// error of a study that has ended: the failure that comes first in its order.
func (r *Results) Close(failed map[RunKey]error) error {
	r.refresh()
	return firstFailure(r, failed)
}

// Wanted counts the runs that the study wants as far as it is known, and those
// that are there; points of equal hash share theirs.
func (r *Results) Wanted() (done, wanted int) {
	for hash, n := range r.wanted() {
		wanted += n
		for rep := range n {
			if r.Folder.has(RunKey{hash, rep}, sim.Extra{}) { // also behind a gap
				done++
			}
		}
	}
	return done, wanted
}
