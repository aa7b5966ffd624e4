// Package external has allocators and policies that are programs of their own, in any language.
//
// A run starts the program once and writes lines of JSON to its standard input. The program
// answers each line with one line on its standard output. The first line describes the machine.
// An allocator then gets the requests for nodes of `contend network` and answers as that does; a
// policy gets the events of jobs and answers with the jobs to start. docs/howto/json-lines.md has
// the lines.
//
// A run depends on nothing but its spec. So the text of a command holds the digest of the files
// that the command names, and the program has to be deterministic. An answer that is wrong, late
// or missing ends the run with an error.
package external
