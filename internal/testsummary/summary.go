package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is an event as "go doc test2json" describes it, or an event of a build.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // set for a package being built
	FailedBuild                   string
}

// summary follows the events of packages that are tested at the same time.
type summary struct {
	out      io.Writer
	packages map[string]*tested
	built    map[string][]string // output of builds, by ImportPath
	failed   bool
	noLog    skips
	others   skips // skipped for another reason
}

// tested is a package whose tests run.
type tested struct {
	lines []line // in order of output, without those of tests that did not fail
}

type line struct{ test, text string }

// noLogMark is the beginning of the message of a test that skips for want of a log.
const noLogMark = "no log: "

func newSummary(out io.Writer) *summary {
	return &summary{out: out, packages: map[string]*tested{}, built: map[string][]string{},
		noLog: skips{}, others: skips{}}
}

// read follows the events to their end. It prints a line that is not an event
// unchanged, because tests that write past the testing package may break an event. A
// package without an end has failed.
func (s *summary) read(in io.Reader) error {
	r := bufio.NewReader(in)
	for {
		text, err := r.ReadString('\n')
		if text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) != nil || e.Action == "" {
				fmt.Fprint(s.out, text)
			} else {
				s.take(e)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	var open []string
	for pkg := range s.packages {
		open = append(open, pkg)
	}
	slices.Sort(open)
	for _, pkg := range open {
		s.end(event{Action: "fail", Package: pkg})
		fmt.Fprintf(s.out, "FAIL\t%s [the events end here]\n", pkg)
	}
	return nil
}

func (s *summary) take(e event) {
	switch e.Action {
	case "build-output":
		s.built[e.ImportPath] = append(s.built[e.ImportPath], e.Output)
		return
	case "build-fail":
		s.failed = true
		s.printBuild(e.ImportPath)
		return
	}
	if e.Package == "" {
		return
	}
	p := s.packages[e.Package]
	if p == nil {
		p = &tested{}
		s.packages[e.Package] = p
	}
	switch e.Action {
	case "output":
		p.lines = append(p.lines, line{e.Test, e.Output})
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.end(e)
			return
		}
		if e.Action == "skip" {
			s.skipped(e, p)
		}
		if e.Action != "fail" {
			p.drop(e.Test)
		}
	}
}

// printBuild prints the output of a build once.
func (s *summary) printBuild(path string) {
	for _, text := range s.built[path] {
		fmt.Fprint(s.out, text)
	}
	delete(s.built, path)
}

// end prints a package: its line and, if it failed, all output except that of tests
// that passed.
func (s *summary) end(e event) {
	p := s.packages[e.Package]
	delete(s.packages, e.Package)
	if p == nil {
		p = &tested{}
	}
	if e.Action != "fail" {
		for _, l := range p.lines {
			if l.test == "" && isPackageLine(l.text) {
				fmt.Fprint(s.out, l.text)
			}
		}
		return
	}
	s.failed = true
	if e.FailedBuild != "" {
		s.printBuild(e.FailedBuild)
	}
	for _, l := range p.lines {
		if !isProgress(l.text) {
			fmt.Fprint(s.out, l.text)
		}
	}
}

// isPackageLine reports whether text is go test's line about a package.
func isPackageLine(text string) bool {
	// the last one occurs with coverage and no tests
	for _, start := range []string{"ok  \t", "?   \t", "\t"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// isProgress reports whether text is a line that go test prints with -v only.
func isProgress(text string) bool {
	return slices.ContainsFunc([]string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "},
		func(start string) bool { return strings.HasPrefix(text, start) })
}

func (s *summary) skipped(e event, p *tested) {
	if p.missesLog(e.Test) {
		s.noLog.add(e.Package, e.Test)
		return
	}
	s.others.add(e.Package, e.Test)
}

func (p *tested) missesLog(test string) bool {
	return slices.ContainsFunc(p.lines, func(l line) bool {
		return l.test == test && strings.Contains(l.text, noLogMark)
	})
}

// drop drops the output of a test that did not fail, so that a long run takes little
// memory.
func (p *tested) drop(test string) {
	p.lines = slices.DeleteFunc(p.lines, func(l line) bool { return l.test == test })
}
