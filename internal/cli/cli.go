// Package cli is the command line: flags in, calls, text out. It is the same for
// the program contend and for programs that add something to its registry.
package cli

import (
	"fmt"
	"io"

	"contend/experiments/spec"
)

// Run runs the command that the arguments name on everything in a registry and
// returns the exit status: 0 done, 1 failed or outside of a tolerance, 2 wrong
// input, 3 a missing log, 130 interrupted.
func Run(args []string, stdout, stderr io.Writer, r *spec.Registry) int {
	if err := r.Check(); err != nil {
		fmt.Fprintf(stderr, "contend: %v\n", err)
		return exitFailed
	}
	return run(args, stdout, stderr, r.Names())
}
