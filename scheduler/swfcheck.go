package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// checkLines checks job numbers, sorts the lines by submission and counts those that Next skips.
func (l *SWF) checkLines() error {
	if len(l.Lines) == 0 {
		return l.bad(0, "there are no jobs in it; a log has one line of 18 numbers per job")
	}
	if err := l.checkUnique(); err != nil {
		return err
	}
	l.sort()
	unknown, never, partial := 0, 0, 0
	for i := range l.Lines {
		switch s := &l.Lines[i]; {
		case s.partial:
			partial++
		case s.Fields[swfSubmit] < 0:
			never++
		case !l.usable(s):
			unknown++
		}
	}
	l.Skipped = unknown + never + partial
	if never > 0 {
		l.warn("%s without submit time skipped", countText(never, "job", "jobs"))
	}
	if unknown > 0 {
		l.warn("%s without run time or processors skipped", countText(unknown, "job", "jobs"))
	}
	if partial > 0 {
		l.warn("%s of partial executions (status 2, 3 or 4) skipped", countText(partial, "line", "lines"))
	}
	return nil
}

// sort restores the order of submission if needed. A line without a submit time remains
// behind its predecessor.
func (l *SWF) sort() {
	type place struct {
		submit float64
		line   int
	}
	places := make([]place, len(l.Lines))
	last, back, first := 0.0, 0, 0 // back counts the lines submitted before their predecessors
	for i := range l.Lines {
		if submit := l.Lines[i].Fields[swfSubmit]; submit >= 0 {
			if submit < last {
				if back++; back == 1 {
					first = l.Lines[i].Line
				}
			}
			last = submit
		}
		places[i] = place{last, i}
	}
	if back == 0 {
		return
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.submit, b.submit) })
	sorted := make([]SWFLine, len(l.Lines))
	for i, p := range places {
		sorted[i] = l.Lines[p.line]
	}
	l.Lines = sorted
	l.warn("%s back, the first in line %d: sorted by submit time",
		countText(back, "submit time steps", "submit times step"), first)
}

// checkUnique refuses a log in which two lines have the same job number, unless they
// are partial executions, which it marks.
func (l *SWF) checkUnique() error {
	ascending := true
	for i := 1; i < len(l.Lines); i++ {
		ascending = ascending && l.Lines[i].Fields[swfJob] > l.Lines[i-1].Fields[swfJob]
	}
	if ascending { // true of nearly all logs: no map is needed
		return nil
	}
	seen := make(map[float64]int, len(l.Lines))
	for i := range l.Lines {
		s := &l.Lines[i]
		if s.interrupted() {
			continue
		}
		if first, again := seen[s.Fields[swfJob]]; again {
			return l.badSWFField(s.Line, swfJob,
				"is %.0f, the number of line %d too: each job needs its own", s.Fields[swfJob], first)
		}
		seen[s.Fields[swfJob]] = s.Line
	}
	for i := range l.Lines {
		if s := &l.Lines[i]; s.interrupted() {
			_, s.partial = seen[s.Fields[swfJob]]
			seen[s.Fields[swfJob]] = s.Line
		}
	}
	return nil
}

// interrupted reports whether the line can be one of several lines of a job.
func (s *SWFLine) interrupted() bool {
	status := s.Fields[swfStatus]
	return status == 2 || status == 3 || status == 4
}

// warn adds a warning.
func (l *SWF) warn(format string, args ...any) {
	l.Warnings = append(l.Warnings, l.Name+": "+fmt.Sprintf(format, args...))
}

// countText returns a number with its noun, such as 2 jobs.
func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
