// Package decide answers requests for nodes from other programs, as contend
// allocate does.
//
// A request is a line of JSON with the free nodes of a machine, or with the name
// of a job, and a size. The answer has the nodes that one or several allocators
// choose, with measures of their compactness. Decisions.Answer answers one line,
// Decisions.Serve a whole input. docs/reference/columns.md has the keys.
//
// The package neither simulates jobs nor knows time: a program of one's own, such
// as a resource manager, decides when jobs start and end.
package decide
