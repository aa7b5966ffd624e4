// Package experiments makes the runs of studies and stores their results.
//
// Runner makes all runs that a Folder does not hold yet, in rounds, until every
// point has the replications that its rule of precision asks for. A Folder
// appends each finished run to runs.jsonl, so an interrupted study resumes.
// Results groups the stored runs by point and estimates metrics. Runner.Dry
// forecasts what a study will cost from runs that are stopped early.
//
// Results depend neither on the number of workers nor on interruptions: each
// run draws from streams that are seeded by its spec and replication, and files
// are written in the order of the study. The workers of a Runner are the only
// goroutines below the command line.
//
// The package does not know what a study may say (package study), how a run works
// (package sim) or how results are presented (package report).
package experiments
