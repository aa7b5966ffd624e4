package scheduler

import (
	"strings"
	"testing"
)

func TestFixedBeyondTheLastCycle(t *testing.T) {
	x := Fixed{now: MaxCycle - 5}
	x.Start(&Job{ID: 3, RunTime: 10}, nil)
	if _, _, err := x.Advance(MaxCycle, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "job 3 ends after") {
		t.Errorf("got %v", err)
	}
}
