package sim

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/call"
	"contend/patterns"
	"contend/patterns/tasks"
)

// treeTasks returns the tasks of examples/exec-pattern/tree.py: each rank sums the vectors of its
// children 2r+1 and 2r+2, sends the sum to its parent and passes the result on.
func treeTasks(n int, length, time int64) *tasks.Graph {
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	for r := range n {
		then := func(t tasks.Task) {
			if done := len(g.Ranks[r]); done > 0 {
				t.After = []int32{int32(done - 1)}
			}
			g.Ranks[r] = append(g.Ranks[r], t)
		}
		message := func(kind tasks.Kind, peer int, tag int32) tasks.Task {
			return tasks.Task{Kind: kind, Peer: patterns.Rank(peer), Tag: tag, Bytes: length}
		}
		for c := 2*r + 1; c <= 2*r+2 && c < n; c++ {
			then(message(tasks.Receive, c, 0))
			then(tasks.Task{Kind: tasks.Calc, Time: time})
		}
		if r > 0 {
			then(message(tasks.Send, (r-1)/2, 0))
			then(message(tasks.Receive, (r-1)/2, 1))
		}
		for c := 2*r + 1; c <= 2*r+2 && c < n; c++ {
			then(message(tasks.Send, c, 1))
		}
	}
	return g
}

// The patterns of examples/exec-pattern are the built-in near-neighbour and the same graph of
// tasks made in Go: every metric of a run and every job is the same to the last bit, in a queue,
// over time that is jumped over, with jobs of a log whose times alone are measured, beside runs of
// each job alone, and with records of who waits for whom.
func TestPatternsInPython(t *testing.T) {
	t.Parallel()
	registry := config.Builtin()
	t.Cleanup(registry.EndPrograms)
	for name, time := range map[string]int64{"tree": 40, "tree-in-no-time": 0} {
		registry.Patterns = append(registry.Patterns, config.Pattern{Name: name, Doc: "a tree",
			Tasks: func(_ call.Values, j config.PatternJob) (*tasks.Graph, error) {
				return treeTasks(j.Processes, 256, time), nil
			}})
	}
	halo := pythonCall(t, "exec-pattern/halo.py") + " 64"
	tree := pythonCall(t, "exec-pattern/tree.py") + " 256 "
	drawn := map[string]any{"machine.dims": []any{int64(8), int64(8)}, "workload.jobs": int64(30),
		"workload.interarrival.mean": 100.0}
	lublin := map[string]any{"machine.dims": []any{int64(4), int64(4)}, "workload.source": "lublin",
		"workload.jobs": int64(12), "job.quota.per_second": "auto"}
	with := func(keys map[string]any, more ...any) map[string]any {
		keys = maps.Clone(keys)
		for i := 0; i < len(more); i += 2 {
			keys[more[i].(string)] = more[i+1]
		}
		return keys
	}
	withWaits := metrics.Records{Jobs: true, Interference: true}
	phases := [2]string{"near-neighbour", halo}
	graphs, calibrated := [2]string{"tree", tree + "40"}, [2]string{"tree-in-no-time", tree + "0"}
	cycle := []any{"network.cycle", "1 ns"}
	for name, c := range map[string]struct {
		keys  map[string]any
		calls [2]string
		want  metrics.Records
	}{
		"queue":        {drawn, phases, withJobs},
		"compute":      {with(drawn, "job.compute_cycles", int64(30)), phases, withJobs},
		"jumps":        {with(drawn, "runs.fast_forward", 0.05), phases, withJobs},
		"alone":        {with(drawn, "runs.alone", true), phases, withJobs},
		"interference": {drawn, phases, withWaits},
		"calibrated":   {lublin, phases, withJobs},
		"shares":       {with(lublin, "job.communication_share", 0.4), phases, withJobs},
		"queue, tasks": {with(drawn, cycle...), graphs, withJobs},
		"alone, tasks": {with(drawn, append(cycle, "runs.alone", true)...), graphs, withJobs},
		"waits, tasks": {with(drawn, cycle...), graphs, withWaits},
		"timed, tasks": {lublin, calibrated, withJobs},
		"long messages": {with(drawn, append(cycle, "job.rendezvous_bytes", int64(64))...), graphs,
			withJobs},
	} {
		var results [2]map[string]float64
		var jobs [2]*Extra
		for i, pattern := range c.calls {
			keys := with(c.keys, "job.pattern", pattern)
			if pattern == "near-neighbour" {
				keys["job.cut"] = "iteration"
			}
			s := specIn(t, registry, keys)
			results[i], jobs[i] = rowsOf(t, s, c.want)
		}
		if d := cmp.Diff(results[0], results[1], cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		d := cmp.Diff(fmt.Sprint(jobs[0].Lines), fmt.Sprint(jobs[1].Lines)) +
			cmp.Diff(jobs[0].InterferenceRows, jobs[1].InterferenceRows) +
			cmp.Diff(jobs[0].PathRows, jobs[1].PathRows)
		if d != "" || len(jobs[0].Lines) < 10 || results[0]["messages"] == 0 ||
			c.want.Interference && len(jobs[0].InterferenceRows)*len(jobs[0].PathRows) == 0 {
			t.Errorf("%s: %d jobs: %s", name, len(jobs[0].Lines), d)
		}
	}
}
