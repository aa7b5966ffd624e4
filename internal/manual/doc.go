// Package manual describes a command line: its commands with their flags. The descriptions come
// from the commands that the program runs, so they cannot contradict it.
package manual
