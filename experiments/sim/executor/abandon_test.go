package executor

import (
	"slices"
	"testing"
)

// The slot of an abandoned job is free at once if no message of it is under way, and otherwise when
// the last one has arrived.
func TestSlotsOfAbandonedJobs(t *testing.T) {
	x := &Executor{jobs: make([]job, 3)}
	x.jobs[1].pending = 2
	x.Abandon(1)
	x.Abandon(2)
	if !slices.Equal(x.free, []int32{2}) || !x.jobs[1].leaving || x.jobs[2].leaving {
		t.Errorf("slots %v are free, want 2; leaving %v, %v", x.free, x.jobs[1].leaving,
			x.jobs[2].leaving)
	}
	x.jobs[1].pending = 0
	x.freeAbandoned(1)
	if !slices.Equal(x.free, []int32{2, 1}) || x.jobs[1].leaving {
		t.Errorf("slots %v are free, want 2 and 1", x.free)
	}
}
