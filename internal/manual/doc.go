// Package manual describes a command line: its commands with their flags, and the man pages
// (ManPages). Both come from the commands that the program runs, so they cannot contradict it.
package manual
