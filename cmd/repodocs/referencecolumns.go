package main

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/internal/table"
)

// file is one kind of CSV file.
type file struct {
	axes    bool           // columns of the axes' keys come first
	columns []table.Column // those behind the axes
}

// describedFiles returns the files that the page on columns describes, by their names there.
func describedFiles() map[string]file {
	// A column for each metric of wide.csv has the name of the metric.
	metric := table.Number.Column("METRIC", "of the metric",
		"a column for each [metric](metrics.md) that some run has, under its own name").OrEmpty()
	withJumps := func(columns []table.Column) file {
		return file{true, append(slices.Clone(columns), tables.JumpColumn)}
	}
	files := map[string]file{
		"summary.csv":        withJumps(tables.SummaryColumns),
		"runs.csv":           {true, tables.RunColumns},
		"wide.csv":           {true, append(slices.Clone(tables.WideColumns), metric)},
		"break-even.csv":     withJumps(tables.CrossingColumns),
		"classes.csv":        withJumps(tables.ClassColumns),
		"differences.csv":    withJumps(tables.ComparisonColumns),
		"comparison-KEY.csv": withJumps(tables.ComparisonColumns),
		"figures/NAME.csv":   {false, plot.Columns},
	}
	for _, t := range metrics.RowTables {
		if t == metrics.SizeTable { // figures read its parts, and no file joins them
			continue
		}
		run := len(experiments.RunColumns(t.Name))
		files[t.Name+".csv"] = file{true, slices.Concat(tables.RunColumns[:run], t.Columns)}
	}
	return files
}

// Columns returns the table of the columns of a file. It has no column of types where the file has
// none.
func (reference) Columns(name string) (string, error) {
	f, known := describedFiles()[name]
	if !known {
		return "", fmt.Errorf("no columns of %s", name)
	}
	header, columns := []string{"column", "type", "unit", "meaning"}, f.columns
	rows := [][]string{header, {"---", "---", "---", "---"}}
	if f.axes {
		rows = append(rows, []string{"AXES", "", "", "the point"})
	}
	for _, c := range columns {
		kind := string(c.Type)
		if c.Nullable {
			kind += ", may be empty"
		}
		rows = append(rows, []string{code(c.Name), kind, c.Unit, c.Meaning})
	}
	var b strings.Builder
	for _, row := range rows {
		if columns[0].Type == "" {
			row = slices.Delete(row, 1, 2)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String(), nil
}
