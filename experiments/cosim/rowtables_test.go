package cosim

import (
	"slices"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/internal/table"
)

// Rows of jobs and of channels have the types that their tables say, on machines with
// boxes and without, with a network and without, and on a log.
func TestRowsHaveTheirTypes(t *testing.T) {
	messages := spectest.Net(4, 4, 4)
	messages.Workload.Jobs = 12
	messages.Workload.Side.Max = 3
	tree := spectest.Tree()
	tree.Job.Run, tree.Workload.Jobs = "fixed", 20
	for name, s := range map[string]spec.Spec{
		"messages": messages,
		"fixed":    spectest.Crowded(t, "mbs"),
		"tree":     tree,
	} {
		var sim Simulator
		extra := &Extra{Records: metrics.Records{Jobs: true, Links: true}}
		if _, err := spectest.Run(t.Context(), sim.Run, s, 0, extra); err != nil {
			t.Fatal(name, err)
		}
		if len(extra.JobRows) < 10 || (len(extra.LinkRows) > 0) != (name == "messages") {
			t.Fatalf("%s: %d jobs, %d channels", name, len(extra.JobRows), len(extra.LinkRows))
		}
		checkTypes(t, name, metrics.JobTable, extra.JobRows)
		checkTypes(t, name, metrics.LinkTable, extra.LinkRows)
		checkBoxes(t, name, extra.JobRows, name != "tree")
	}
}

// checkBoxes checks that measures of boxes are there, or empty on a machine without them, where
// a 0 would pass for a compact job.
func checkBoxes(t *testing.T, name string, rows [][]string, there bool) {
	t.Helper()
	for _, column := range []string{"dispersal", "weighted_dispersal", "bounding_cube_ratio"} {
		for _, row := range rows {
			if cell := row[slices.Index(metrics.JobTable.Names(), column)]; (cell != "") != there {
				t.Fatalf("%s: %s of a job is %q", name, column, cell)
			}
		}
	}
}

func checkTypes(t *testing.T, name string, columns []table.Column, rows [][]string) {
	t.Helper()
	for _, row := range rows {
		if len(row) != len(columns) {
			t.Fatalf("%s: %d cells for %d columns", name, len(row), len(columns))
		}
		for i, cell := range row {
			if _, err := columns[i].Parse(cell); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if cell == "" && !columns[i].Nullable {
				t.Errorf("%s: an empty cell in the column %s", name, columns[i].Name)
			}
		}
	}
}
