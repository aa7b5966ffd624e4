// Package experiments expands studies to runs, makes the runs, and stores their
// results.
//
// A Study is a base spec, axes, variants and overrides, read from TOML with
// LoadStudy or ParseStudy. Flags change it with Study.Set, Study.SetAxis and
// Study.UseQuick; Study.Check tests the result. Study.Points expands it to
// points, each with the canonical spec of its runs and their hash.
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
// The package does not know how a run works (package cosim) or how results are
// presented (package report).
package experiments
