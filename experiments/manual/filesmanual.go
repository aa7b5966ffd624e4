package manual

import (
	"fmt"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/report"
)

// filesTable writes the columns of the files of an output folder.
func filesTable(b *strings.Builder) {
	b.WriteString("\n## Files of an output folder\n\n" +
		"Columns stand in this order; AXES are the keys of the study's axes in theirs, a column " +
		"each.\n\n" +
		"| file | a row per | columns |\n| --- | --- | --- |\n")
	runs := "AXES, replication, hash, metric, unit, value"
	for _, f := range [][3]string{
		{"summary.csv", "point and metric", "AXES, " + strings.Join(report.SummaryColumns, ", ")},
		{"runs.csv", "run and metric", runs},
		{"runs.parquet", "run and metric", runs},
		{"jobs.csv", "job, with --jobs-csv", "AXES, replication, " +
			strings.Join(cosim.JobColumns(), ", ")},
		{"links.csv", "channel, with --links-csv",
			"AXES, replication, " + strings.Join(cosim.LinkColumns(), ", ")},
		{"break-even.csv", "line compared", "AXES, " + strings.Join(report.CrossingColumns, ", ")},
		{"figures/NAME.csv", "value drawn", "the figure's panels, series, x, y, y_low, y_high, " +
			"published"},
	} {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f[0], f[1], f[2])
	}
	b.WriteString("\nNumbers have no exponents. Integers are written as integers, times in " +
		"seconds or cycles with at most three\n" +
		"decimals (three significant digits below 1), other numbers with at most nine " +
		"significant digits. What is not defined\n" +
		"is empty. `runs.jsonl` and `runs.parquet` are exact. In `runs.parquet` an axis is an " +
		"`int64`, `double` or `boolean`\n" +
		"column if its key is an integer, a number or a boolean, else a string.\n" +
		"Names are quoted as CSV wants it and else as they are: a spreadsheet takes one that " +
		"begins with `=`, `+`, `-` or `@`\n" +
		"for a formula, so read such a file as text.\n")
}
