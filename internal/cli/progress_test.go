package cli

import (
	"testing"
	"time"

	"contend/experiments"
	"contend/experiments/cosim"
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

func TestMomentText(t *testing.T) {
	const day = 24 * 60 * 60
	began := time.Date(1996, 9, 23, 12, 0, 0, 0, time.UTC)
	at := func(days float64) cosim.Moment {
		return cosim.Moment{OfLog: true, Seconds: days * day,
			Date: began.Add(time.Duration(days * day * float64(time.Second)))}
	}
	undated := cosim.Moment{OfLog: true, Seconds: 9.7 * day}
	window := at(3) // of another replication: its log begins later
	window.Date = began.AddDate(1, 0, 0)
	jumps := at(1)
	jumps.Jumps, jumps.JobCycles, jumps.Jumped = true, 3e6, 2999999
	for _, c := range []struct {
		moments []cosim.Moment
		hops    float64
		want    string
	}{
		{nil, 5, ""},
		{[]cosim.Moment{{}}, 0, ""},
		{[]cosim.Moment{{}}, 12, ", 12 flit-hops/s"},
		{[]cosim.Moment{at(0)}, 0, ", at 1996-09-23"},
		{[]cosim.Moment{at(0.6)}, 31416, ", at 1996-09-24, 31.4 k flit-hops/s"},
		{[]cosim.Moment{at(9), window}, 999.9e6, ", at 1996-10-02 to 1997-09-23, 1 G flit-hops/s"},
		{[]cosim.Moment{window, at(9)}, 0, ", at 1996-10-02 to 1997-09-23"},
		{[]cosim.Moment{undated}, 0, ", at day 9"},
		{[]cosim.Moment{undated, at(12)}, 0, ", at day 9 to day 12"},
		{[]cosim.Moment{jumps}, 2e12, ", at 1996-09-24, 2 T flit-hops/s, 99.9% jumped"},
		{[]cosim.Moment{jumps, {JobCycles: 1e6, OfLog: true}}, 0, ", at day 0 to day 1, 74.9% jumped"},
	} {
		if got := momentText(experiments.Status{Moments: c.moments, FlitHops: c.hops}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
