// Package export writes the results of a study for other programs: the tables runs.csv
// and wide.csv, the same and jobs.csv as Parquet, a Data Package that describes them, and
// time lines of runs for trace viewers.
package export
