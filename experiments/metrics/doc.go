// Package metrics is what a run is measured by: the table of metrics with their units, the result
// of a run, and the collectors that make it.
//
// MetricInfos documents the metrics. A Collector accumulates what the jobs of a run do and returns
// a Result, by the functions in the rows of metrictable.go. Records holds the rows that a run
// answers beside it: jobs, channels, waits, and what happened over time. A PlacementMeter measures
// where jobs are placed.
//
// A cell, by the example of the column start of jobs.csv:
//
//  1. Job 7 ends. Collector.Record gets its scheduler.Record, in which Start is cycle 1,234,567,
//     and appends a JobRow to Records.JobRows.
//  2. The row of the column in JobTable (jobrows.go) is times("start", "when it got its nodes", ...)
//     with the function that returns JobRow.Start. A clock of 1,000 cycles a second makes of it a
//     table.Value: the number 1234.567 in the unit s.
//  3. Folder.WritePart of package experiments asks JobTable.Rows for the cells and writes the text
//     "1234.567" into a file of the run, in which times have three decimals. Folder.Join makes
//     jobs.csv of these files.
//  4. jobs.parquet, figures and contend export read the text once, by the type of the column:
//     Column.Parse gives a table.Value again, and Part.Number returns 1234.567.
//  5. The page on columns, datapackage.json and the schema of jobs.parquet take name, unit, type
//     and meaning from the same row.
//
// A new column is a row of its table, and a new metric a row of metrictable.go; what they need of
// the run is a field of JobRow or of Collector.
package metrics
