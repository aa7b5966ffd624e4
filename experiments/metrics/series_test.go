package metrics

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	node := func(list ...topology.Node) []topology.Node { return list }
	record := func(start, end scheduler.Cycle, nodes []topology.Node) {
		line.record(&scheduler.Record{Submit: 0, Start: start, End: end, Nodes: nodes, Allocated: nodes})
	}
	record(2, 6, node(2, 3, 4))
	record(4, 8, node(5, 6, 7))
	record(6, 6, node(0)) // a job without run time changes nothing
	record(8, 10, node(0, 1, 2, 3, 4, 5, 6, 7))
	rows, _ := line.Rows(12)
	got := column(t, rows, "free_components")
	want := []float64{1, 1, 2, 2, 1, 1, 1, 1, 0, 0, 1, 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if queue := column(t, rows, "queue_jobs"); queue[0] != 4 || queue[7] != 1 {
		t.Errorf("queue %v", queue)
	}
}

// column returns the numbers of a column of series.csv.
func column(t *testing.T, rows [][]string, name string) (values []float64) {
	t.Helper()
	i := slices.Index(SeriesTable.Names(), name)
	for _, row := range rows {
		x, err := strconv.ParseFloat(row[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, x)
	}
	return values
}
