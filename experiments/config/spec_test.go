package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/input"
	"contend/internal/must"
)

// TestStreamSeed: the seeds of a run hang on runs.seed, the replication and the
// stream alone, so that whatever else is compared has common random numbers.
func TestStreamSeed(t *testing.T) {
	base := Defaults()
	a, b := base.Spec.StreamSeed(3, "workload")
	for _, k := range Keys() {
		if !k.Identity {
			continue
		}
		s := Defaults()
		k.Field(&s).Set(changed(k, &s))
		c, d := s.Spec.StreamSeed(3, "workload")
		if same := a == c && b == d; same == (k.Path == "runs.seed") {
			t.Errorf("%s: the seed is the same: %v", k.Path, same)
		}
	}
	if c, d := base.Spec.StreamSeed(4, "workload"); a == c && b == d {
		t.Error("replications share a seed")
	}
	if c, d := base.Spec.StreamSeed(3, "routing"); a == c && b == d {
		t.Error("streams share a seed")
	}
}

// The hash keys stored results: when this test fails, results of earlier
// versions are no longer found.
func TestHashIsStable(t *testing.T) {
	s := DefaultSpec()
	if got := s.Canonical(); got != "" {
		t.Errorf("the canonical text of the defaults is %q", got)
	}
	s.Network.BufferFlits, s.Machine.Dims = 4, []int{8, 8}
	s.Machine.Levels, s.Job.Bits = 9, "lowest-first" // which act on trees and in fft only
	s.Workload.Source, s.Workload.Trace = "swf", "/a/folder/log.swf.gz"
	if diff := cmp.Diff("machine.dims = [8, 8]\nnetwork.buffer_flits = 4\nworkload.source = "+
		"\"swf\"\nworkload.trace = \"log.swf.gz\"\n", s.Canonical()); diff != "" {
		t.Error(diff)
	}
	if got, want := s.Hash(), "427b599207da7794"; got != want {
		t.Errorf("the hash is %s, it was %s", got, want)
	}
}

func TestDefaultsAreInRange(t *testing.T) {
	s := Defaults()
	for _, k := range Keys() {
		if k.Shorthand {
			continue
		}
		raw := must.Have(input.ParseTOML(k.FormatIn(&s)))
		if _, bad := k.convert(raw, Builtin()); bad != nil {
			t.Errorf("%s: %v", k.Path, bad)
		}
		if k.Doc == "" {
			t.Errorf("%s has no documentation", k.Path)
		}
	}
	if err := s.Spec.Check(); err != nil {
		t.Error(err)
	}
}

// A load and a mean time between submissions take each other back. A load of 0 says that the mean
// is in force, and leaves it.
func TestLoadAndInterarrivalTakeEachOtherBack(t *testing.T) {
	s := Defaults()
	s.Spec.Workload.Service.Mean = 2
	for _, step := range []struct {
		key  string
		raw  any
		want float64
	}{{"workload.system_load", int64(0), 1}, {"workload.interarrival.mean", 0.5, 0.5},
		{"workload.system_load", 0.0, 0.5}, {"workload.system_load", int64(4), 0.5},
		{"workload.system_load", 10.0, 0.2}, {"workload.system_load", 0.0, 1},
		{"workload.interarrival.mean", 0.0, 0}} {
		if err := s.Assign(step.key, step.raw); err != nil {
			t.Fatal(err)
		}
		if got := s.Spec.Workload.InterarrivalMean(); got != step.want {
			t.Errorf("after %s = %v the mean is %v, want %v", step.key, step.raw, got, step.want)
		}
	}
}

// A load is one of service times: run times of fixed jobs, run times that become messages, or the
// times of synthetic jobs alone, which nobody draws.
func TestLoadNeedsServiceTimes(t *testing.T) {
	load, _ := FindKey("workload.system_load")
	service, _ := FindKey("workload.service.mean")
	for _, c := range []struct {
		source    Source
		run       RunKind
		perSecond float64
		acts      bool // workload.system_load
		draws     bool // workload.service.mean acts
	}{{"synthetic", "fixed", 0, true, true}, {"synthetic", "messages", 0, true, false},
		{"cplant-stream", "fixed", 0, true, true}, {"cplant-stream", "messages", 0, false, false},
		{"cplant-stream", "messages", 5, true, true}} {
		s := DefaultSpec()
		s.Workload.Source, s.Job.Run, s.Workload.SystemLoad = c.source, c.run, 0.5
		s.Job.Quota = QuotaSpec{Distribution: "fixed", Iterations: 1, PerSecond: input.Auto(c.perSecond)}
		if load.Acts(&s) != c.acts || service.Acts(&s) != c.draws {
			t.Errorf("%+v: system_load acts: %v, service.mean: %v", c, load.Acts(&s), service.Acts(&s))
		}
	}
}
