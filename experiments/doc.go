// Package experiments makes the runs of studies and stores their results.
//
//   - Runner makes all runs that a Folder does not hold yet, in rounds, until every point has the
//     replications that its rule of precision asks for (runner.go, precision.go).
//   - A Folder appends each finished run to runs.jsonl, so an interrupted study resumes (store.go,
//     openfolder.go). Tables of rows, such as jobs.csv, are joined from a file of each run, its part
//     (rows.go, parts.go).
//   - Results groups the stored runs by point and estimates metrics (results.go).
//   - A Forecast estimates the cost of a study from the beginning of runs, which then go on, or in
//     a dry run are stopped (forecast.go).
//   - Other processes may make runs into shards, which Folder.Absorb joins (shard.go).
//
// Results depend neither on the number of workers nor on interruptions: each run draws from streams
// that are seeded by its spec and replication, and files are written in the order of the study. The
// workers of a Runner are the only goroutines below the command line.
//
// The package does not know what a study may say (package study), how a run works (package sim) or
// how results are presented (package report).
package experiments
