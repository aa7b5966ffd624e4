// Package cli is the command line: flags in, calls, text out. It is the same for
// the program contend and for programs that add something to its registry.
//
// Describe gives the reference and the manual pages their text.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	root.AddCommand(a.manualCommand())
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
		a.compareCommand(), a.claimsCommand(), a.whyCommand(), a.reportCommand(),
		a.netCommand(), a.networkCommand(),
		a.patternCommand(), a.traceCommand(), a.siteCommand())
	a.versionFlag(root)
	explainUsage(root)
	explainHelp(root)
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

// explainUsage makes the errors in the command lines of c and of the commands below it say what
// would be right.
func explainUsage(c *cobra.Command) {
	c.SetFlagErrorFunc(flagError)
	takeOnce(c.Flags())
	args := c.Args
	c.Args = func(c *cobra.Command, given []string) error {
		if c.HasSubCommands() && len(given) > 0 {
			return unknownCommand(c, given)
		}
		var own *input.Error
		if args == nil {
			return nil
		} else if err := args(c, given); err == nil || errors.As(err, &own) {
			return err
		}
		return &input.Error{Where: c.CommandPath(), Right: "use " + c.UseLine(),
			Problem: input.Plural(len(given), "argument") + " given"}
	}
	if c.HasSubCommands() && !c.Runnable() { // else cobra leaves the arguments unread
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	for _, below := range c.Commands() {
		explainUsage(below)
	}
}

// explainHelp makes the command help of a root refuse what is no command.
func explainHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	show := help.Run
	help.Run = nil
	help.RunE = func(c *cobra.Command, given []string) error {
		about, rest, err := root.Find(given)
		if err == nil && about.HasSubCommands() && len(rest) > 0 {
			return unknownCommand(about, rest[:1])
		}
		show(c, given)
		return err
	}
}

// unknownCommand is the error for arguments of which the first is none of the commands below c. A
// built-in study and a topic of contend list are told the command that takes them.
func unknownCommand(c *cobra.Command, given []string) error {
	var names []string
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	name := given[0]
	right := input.OneOf(name, names)
	switch _, isStudy := studies.TOML(name); {
	case c.HasParent():
	case isStudy && len(given) > 1:
		right = fmt.Sprintf("it is a study: contend run %s runs it, with --trace %s on that log", name,
			given[1])
	case isStudy:
		right = fmt.Sprintf("it is a study: contend run %s runs it, contend show %[1]s prints it", name)
	case slices.Contains(topics, name):
		right = fmt.Sprintf("contend list %s lists them", name)
	}
	return input.Bad("", right, "%s has no command %q", c.CommandPath(), name)
}

// flagError returns the error of pflag in words of the command line, with what would be right.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	var own *input.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		right := c.CommandPath() + " --help shows its flags"
		if near, ok := input.Nearest(name, names); ok {
			right = fmt.Sprintf("did you mean %s?", near)
		}
		return input.Bad("", right, "%s has no flag %s", c.CommandPath(), name)
	case errors.As(err, &bad):
		right, ok := map[string]string{"int": "a whole number", "int64": "a whole number",
			"float64": "a number without a unit", "bool": "true or false"}[bad.GetFlag().Value.Type()]
		if right = "give " + right; !ok {
			right = bad.Unwrap().Error()
		}
		return &input.Error{Where: "--" + bad.GetFlag().Name, Right: right,
			Problem: fmt.Sprintf("the value is %q", bad.GetValue())}
	}
	return err
}

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

// onceValue is the value of a flag that may be given once. pflag alone would replace the first
// value by the second without an error.
type onceValue struct {
	pflag.Value
	flag  *pflag.Flag
	given string // the flag with its value, "" before it
}

// takeOnce makes all flags of a set that have a single value refuse a second one.
func takeOnce(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if _, several := f.Value.(pflag.SliceValue); !several && f.Value.Type() != "bool" {
			f.Value = &onceValue{Value: f.Value, flag: f}
		}
	})
}

// Set sets the first value and refuses others.
func (v *onceValue) Set(text string) error {
	now := "--" + v.flag.Name + " " + text
	if v.given == "" {
		v.given = now
		return v.Value.Set(text)
	}
	right, usage := "run the command once for each value", v.flag.Usage
	if strings.Contains(usage, "separated by commas") || strings.Contains(usage, "a list") {
		right = "separate its values by commas"
	}
	return &input.Error{Where: now, Problem: v.given + " is given too",
		Right: "give the flag once, and " + right}
}

// output is standard output that remembers the first error of a write, so that a command whose
// results were lost, on a full disk for example, fails.
type output struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
