package experiments

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

func TestDecisionKey(t *testing.T) {
	s := spec.Defaults()
	if err := s.Assign("scheduler.decision", "paging:0,row-major",
		spec.BuiltinNames()); err != nil || s.Spec.Scheduler.Decision != allocatorText(
		&s, "paging") {
		t.Errorf("%q, %v", s.Spec.Scheduler.Decision, err)
	}
	for text, want := range map[string]string{"mm-ink": "did you mean",
		"paging:row-mayor": "paging", "mm:3": "mm"} {
		err := s.Assign("scheduler.decision", text, spec.BuiltinNames())
		if err == nil || err.Key != "scheduler.decision" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// What cannot be made for the machine is refused before anything runs.
	plan := spectest.Crowded(t, "mm")
	plan.Machine.Dims, plan.Scheduler.Decision = []int{6, 5}, "buddy2d"
	var sim cosim.Simulator
	if err := spectest.Check(&sim, plan); err == nil || !strings.Contains(err.Error(), "buddy") {
		t.Errorf("buddy2d on 6x5: %v", err)
	}
	// Points that differ in it only are runs of their own with the same jobs.
	a, b := spectest.Crowded(t, "mm"), spectest.Crowded(t, "mm")
	b.Scheduler.Decision = "mc1x1"
	x, _ := a.StreamSeed(0, "workload")
	y, _ := b.StreamSeed(0, "workload")
	if a.Hash() == b.Hash() || x != y {
		t.Error("the decision algorithm is not told apart, or changes the jobs")
	}
	st := mustParseBuiltin(t, "name = \"x\"\n[runs]\nseed = 1")
	if err := st.SetAxis("scheduler.decision", "mc1x1-tie:2,13,20,6,mm",
		spec.BuiltinNames()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"mc1x1-tie:2,13,20,6", "mm"}, st.Axes[0].Values); d != "" {
		t.Error(d)
	}
}

// allocatorText is the short form of an allocator without parameters.
func allocatorText(s *spec.Settings, name string) string {
	a := spec.DefaultSpec().Allocator
	a.Name = name
	return a.String()
}

func mustParseBuiltin(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("x.toml", text, spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func mustParseSmall(t *testing.T, text string) *study.Study {
	t.Helper()
	st, err := study.Parse("test.toml", text, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	return st
}
