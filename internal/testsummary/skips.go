package main

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// skips holds the tests that skipped, by package. A subtest counts as the test it
// belongs to.
type skips map[string]map[string]bool

func (s skips) add(pkg, test string) {
	if s[pkg] == nil {
		s[pkg] = map[string]bool{}
	}
	test, _, _ = strings.Cut(test, "/")
	s[pkg][test] = true
}

func (s skips) count() int {
	n := 0
	for _, tests := range s {
		n += len(tests)
	}
	return n
}

func (s skips) list(out io.Writer) {
	for _, pkg := range slices.Sorted(maps.Keys(s)) {
		for _, test := range slices.Sorted(maps.Keys(s[pkg])) {
			fmt.Fprintf(out, "\t%s %s\n", pkg, test)
		}
	}
}

// skipLine returns a line with the number of tests that skipped for want of a log,
// their packages, and the number of other skips.
func (s *summary) skipLine() string {
	text := "skipped: " + tests(s.noLog.count())
	if s.noLog.count() == 0 {
		text += " for want of a log"
	} else {
		var parts []string
		for _, pkg := range slices.Sorted(maps.Keys(s.noLog)) {
			parts = append(parts, fmt.Sprintf("%s %d", path.Base(pkg), len(s.noLog[pkg])))
		}
		text += fmt.Sprintf(", no logs in ../shared/traces (%s)", strings.Join(parts, ", "))
	}
	if n := s.others.count(); n > 0 {
		text += fmt.Sprintf("; %s for another reason", tests(n))
	}
	return text
}

func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}
