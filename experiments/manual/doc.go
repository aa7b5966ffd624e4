// Package manual writes the documentation that the program has about itself: the pages
// of docs/reference (Reference) and the man pages (ManPages). Both come from the tables and
// flags that the program uses, so they cannot contradict it.
package manual
