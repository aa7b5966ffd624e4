// Package experiments turns a study, a base spec and axes in TOML, into runs,
// and runs into tables and figures.
//
// One run is a Spec: a plain value whose canonical text has a hash, and that
// hash keys its results. Keys of the TOML, flags, documentation and the
// canonical text all come from one table, spec.Keys. A run is made of the Plan a
// Spec is decoded to. A Study expands to points (Study.Points), Runner runs them
// on a pool of workers (the only goroutines of the program), Folder keeps
// what is finished, and tables, figures and comparisons with published figures
// are made from what Folder holds.
//
// Results do not depend on the number of workers, nor on what was interrupted
// and resumed: every run draws from streams seeded by Spec.StreamSeed, and
// files are written in the order of the study.
package experiments
