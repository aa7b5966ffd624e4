package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/pflag"
)

// setFlag adds the flag --set.
func setFlag(flags *pflag.FlagSet, to *[]string, usage string) {
	flags.StringArrayVar(to, "set", nil, usage+"; may be repeated: `KEY=VALUE`")
}

// quietFlag adds the flag --no-progress.
func quietFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "no-progress", false, "show no progress bar, even on a terminal")
}

// freshFlag adds the flag --fresh.
func freshFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "fresh", false,
		"start the output folder anew: remove the study, runs and rows that it holds")
}

// forceFlag adds the flag --force.
func forceFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "force", false, "replace files that contend has not written, or that were "+
		"changed since; never those that the command reads")
}

// traceFolders returns the folders to search for logs: those given, else the default ones.
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

// setMachine sets the machine of a study to the short form of a flag, if the flag is given.
func (a *app) setMachine(st *study.Study, flag, short string) error {
	if short == "" {
		return nil
	}
	return st.SetBy(flag+" "+short, "machine.topology", short)
}

// setAll gives a study the keys of --set. allows, which may be nil, refuses some of them.
func (a *app) setAll(st *study.Study, sets []string, allows func(key, value string) error) error {
	for _, s := range sets {
		key, value, err := assignment("--set", s)
		if err == nil && allows != nil {
			err = allows(key, value)
		}
		if err == nil {
			err = st.Set(key, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// assignment splits the value KEY=VALUE of a flag.
func assignment(flag, text string) (key, value string, err error) {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return "", "", &input.Error{Where: flag + " " + text, Problem: "there is no =",
			Right: "give KEY=VALUE"}
	}
	return strings.TrimSpace(key), strings.TrimSpace(value), nil
}

// tableFlags are the flags that choose the tables of rows to write.
type tableFlags struct {
	experiments.Tables
	all bool // --record
}

// define adds the flags.
func (f *tableFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Jobs, "jobs-csv", false, "write jobs.csv, one row per job with its nodes, and "+
		"the schedule of each run as a log in jobs.d")
	flags.BoolVar(&f.Links, "links-csv", false, "write links.csv, one row per channel")
	flags.BoolVar(&f.Series, "series-csv", false, "write series.csv, one row per bin of time, and "+
		"load.csv, one row per channel and coarser bin")
	flags.BoolVar(&f.Interference, "interference", false, "write interference.csv, one row per pair "+
		"of jobs and channel at which one waited for the other, critical-path.csv, and jobs.csv")
	flags.BoolVar(&f.Slowdowns, "slowdowns", false, "write slowdowns.csv, how much slower each job is "+
		"beside each other job only, and jobs.csv; also simulates each two jobs that are on the machine "+
		"at the same time")
	flags.BoolVar(&f.Lengths, "lengths-csv", false, "of traffic with workload.message_lengths: write "+
		"lengths.csv, one row per length of messages")
	flags.BoolVar(&f.Failures, "failures-csv", false, "with machine.failures: write failures.csv, "+
		"one row per failure, and killed-runs.csv, one row per run of a job that a failure ended")
	flags.BoolVar(&f.all, "record", false, "write all of these tables that the runs have, but "+
		"slowdowns.csv and lengths.csv")
}

// wanted returns the tables of a study that the flags ask for.
func (f *tableFlags) wanted(st *study.Study) experiments.Tables {
	t := f.Tables
	if f.all {
		t.Links, t.Series, t.Interference, t.Failures = true, true, true, st.Fails()
	}
	t.Jobs = t.Jobs || t.Interference || t.Slowdowns // contend why reads them
	return t
}

// check refuses tables of channels and of waits if no run of a study has a network, and tables of
// failures if nothing fails. --record writes what there is.
func (f *tableFlags) check(st *study.Study, points []study.Point) error {
	if f.Failures && !st.Fails() {
		return &input.Error{Where: "--failures-csv", Problem: fmt.Sprintf("nothing fails: no run has %s",
			config.FieldFailures), Right: "leave it out"}
	}
	flag := ""
	switch {
	case f.Interference:
		flag = "--interference"
	case f.Links:
		flag = "--links-csv"
	}
	if flag == "" || slices.ContainsFunc(points, func(p study.Point) bool {
		return p.Spec.Job.Run == config.RunMessages
	}) {
		return nil
	}
	return &input.Error{Where: flag, Problem: fmt.Sprintf("%s is %s, and without messages there are "+
		"no channels and no waits", config.FieldRun, config.RunFixed), Right: "leave it out"}
}

// workersFlag adds the flag --workers, by default 0: see app.prepare.
func workersFlag(flags *pflag.FlagSet, n *int) {
	const usage = "runs at the same time: `N` (default number of cores over runs.threads)"
	flags.Func("workers", usage, func(text string) (err error) {
		if *n, err = strconv.Atoi(text); err != nil || *n < 1 {
			return errors.New("give 1 or more")
		}
		return nil
	})
}

// refuseIdle returns an error for the first of some flags that is given although it has no
// effect. Problem says why, and right what to do.
func refuseIdle(flags *pflag.FlagSet, names []string, problem, right string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return &input.Error{Where: "--" + name, Problem: problem, Right: right}
		}
	}
	return nil
}
