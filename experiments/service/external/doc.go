// Package external has allocators, policies and patterns that are programs of their own, in any
// language.
//
// A run starts the program once and writes lines of JSON to its standard input. The program
// answers each line with one line on its standard output. The first line describes the machine.
// An allocator then gets the requests for nodes of `contend network` and answers as that does; a
// policy gets the events of jobs and answers with the jobs to start. docs/howto/json-lines.md has
// the lines.
//
// A pattern depends on no machine and on no run. Its program starts once for all runs and gets a
// line for each number of processes and shape of jobs, without a first line. It answers with the
// phases or the tasks of an iteration. docs/howto/own-pattern.md has an example.
//
// A run depends on nothing but its spec. So the text of a command holds the digest of the files
// that the command names, and the program has to be deterministic. An answer that is wrong, late
// or missing ends the run with an error.
package external
