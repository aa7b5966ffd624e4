package scheduler

import (
	"io"
	"strconv"
	"strings"
)

// Positions of the fields of an SWF line that the simulation reads, in
// SWFLine.Fields. The standard counts them from 1.
const (
	swfJob = iota
	swfSubmit
	swfWait
	swfRun
	swfAllocated // processors
	swfCPUTime
	swfMemory
	swfRequested // processors
	swfEstimate
	swfRequestedMemory
	swfStatus
	swfFields = 18
)

// SWFLine is one line of a log.
type SWFLine struct {
	Line   int // its number in the file, from 1; 0 for a generated line
	Fields [swfFields]float64

	partial bool // see SWF.Next
}

// SWF is a log in the Standard Workload Format, version 2.2 (Chapin et al.,
// JSSPP 1999; Feitelson, Parallel Workloads Archive). It is a Source: Next
// yields the jobs that can be simulated, in order of submission.
type SWF struct {
	// Name is the name of the file, for messages.
	Name string
	// Comments are the lines that begin with a semicolon, as they are, in
	// their order, wherever in the file they stood.
	Comments []string
	// Lines are the other lines, in order of submission; lines submitted at
	// the same time keep their order. Jobs point into it: do not change it.
	Lines []SWFLine
	// Warnings tell what reading the log put right or left out.
	Warnings []string
	// Skipped counts the lines that Next leaves out.
	Skipped int

	next         int
	commentBytes int
	same         int // lines in succession with the number of the job before
}

// Next returns the next job that can be simulated, or io.EOF. Left out are
// jobs whose submit time, run time or number of processors is unknown, and lines of
// partial executions: those with status 2, 3 or 4 whose job number another line
// has, the job's summary, which alone the standard wants simulated.
func (l *SWF) Next() (Job, error) {
	for l.next < len(l.Lines) {
		line := &l.Lines[l.next]
		l.next++
		if line.usable() {
			return line.job(), nil
		}
	}
	return Job{}, io.EOF
}

// Copy returns another reader of the same lines, at their beginning, so that
// a log is read once for many runs.
func (l *SWF) Copy() *SWF {
	c := *l
	c.next = 0
	return &c
}

// job converts a usable line. Processors are field 5, those allocated, or
// field 8, those requested, where 5 is unknown.
func (s *SWFLine) job() Job {
	f := &s.Fields
	j := Job{
		ID:       JobID(f[swfJob]),
		Line:     s.Line,
		Submit:   f[swfSubmit],
		RunTime:  f[swfRun],
		Estimate: f[swfEstimate],
		Size:     int(f[s.processors()]),
		SWF:      f,
	}
	if j.Estimate < 0 {
		j.Estimate, j.NoEstimate = j.RunTime, true
	}
	return j
}

// processors returns the position of the field that holds the job's size.
func (s *SWFLine) processors() int {
	if s.Fields[swfAllocated] >= 1 {
		return swfAllocated
	}
	return swfRequested
}

func (s *SWFLine) usable() bool {
	return !s.partial && s.Fields[swfSubmit] >= 0 && s.Fields[swfRun] >= 0 &&
		s.Fields[s.processors()] >= 1
}

// Field returns the value of a field of the header, such as "MaxProcs" or
// "Computer", in any case of letters; the first one where it is repeated.
func (l *SWF) Field(name string) (string, bool) {
	for _, c := range l.Comments {
		key, value, found := strings.Cut(strings.TrimLeft(c, "; \t"), ":")
		if found && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// Processors returns the size of the machine the header gives: MaxProcs, or
// MaxNodes where that is missing, and false where both are. What stands behind
// the number, as in "400 (352 batch)", is a remark.
func (l *SWF) Processors() (int, bool) {
	n, _ := l.MachineSize()
	return n, n > 0
}

// MachineSize is Processors, 0 where nothing tells, with the field of the
// header that does.
func (l *SWF) MachineSize() (processors int, field string) {
	for _, name := range [...]string{"MaxProcs", "MaxNodes"} {
		text, _ := l.Field(name)
		number, _, _ := strings.Cut(text, " ")
		if n, err := strconv.Atoi(number); err == nil && n > 0 && n <= maxProcessors {
			return n, name
		}
	}
	return 0, ""
}
