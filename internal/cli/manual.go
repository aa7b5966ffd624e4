package cli

import (
	"fmt"

	"contend/experiments/manual"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	var dir, man string
	c := &cobra.Command{
		Use: "manual", Short: "Write the reference pages or the man pages", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if (dir == "") == (man == "") {
				return &spec.InputError{Problem: "the command needs exactly one folder",
					Right: "give --dir for the reference or --man for man pages"}
			}
			p := manual.Program{Root: c.Root(), Names: a.names, Exits: exits}
			documented(p.Root)
			if man != "" {
				return manual.Write(man, manual.ManPages(p))
			}
			pages, err := manual.Reference(p)
			if err != nil {
				return err
			}
			if err := manual.Write(dir, pages); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%d pages are in %s\n", len(pages), dir)
			return nil
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "`FOLDER` for the pages of docs/reference")
	c.Flags().StringVar(&man, "man", "", "`FOLDER` for the man pages")
	return c
}

// documented replaces defaults that depend on the computer by words.
func documented(root *cobra.Command) {
	for _, c := range manual.Commands(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "workers" {
				f.DefValue = "number of cores"
			}
		})
	}
}
