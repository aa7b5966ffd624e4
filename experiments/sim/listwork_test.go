package sim

import (
	"testing"

	"contend/experiments/config/configtest"
)

// listOf returns jobs of four on a tree of 16 nodes, given by rows.
func listOf(t *testing.T, rows ...any) map[string]any {
	t.Helper()
	return map[string]any{"machine.topology": "tree", "machine.arity": int64(4),
		"machine.levels": int64(2), "workload.source": "list", "workload.list": rows,
		"job.quota.iterations": 20.0, "network.routing": "ecmp"}
}

// Rows with nodes and with jobs that go on without end are the run that places the same jobs there
// together. The measured job may be in any row.
func TestListedNodesAndBackground(t *testing.T) {
	together := listOf(t)
	delete(together, "workload.list")
	together["workload.source"], together["workload.placement"] = "together", "dealt"
	together["workload.processes"], together["workload.background"] = int64(4), "ring"
	together["job.pattern"] = "all-to-all"
	want := runOf(t, specWith(t, together))
	first := "pattern = all-to-all; nodes = 0,4,8,12"
	others := []any{"pattern = ring; nodes = 1,5,9,13; background = true",
		"pattern = ring; nodes = 2,6,10,14; background = true",
		"pattern = ring; nodes = 3,7,11,15; background = true"}
	got := runOf(t, specWith(t, listOf(t, append([]any{first}, others...)...)))
	for _, name := range []string{"jobs", "service_time", "flits", "makespan"} {
		if got[name] != want[name] {
			t.Errorf("%s is %v, and %v together", name, got[name], want[name])
		}
	}
	last := runOf(t, specWith(t, listOf(t, append(others, first)...)))
	alone := runOf(t, specWith(t, listOf(t, first)))
	if last["jobs"] != 1 || !(last["service_time"] > alone["service_time"]) {
		t.Errorf("in the last row %v jobs of %v, alone %v", last["jobs"], last["service_time"],
			alone["service_time"])
	}
}

// Processes run on nodes in the order in which a row has them, and a job waits for its own nodes.
func TestListedNodesAreThoseOfTheRow(t *testing.T) {
	in := runOf(t, specWith(t, listOf(t, "pattern = ring; nodes = 0-7")))
	out := runOf(t, specWith(t, listOf(t, "pattern = ring; nodes = 0,4,1,5,2,6,3,7")))
	if in["mean_hops"] >= out["mean_hops"] {
		t.Errorf("%v hops in order, %v out of order", in["mean_hops"], out["mean_hops"])
	}
	two := runOf(t, specWith(t, listOf(t, "pattern = ring; nodes = 0-7", "pattern = ring; nodes = 4-11")))
	if two["makespan"] < 1.9*in["makespan"] || two["wait_time"] == 0 {
		t.Errorf("two jobs on the same nodes take %v, one %v", two["makespan"], in["makespan"])
	}
}

func TestListsThatDoNotFitAreRefused(t *testing.T) {
	for want, rows := range map[string][]any{
		"all jobs of workload.list go on without end": {"pattern = ring; processes = 4; background = true"},
		"jobs of workload.list have nodes, and others have not": {"pattern = ring; nodes = 0-3",
			"pattern = ring; processes = 4"},
		"node 16 of a machine of 16": {"pattern = ring; nodes = 14-16"},
		"jobs that go on without end have 8 of 16 nodes, and another job needs 9": {
			"pattern = ring; processes = 8; background = true", "pattern = ring; processes = 9"},
	} {
		keys := listOf(t, rows...)
		keys["allocator"] = "sequential"
		if want[0] == 'n' {
			delete(keys, "allocator") // which has no say
		}
		_, err := configtest.Run(t.Context(), new(Simulator).Run, specWith(t, keys), 0, nil)
		if !contains(err, want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
