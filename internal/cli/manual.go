package cli

import (
	"io"
	"os"
	"path/filepath"

	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/internal/manual"

	"github.com/spf13/cobra"
)

// exits are the statuses the program ends with.
var exits = []manual.ExitStatus{
	{Code: exitDone, Meaning: "done"},
	{Code: exitFailed, Meaning: "a run failed, a result lies outside of its tolerance, a check of " +
		"`contend doctor` failed, or the machine refused something: a full disk, no memory"},
	{Code: exitInput, Meaning: "the input is wrong: the command line, a study, a log, a request. " +
		"The message names file, line, column and what would be right"},
	{Code: exitMissing, Meaning: "a log is missing. The message names it and the folders searched. " +
		"`contend run` first makes the runs that do not need the log"},
	{Code: exitInterrupted, Meaning: "interrupted (Ctrl-C, SIGTERM). Finished runs are kept; " +
		"the same command resumes"},
}

func (a *app) manualCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use: "manual", Short: "Write the man pages", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return &input.Error{Problem: "there is no folder", Right: "give --man FOLDER"}
			}
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			for name, text := range manual.ManPages(described(c.Root())) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&dir, "man", "", "`FOLDER` for the man pages")
	return c
}

// Describe returns the command line of the program with everything in a registry.
func Describe(r *spec.Registry) manual.Program {
	a := &app{stdout: io.Discard, stderr: io.Discard, names: r.Names()}
	return described(a.root())
}

// described replaces defaults that depend on the computer by words.
func described(root *cobra.Command) manual.Program {
	p := manual.Program{Root: root, Exits: exits}
	for _, c := range p.Commands() {
		if f := c.Flags().Lookup("workers"); f != nil {
			f.DefValue = "number of cores"
		}
	}
	return p
}
