package metrics

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/router/topology"
	"contend/scheduler"
)

// The pieces of free nodes over time are those of a plain count on a line of nodes: job 1 leaves
// two pieces, job 2 beside it as well, and where both run there is one.
func TestFreeComponentsOverTime(t *testing.T) {
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 1}
	line := &Timeline{plan: configtest.Plan(t, s)}
	record := func(start, end scheduler.Cycle, nodes ...topology.Node) {
		line.record(&scheduler.Record{Submit: 0, Start: start, End: end, Nodes: nodes, Allocated: nodes})
	}
	record(2, 6, 2, 3, 4)
	record(4, 8, 5, 6, 7)
	record(6, 6, 0) // a job without run time changes nothing
	record(8, 10, 0, 1, 2, 3, 4, 5, 6, 7)
	series, _ := line.Rows(12)
	rows := configtest.Rows(SeriesTable.Columns, SeriesTable.Rows(&Records{SeriesRows: series}))
	for i, want := range []float64{1, 1, 2, 2, 1, 1, 1, 1, 0, 0, 1, 1} {
		if got := rows[i]["free_components"]; got != want {
			t.Errorf("cycle %d: %v pieces, want %v", i, got, want)
		}
	}
	if len(rows) != 12 || rows[0]["queue_jobs"] != 4 || rows[7]["queue_jobs"] != 1 {
		t.Errorf("%v", rows)
	}
}
