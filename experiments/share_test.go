package experiments

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
	"contend/internal/papertest"
)

// On a real log jobs run as long as it says where they are kept together, and
// longer where they are not, the longer the more they communicate.
func TestClosedLoopOnHPC2N(t *testing.T) {
	st, err := study.Load("pascual-closed-loop", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	sim := cosim.Simulator{TraceDirs: []string{filepath.Join("..", "..", "shared", "traces")}}
	if _, err := input.FindTrace(st.Base.Workload.Trace, sim.TraceDirs); err != nil {
		papertest.NoLog(t, err)
	}
	s := st.Base
	s.Workload.Jobs, s.Job.Pattern, s.Scheduler.Policy = 400, "near-neighbour", "easy"
	service := func(allocator string, share float64) float64 {
		s.Allocator.Name, s.Job.Share = allocator, share
		r, err := spectest.Run(context.Background(), sim.Run, s, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := r.Value("service_time")
		return v
	}
	log := service("contiguous", 0)
	if v := service("contiguous", 0.8); math.Abs(v/log-1) > 0.01 {
		t.Errorf("contiguous, four fifths of communication: jobs run %v, the log has %v", v, log)
	}
	some, much := service("sequential", 0.2), service("sequential", 0.8)
	if !(log < some && some < much) {
		t.Errorf("sequential: jobs run %v with none, %v with a fifth and %v with four fifths of "+
			"communication", log, some, much)
	}
}

// Variants with logs of their own get a digest each; a log that is another than
// a resolved spec names is refused, and all that are missing are named.
func TestLogsOfVariants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.swf": spectest.SWFLine("1", "0", "10", "1"),
		"b.swf": spectest.SWFLine("1", "0", "20", "1")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	st := &study.Study{Variants: []study.Variant{
		{Name: "a", Set: map[string]any{"workload.trace": "a.swf"}},
		{Name: "b", Set: map[string]any{"workload.trace": "b.swf"}}, {Name: "c",
			Set: map[string]any{"workload.trace": "c.swf"}}},
		Axes: []study.Axis{{Key: "variant", Values: []any{"a", "b", "c"}}}, Base: spec.DefaultSpec(),
		Runs: spec.Defaults().Runs}
	st.Base.Workload.Source = "swf"
	if err := st.PinTrace([]string{dir}, spec.BuiltinNames()); err != nil {
		t.Fatal(err)
	}
	digest := func(i int) string {
		points, err := st.Points(spec.BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		return points[i].Spec.Workload.TraceSHA256
	}
	if digest(0) == "" || digest(1) == "" || digest(0) == digest(1) || digest(2) != "" {
		t.Errorf("digests %v, %v, %v", digest(0), digest(1), digest(2))
	}
	st.Overrides[0].Set["workload.trace_sha256"] = digest(1)
	if err := st.PinTrace([]string{dir}, spec.BuiltinNames()); err == nil ||
		!strings.Contains(err.Error(), "is not the log the spec was resolved with") {
		t.Errorf("another log: %v", err)
	}
	var missing *input.MissingError
	for _, name := range []string{"c.swf", "d.swf", "c.swf", "d.swf"} {
		_, err := input.FindTrace(name, []string{dir})
		missing = missing.With(err)
	}
	if text := missing.Error(); strings.Count(text, "d.swf") != 1 ||
		!strings.Contains(text, "log c.swf not found; looked in c.swf") {
		t.Error(text)
	}
}
