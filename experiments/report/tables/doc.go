// Package tables presents the results of a study as tables: in Markdown, TeX, CSV and JSON, with
// paired comparisons of the values of an axis (CompareBy), break-evens (Crossings), and notes that
// say what a reader must know (TableNotes). For other programs it writes runs.csv and wide.csv, the
// same and jobs.csv as Parquet, a Data Package that describes them, and time lines of runs.
//
// The package makes no runs and does not change results. The same results give the same bytes.
package tables
