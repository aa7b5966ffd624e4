package scheduler

import (
	"io"
	"strconv"
	"strings"
)

// Indices of fields in SWFLine.Fields, for the fields that the simulation reads. The standard
// counts fields from 1.
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
	swfUser
	swfGroup
	swfExecutable
	swfQueue
	swfFields = 18
)

// SWFLine is one line of a log.
type SWFLine struct {
	// Line is the line number in the file, from 1, or 0 for a generated line.
	Line int
	// Fields are the eighteen fields in the order of the standard. Times are in seconds,
	// and -1 means unknown.
	Fields [swfFields]float64

	partial bool  // a partial execution, see SWF.Next
	nodes   int32 // the value of SWFFormat.NodesField
}

// SWF is a log in the Standard Workload Format, version 2.2 (Chapin et al., JSSPP 1999;
// Feitelson, Parallel Workloads Archive). It is a Source: Next yields the jobs that can
// be simulated, in order of submission.
type SWF struct {
	// Name is the name of the file, for messages.
	Name string
	// Comments are the lines that begin with a semicolon, unchanged and in their order,
	// wherever they stand in the file.
	Comments []string
	// Lines are the other lines in order of submission. Lines with the same submit time
	// keep their order. Jobs point into Lines, so callers must not change it.
	Lines []SWFLine
	// Warnings list what the reader corrected or left out.
	Warnings []string
	// Skipped counts the lines that Next leaves out.
	Skipped int

	format       SWFFormat
	next         int // index of the line that Next considers next
	commentBytes int
	same         int // number of consecutive lines with the same job number
}

// SWFFormat describes how a log departs from the standard. The zero value is the standard.
type SWFFormat struct {
	// NodesField is the number of a field behind the eighteen of the standard, from 19 to
	// MaxSWFFields. The field has the number of nodes of a job, which replaces the fields of
	// processors. Lines have at least this field; the others behind the eighteenth may be text.
	// 0 means that lines have eighteen fields.
	NodesField int
}

// MaxSWFFields bounds SWFFormat.NodesField.
const MaxSWFFields = 64

// Next returns the next job that can be simulated, or io.EOF after the last. It skips
// jobs with an unknown submit time, run time or number of processors. It also skips
// partial executions: lines of status 2, 3 or 4 whose job number occurs in another
// line, the job's summary. The standard simulates the summary alone.
func (l *SWF) Next() (Job, error) {
	for l.next < len(l.Lines) {
		line := &l.Lines[l.next]
		l.next++
		if l.usable(line) {
			return l.job(line), nil
		}
	}
	return Job{}, io.EOF
}

// Copy returns another reader of the same lines that starts at the first one. It allows
// many runs of a log that is read once.
func (l *SWF) Copy() *SWF {
	c := *l
	c.next = 0
	return &c
}

// job converts a usable line.
func (l *SWF) job(s *SWFLine) Job {
	f := &s.Fields
	j := Job{
		ID:       JobID(f[swfJob]),
		Line:     s.Line,
		Submit:   f[swfSubmit],
		RunTime:  f[swfRun],
		Estimate: f[swfEstimate],
		Size:     l.size(s),
		SWF:      f,
	}
	if j.Estimate < 0 {
		j.Estimate, j.NoEstimate = j.RunTime, true
	}
	return j
}

// size returns the number of processors of a job: field 5 (allocated), or field 8 (requested) if
// field 5 is unknown, or the field that the format names. It is below 1 if that is unknown.
func (l *SWF) size(s *SWFLine) int {
	switch {
	case l.format.NodesField > 0:
		return int(s.nodes)
	case s.Fields[swfAllocated] >= 1:
		return int(s.Fields[swfAllocated])
	}
	return int(s.Fields[swfRequested])
}

// usable reports whether Next yields a line.
func (l *SWF) usable(s *SWFLine) bool {
	return !s.partial && s.Fields[swfSubmit] >= 0 && s.Fields[swfRun] >= 0 && l.size(s) >= 1
}

// Field returns the value of a header field, such as "MaxProcs" or "Computer". Case
// does not matter, and the first of several fields counts.
func (l *SWF) Field(name string) (string, bool) {
	for _, c := range l.Comments {
		if value, is := fieldOf(c, name); is {
			return value, true
		}
	}
	return "", false
}

// fieldOf returns the value of a header field if a comment has it.
func fieldOf(comment, name string) (value string, is bool) {
	key, value, found := strings.Cut(strings.TrimLeft(comment, "; \t"), ":")
	return strings.TrimSpace(value), found && strings.EqualFold(strings.TrimSpace(key), name)
}

// machineFields are the header fields for the size of the machine. The first one given counts.
var machineFields = [...]string{"MaxProcs", "MaxNodes"}

// Processors returns the size of the machine from the header: MaxProcs, or MaxNodes if
// that is missing. It reports false if both are missing. Text after the number, as in
// "400 (352 batch)", is a remark.
func (l *SWF) Processors() (int, bool) {
	n, _ := l.MachineSize()
	return n, n > 0
}

// MachineSize returns the size of the machine as Processors does, and the header field
// that gives it. It returns 0 if no field does.
func (l *SWF) MachineSize() (processors int, field string) {
	for _, name := range machineFields {
		text, _ := l.Field(name)
		number, _, _ := strings.Cut(text, " ")
		if n, err := strconv.Atoi(number); err == nil && n > 0 && n <= maxProcessors {
			return n, name
		}
	}
	return 0, ""
}
