package sim

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// pythonCall returns the call of a program of the examples.
func pythonCall(t testing.TB, script string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return fmt.Sprintf("exec:%s %s", python, filepath.Join("..", "..", "examples", script))
}

// The examples in Python are the built-in First Fit and first come, first served: every metric of
// a run and every job is the same to the last bit.
func TestExamplesInPython(t *testing.T) {
	t.Parallel()
	firstFit := pythonCall(t, "exec-allocator/first_fit.py")
	fcfs := pythonCall(t, "exec-policy/fcfs.py")
	drawn := map[string]any{"machine.dims": []any{int64(16), int64(16)}, "workload.jobs": int64(150),
		"workload.interarrival.mean": 0.25, "job.pattern": "ring"}
	lublin := map[string]any{"machine.dims": []any{int64(16), int64(8)}, "workload.source": "lublin",
		"workload.jobs": int64(200), "job.run": "fixed"}
	for name, c := range map[string]struct {
		keys         map[string]any
		plain, other [3]string // policy, allocator, decision
	}{
		"shapes":        {drawn, [3]string{"fcfs", "first-fit"}, [3]string{"fcfs", firstFit}},
		"sizes":         {lublin, [3]string{"easy", "first-fit"}, [3]string{"easy", firstFit}},
		"queue":         {lublin, [3]string{"fcfs", "mbs"}, [3]string{fcfs, "mbs"}},
		"queue, shapes": {drawn, [3]string{"fcfs", "first-fit"}, [3]string{fcfs, "first-fit"}},
		"decision": {lublin, [3]string{"easy", "mbs", "first-fit"},
			[3]string{"easy", "mbs", firstFit}},
		"both": {drawn, [3]string{"fcfs", "first-fit"}, [3]string{fcfs, firstFit}},
	} {
		var results [2]map[string]float64
		var jobs [2]*Extra
		for i, parts := range [][3]string{c.plain, c.other} {
			keys := maps.Clone(c.keys)
			keys["scheduler.policy"], keys["allocator"], keys["scheduler.decision"] = parts[0], parts[1],
				parts[2]
			results[i], jobs[i] = rowsOf(t, specWith(t, keys), withJobs)
		}
		if d := cmp.Diff(results[0], results[1], cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		d := cmp.Diff(fmt.Sprint(jobs[0].Lines), fmt.Sprint(jobs[1].Lines))
		if d != "" || len(jobs[0].Lines) < 100 {
			t.Errorf("%s: %d jobs: %s", name, len(jobs[0].Lines), d)
		}
	}
}
