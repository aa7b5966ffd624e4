package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/pflag"
)

// What follows are flags that commands have in common.

func setFlag(flags *pflag.FlagSet, to *[]string, usage string) {
	flags.StringArrayVar(to, "set", nil, usage+"; may be repeated: `KEY=VALUE`")
}

func quietFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "no-progress", false, "show no progress bar, even on a terminal")
}

func freshFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "fresh", false,
		"start the output folder anew: remove the study, runs and rows that it holds")
}

func jsonFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "json", false, "print the summary as JSON instead of the table")
}

func tracesFlag(flags *pflag.FlagSet, to *[]string) {
	flags.StringArrayVar(to, "traces", nil, "folder to look for logs in, `DIR`; may be repeated "+
		"(default $CONTEND_TRACES, ./traces, ../shared/traces)")
}

// traceFolders returns the folders to look for logs in.
func traceFolders(given []string) []string {
	if len(given) > 0 {
		return given
	}
	folders := []string{"traces", filepath.Join("..", "shared", "traces")}
	if dir := os.Getenv("CONTEND_TRACES"); dir != "" {
		folders = append([]string{dir}, folders...)
	}
	return folders
}

func machineFlag(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "machine", "", "short form of the machine: mesh:16x16, torus:8x8x4, "+
		"hypercube:6, "+
		"tree:4x4 (arity x levels), fat-tree:4x4x4:2, dragonfly:a4h2p2g9, hyperx:8x8, graph:FILE; "+
		"--set machine.KEY=VALUE adds to it: `SHORT` (default mesh:16x16)")
}

// setMachine sets the keys that a flag with a machine stands for, if the flag is given.
func (a *app) setMachine(st *study.Study, flag, short string) error {
	if short == "" {
		return nil
	}
	return st.SetBy(flag+" "+short, "machine.topology", short)
}

// setAll gives a study the keys of --set. allows, which may be nil, refuses some of them.
func (a *app) setAll(st *study.Study, sets []string,
	allows func(key, value string) error) error {
	for _, s := range sets {
		if err := assignment("--set", s, func(key, value string) error {
			if allows != nil {
				if err := allows(key, value); err != nil {
					return err
				}
			}
			return st.Set(key, value)
		}); err != nil {
			return err
		}
	}
	return nil
}

// assignment splits KEY=VALUE.
func assignment(flag, text string, use func(key, value string) error) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return &input.Error{Where: flag + " " + text, Problem: "there is no =",
			Right: "give KEY=VALUE"}
	}
	return use(strings.TrimSpace(key), strings.TrimSpace(value))
}

// tableFlags say which tables of rows a command writes.
type tableFlags struct {
	experiments.Tables
	all bool
}

func (f *tableFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Jobs, "jobs-csv", false, "write jobs.csv, one row per job with its nodes, and "+
		"the schedule of each run as a log in jobs.d")
	flags.BoolVar(&f.Links, "links-csv", false, "write links.csv, one row per channel")
	flags.BoolVar(&f.Series, "series-csv", false, "write series.csv, one row per bin of time, and "+
		"load.csv, one row per channel and coarser bin")
	flags.BoolVar(&f.Interference, "interference", false, "write interference.csv, one row per pair "+
		"of jobs and channel at which one waited for the other, critical-path.csv, and jobs.csv")
	flags.BoolVar(&f.Lengths, "lengths-csv", false, "of traffic with workload.message_lengths: write "+
		"lengths.csv, one row per length of messages")
	flags.BoolVar(&f.all, "record", false, "write all of these tables but lengths.csv")
}

// wanted returns the tables that the flags ask for.
func (f *tableFlags) wanted() experiments.Tables {
	if f.all {
		return experiments.Tables{Jobs: true, Links: true, Series: true, Interference: true,
			Lengths: f.Lengths}
	}
	t := f.Tables
	t.Jobs = t.Jobs || t.Interference // contend why reads both
	return t
}

// defineWorkers adds the flag --workers, by default the number of cores.
func defineWorkers(flags *pflag.FlagSet, n *int, usage string) {
	*n = runtime.NumCPU()
	flags.Func("workers", usage+": `N` (default number of cores)", func(text string) (err error) {
		if *n, err = strconv.Atoi(text); err != nil || *n < 1 {
			return errors.New("give 1 or more")
		}
		return nil
	})
}

// refuseIdle returns an error for the first of some flags that is given, though it does not
// act. Problem says why, and right what would be right.
func refuseIdle(flags *pflag.FlagSet, names []string, problem, right string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return &input.Error{Where: "--" + name, Problem: problem, Right: right}
		}
	}
	return nil
}
