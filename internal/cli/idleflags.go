package cli

import (
	"contend/experiments/spec"

	"github.com/spf13/pflag"
)

// refuseIdle returns an error for the first of some flags that is given, though it does not
// act. Problem says why, and right what would be right.
func refuseIdle(flags *pflag.FlagSet, names []string, problem, right string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return &spec.InputError{Where: "--" + name, Problem: problem, Right: right}
		}
	}
	return nil
}
