package cli

import (
	"io"

	"contend/experiments/config"

	"github.com/spf13/cobra"
)

// ExitStatus is a status with which the program ends.
type ExitStatus struct {
	Code    int    // what the shell sees
	Meaning string // a phrase
}

// ExitStatuses lists the statuses with which the program ends.
var ExitStatuses = []ExitStatus{
	{Code: exitDone, Meaning: "done"},
	{Code: exitFailed, Meaning: "a run failed, a result lies outside of its tolerance, or the " +
		"machine refused something: a full disk, no memory"},
	{Code: exitInput, Meaning: "the input is wrong: the command line, a study, a log, a request. " +
		"The message names file, line, column and what would be right"},
	{Code: exitMissing, Meaning: "a log is missing. The message names it and the folders searched. " +
		"`contend run` first makes the runs that do not need the log"},
	{Code: exitInterrupted, Meaning: "interrupted (Ctrl-C, SIGTERM), within a second; a second " +
		"signal ends the command at once. Finished runs are kept; the same command resumes"},
}

// Describe returns the command line of the program with everything in a registry, for manuals.
func Describe(r *config.Registry) *cobra.Command {
	a := newApp(io.Discard, io.Discard, r)
	return a.root()
}
