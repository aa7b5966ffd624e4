package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/must"
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

// specWith returns a spec with keys that are set in order.
func specWith(t testing.TB, keys ...any) config.Spec {
	t.Helper()
	s := config.Defaults()
	for i := 0; i < len(keys); i += 2 {
		if err := s.Assign(keys[i].(string), keys[i+1], config.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
	}
	return s.Spec
}

// The examples in Python are the built-in First Fit and first come, first served: every metric of
// a run and every job is the same to the last bit.
func TestExamplesInPython(t *testing.T) {
	t.Parallel()
	firstFit := pythonCall(t, "exec-allocator/first_fit.py")
	fcfs := pythonCall(t, "exec-policy/fcfs.py")
	drawn := []any{"machine.dims", []any{int64(16), int64(16)}, "workload.jobs", int64(150),
		"workload.interarrival.mean", 0.25, "job.pattern", "ring"}
	lublin := []any{"machine.dims", []any{int64(16), int64(8)}, "workload.source", "lublin",
		"workload.jobs", int64(200), "job.run", "fixed"}
	for name, c := range map[string]struct {
		keys         []any
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
		var results [2]metrics.Result
		var jobs [2]Extra
		for i, parts := range [][3]string{c.plain, c.other} {
			keys := append(c.keys[:len(c.keys):len(c.keys)], "scheduler.policy", parts[0],
				"allocator", parts[1], "scheduler.decision", parts[2])
			jobs[i].Jobs = true
			var err error
			results[i], err = configtest.Run(context.Background(), new(Simulator).Run,
				specWith(t, keys...), 0, &jobs[i])
			if err != nil {
				t.Fatal(name, err)
			}
		}
		plain, other := must.Have(json.Marshal(results[0])), must.Have(json.Marshal(results[1]))
		if d := cmp.Diff(string(plain), string(other)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		d := cmp.Diff(fmt.Sprint(jobs[0].Lines), fmt.Sprint(jobs[1].Lines))
		if d != "" || len(jobs[0].Lines) < 100 {
			t.Errorf("%s: %d jobs: %s", name, len(jobs[0].Lines), d)
		}
	}
}
