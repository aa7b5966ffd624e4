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

// filesInOrder are the files in the order of the page.
var filesInOrder = []string{"summary.csv", "runs.csv", "wide.csv", "jobs.csv", "links.csv",
	"series.csv", "load.csv", "slowdowns.csv", "interference.csv", "critical-path.csv",
	"lengths.csv", "failures.csv", "killed-runs.csv", "break-even.csv", "classes.csv",
	"differences.csv", "comparison-KEY.csv", "figures/NAME.csv"}

// Columns returns the list of the columns of a file. Columns that an earlier file of the page has
// too are only named.
func (reference) Columns(name string) (string, error) {
	files := describedFiles()
	f, known := files[name]
	if !known {
		return "", fmt.Errorf("no columns of %s", name)
	}
	var b strings.Builder
	lead := []string{}
	if f.axes {
		lead = append(lead, "AXES")
	}
	columns := f.columns
	for len(columns) > 0 && slices.ContainsFunc(leadColumns, same(columns[0])) {
		lead, columns = append(lead, code(columns[0].Name)), columns[1:]
	}
	if len(lead) > 0 {
		fmt.Fprintf(&b, "- %s\n", strings.Join(lead, ", "))
	}
	for len(columns) > 0 {
		if from, n := described(files, name, columns); n > 0 {
			var names []string
			for _, c := range columns[:n] {
				names = append(names, code(c.Name))
			}
			fmt.Fprintf(&b, "- %s: as in `%s`\n", strings.Join(names, ", "), from)
			columns = columns[n:]
			continue
		}
		c := columns[0]
		about := string(c.Type)
		if c.Nullable && about != "" {
			about += "?"
		}
		if c.Unit != "" {
			about = strings.TrimPrefix(about+", "+c.Unit, ", ")
		}
		if about != "" {
			about = " (" + about + ")"
		}
		fmt.Fprintf(&b, "- %s%s: %s\n", code(c.Name), about, c.Meaning)
		columns = columns[1:]
	}
	return b.String(), nil
}

// leadColumns name the run of a row.
var leadColumns = tables.RunColumns[:2]

// same returns whether another column is the same for a reader.
func same(a table.Column) func(b table.Column) bool {
	return func(b table.Column) bool {
		return a.Name == b.Name && a.Unit == b.Unit && a.Meaning == b.Meaning
	}
}

// described returns an earlier file on the page that has the most of the first columns, and their
// number.
func described(files map[string]file, name string, columns []table.Column) (from string, n int) {
	for _, earlier := range filesInOrder[:slices.Index(filesInOrder, name)] {
		has := 0
		for has < len(columns) && slices.ContainsFunc(files[earlier].columns, same(columns[has])) {
			has++
		}
		if has > n {
			from, n = earlier, has
		}
	}
	return from, n
}
