package cli

import (
	"testing"
	"time"

	"contend/experiments"
)

func TestProgressText(t *testing.T) {
	s := experiments.Status{Done: 11, Planned: 350, Runs: 12.5, Share: 0.379}
	s.Elapsed, s.Left = 5*time.Second, 110400*time.Millisecond
	if got, want := runsText(s)+" "+paceText(s),
		"11 of 350 runs 37% 2.5 runs/s 1m50s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Elapsed = 100 * time.Second
	if got, want := paceText(s), "37% 7.5 runs/min 1m50s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := paceText(experiments.Status{Planned: 3}), "0%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
