package scheduler

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFixedAgainstSort(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		var x Fixed
		want := map[Cycle][]JobID{}
		for id := JobID(1); id <= 40; id++ {
			run := float64(r.IntN(12))
			x.Start(&Job{ID: id, RunTime: run}, nil)
			want[Cycle(run)] = append(want[Cycle(run)], id)
		}
		for until := Cycle(0); until < 12; until++ {
			now, done, err := x.Advance(until, nil)
			if err != nil || now != until {
				t.Fatalf("at %d, error %v", now, err)
			}
			if d := cmp.Diff(want[until], done); d != "" {
				t.Fatalf("cycle %d, -want +got:\n%s", until, d)
			}
		}
	}
}

func TestFixedBeyondTheLastCycle(t *testing.T) {
	x := Fixed{now: MaxCycle - 5}
	x.Start(&Job{ID: 3, RunTime: 10}, nil)
	if _, _, err := x.Advance(MaxCycle, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "job 3 ends after") {
		t.Errorf("got %v", err)
	}
}
