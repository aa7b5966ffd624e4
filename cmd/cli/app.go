// Package cli is the command line: flags in, calls, text out. It is the same for
// the program contend and for programs that add something to its registry.
//
// manual.go has what the reference and the manual pages are made of.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"contend/experiments"
	"contend/experiments/config"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1 // or outside of tolerance
	exitInput       = 2 // the user's input is wrong
	exitMissing     = 3 // an input is missing
	exitInterrupted = 130
)

// app is the state that all commands share.
type app struct {
	stdout, stderr io.Writer
	names          *config.Registry
	log            *slog.Logger
	verbose        bool
	locks          map[string]io.Closer // of output folders, by path
	force          bool                 // replaces foreign files
	reads          []string             // files that the command reads
	outputs        []*written.Folder    // folders that the command may write into
	programs       *userPrograms
	began          bool // the command line was right and the command has begun
}

// newApp returns the state of a command that has not begun.
func newApp(stdout, stderr io.Writer, names *config.Registry) *app {
	return &app{stdout: stdout, stderr: stderr, names: names,
		programs: &userPrograms{stderr: stderr}}
}

// errOutside is the error of a command that has already printed what failed.
var errOutside = errors.New("outside of tolerance")

// Run runs the command that the arguments name on everything in a registry and
// returns the exit status: 0 done, 1 failed or outside of a tolerance, 2 wrong
// input, 3 a missing log, 130 interrupted.
func Run(args []string, stdout, stderr io.Writer, r *config.Registry) int {
	if err := r.Check(); err != nil {
		fmt.Fprintf(stderr, "contend: %v\n", err)
		return exitFailed
	}
	return run(args, stdout, stderr, r)
}

// run runs a command on everything that has one of the names and returns the exit status.
func run(args []string, stdout, stderr io.Writer, names *config.Registry) int {
	out := &output{to: stdout}
	a := newApp(out, stderr, names)
	ctx, stop := a.heedSignals()
	defer stop()
	defer names.EndPrograms()
	root := a.root()
	root.SetArgs(args)
	defer a.unlock()
	defer a.saveRecords()
	err := a.execute(ctx, root)
	if err == nil && out.err != nil {
		a.began = true // the command line was right
		err = fmt.Errorf("standard output is incomplete: %w", out.err)
	}
	return a.status(err)
}

// execute runs the command. A panic of the command's own goroutine becomes an error.
func (a *app) execute(ctx context.Context, root *cobra.Command) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = input.NewPanicError(p)
		}
	}()
	return root.ExecuteContext(ctx)
}

// root returns the program's command with all commands below it.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "contend",
		Short:         "Simulate processor allocation and network contention, flit by flit",
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			a.began = true
			level := slog.LevelWarn
			if a.verbose {
				level = slog.LevelInfo
			}
			a.log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
			return a.programs.begin(c.Flags())
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "print more on standard error")
	a.programs.define(root.PersistentFlags())
	root.AddCommand(a.runCommand(), a.sweepCommand(), a.sweepTaskCommand(),
		a.mergeCommand(), a.exportCommand(), a.listCommand(), a.showCommand(), a.plotCommand(),
		a.compareCommand(), a.whyCommand(), a.reportCommand(),
		a.netCommand(), a.networkCommand(),
		a.patternCommand(), a.traceCommand(), a.siteCommand())
	a.versionFlag(root)
	explainUsage(root)
	return root
}

// status prints an error and returns its exit status.
func (a *app) status(err error) int {
	if err == nil {
		return exitDone
	}
	var bad *input.Error
	var missing *input.MissingError
	var failed *experiments.RunError
	var panicked *input.PanicError
	switch {
	case errors.Is(err, errOutside):
		return exitFailed
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(a.stderr, interruptedText)
		return exitInterrupted
	}
	if mislaid := input.Misplaced(err); mislaid != nil && !errors.As(err, &bad) {
		err = mislaid
	}
	fmt.Fprintln(a.stderr, "contend:", input.Printable(err.Error()))
	switch {
	case errors.As(err, &bad):
		return exitInput
	case errors.As(err, &missing):
		return exitMissing
	case errors.As(err, &failed):
		a.panicked(failed.Stack, "the spec of the run:\n"+failed.Point.Spec.Canonical()+"\n")
		return exitFailed
	case errors.As(err, &panicked):
		a.panicked(panicked.Stack, "")
		return exitFailed
	case !a.began:
		fmt.Fprintln(a.stderr, "contend --help shows how to use it")
		return exitInput
	}
	return exitFailed
}

// panicked prints the stack of a panic, if there is one, after the run that it is about. Without
// --verbose it prints how to get the stack.
func (a *app) panicked(stack, about string) {
	switch {
	case stack == "":
	case !a.verbose:
		fmt.Fprintln(a.stderr, "contend: --verbose prints the stack")
	default:
		fmt.Fprint(a.stderr, about, stack)
	}
}

// notes writes notes to standard error.
func (a *app) notes(list []string) {
	for _, n := range list {
		fmt.Fprintln(a.stderr, "contend:", n)
	}
}
