// Command mutants tests the tests. It plants faults in the packages of the simulator,
// one at a time, and runs the tests on each. A fault that no test catches shows a gap
// in the tests (DeMillo, Lipton and Sayward 1978, "Hints on test data selection", IEEE
// Computer 11(4)).
//
// The file faults.txt lists the faults, chosen by reading the code. Each makes the
// program compute something plausible and wrong. The working tree never changes: the go
// command reads a changed file in place of the true one (go test -overlay).
//
// The tests that a fault names run first, then all tests of its package, then those of
// the packages that depend on it, until one fails. A test counts only if it passes
// without the fault, which is checked at the end.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// wanted is the percentage of all faults that the tests have to catch.
const wanted = 95

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options holds the flags.
type options struct {
	workers int
	only    *regexp.Regexp // matches names of faults; nil for all
	timeout time.Duration  // for the tests of one package
}

// run returns the exit status. It is 1 if the tests catch too few faults or the table
// is not true, and 2 if the command cannot do its work.
func run(args []string, out, errOut io.Writer) int {
	o, err := parseOptions(args, errOut)
	if err != nil {
		return 2
	}
	root, err := moduleRoot()
	if err != nil {
		return fail(errOut, err)
	}
	faults, err := readTable(root)
	if err != nil {
		return fail(errOut, err)
	}
	tests, err := listTests(root)
	if err != nil {
		return fail(errOut, err)
	}
	all := len(faults)
	faults = chosen(faults, o.only)
	if len(faults) == 0 {
		return fail(errOut, fmt.Errorf("no fault has a name that matches %v", o.only))
	}
	trials, err := tryAll(faults, tests, o, out)
	if err != nil {
		return fail(errOut, err)
	}
	if err := tests.confirm(trials, o.timeout); err != nil {
		return fail(errOut, err)
	}
	if !report(out, trials, len(faults) == all) {
		return 1
	}
	return 0
}

func parseOptions(args []string, errOut io.Writer) (o options, err error) {
	f := flag.NewFlagSet("mutants", flag.ContinueOnError)
	f.SetOutput(errOut)
	f.IntVar(&o.workers, "j", runtime.NumCPU(), "how many faults are tried at the same time")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "time for the tests of one package")
	only := f.String("run", "", "try the faults whose names match this regular expression")
	if err = f.Parse(args); err != nil {
		return o, err
	}
	if o.workers < 1 || f.NArg() > 0 {
		err = fmt.Errorf("usage: mutants [-j workers] [-timeout duration] [-run regexp]")
		fmt.Fprintln(errOut, err)
		return o, err
	}
	if *only != "" {
		if o.only, err = regexp.Compile(*only); err != nil {
			fmt.Fprintln(errOut, "mutants: -run:", err)
		}
	}
	return o, err
}

func fail(errOut io.Writer, err error) int {
	fmt.Fprintln(errOut, "mutants:", err)
	return 2
}

// chosen returns the faults whose names match.
func chosen(faults []fault, only *regexp.Regexp) []fault {
	if only == nil {
		return faults
	}
	var list []fault
	for _, f := range faults {
		if only.MatchString(f.name) {
			list = append(list, f)
		}
	}
	return list
}

// moduleRoot returns the folder of go.mod: the working folder or one above it.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		text, missing := os.ReadFile(filepath.Join(dir, "go.mod"))
		if missing == nil && strings.HasPrefix(string(text), "module contend\n") {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("the go.mod of contend is neither here nor above")
		}
		dir = above
	}
	return "", err
}
