package scheduler

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/written"
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
	// Comments are the lines that begin with a semicolon, unchanged and in their order, from anywhere
	// in the file.
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
	// processors. Each line must have this field; other fields behind the eighteenth may be text. 0
	// means that lines have eighteen fields.
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
// field 5 is unknown, or the field that the format names. It is below 1 if the number is unknown.
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

// fieldOf returns the value of a header field, and whether the comment is that field.
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

// WriteSWF writes a log. It adds missing semicolons to comments. ReadSWF reads its
// output as the same comments and numbers.
func WriteSWF(w io.Writer, comments []string, lines []SWFLine) error {
	out := bufio.NewWriterSize(w, 1<<16)
	for _, c := range comments {
		for line := range strings.SplitSeq(c, "\n") {
			if !strings.HasPrefix(line, ";") {
				out.WriteString("; ")
			}
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	buf := make([]byte, 0, 256)
	for i := range lines {
		buf = buf[:0]
		for k, v := range lines[i].Fields {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("job %v: field %d (%s) is %v: SWF has finite numbers only",
					lines[i].Fields[swfJob], k+1, fieldName(k+1), v)
			}
			if k > 0 {
				buf = append(buf, ' ')
			}
			buf = strconv.AppendFloat(buf, v, 'f', -1, 64)
		}
		out.Write(append(buf, '\n'))
	}
	return out.Flush() // a bufio.Writer keeps its first error
}

// CreateSWF writes a log to a file, with gzip if the name ends in ".gz". The file
// appears whole or not at all.
func CreateSWF(path string, comments []string, lines []SWFLine) error {
	return written.ReplaceWith(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return WriteSWF(w, comments, lines)
		}
		z := gzip.NewWriter(w)
		if err := WriteSWF(z, comments, lines); err != nil {
			return err
		}
		return z.Close()
	})
}

// Schedule collects the jobs of a simulation as lines of a log. Sim.Record can call its
// Add.
type Schedule struct {
	// Clock converts the cycles of the simulation to seconds.
	Clock Clock
	lines []SWFLine
}

// Add appends a job that has ended. Submit time, wait, run time and processors are
// those of the simulation. The other fields are those of the job's log.
func (s *Schedule) Add(r *Record) {
	var line SWFLine
	if f := &line.Fields; r.Job.SWF != nil {
		*f = *r.Job.SWF
	} else {
		for i := range f {
			f[i] = -1
		}
		f[swfRequested] = float64(r.Job.Size)
		f[swfStatus] = 1 // completed
	}
	if r.Lost {
		line.Fields[swfStatus] = 0 // failed
	} else if r.Killed {
		line.Fields[swfStatus] = 5 // cancelled
	}
	line.Fields[swfJob] = float64(r.Job.ID)
	line.Fields[swfSubmit] = r.Job.Submit
	line.Fields[swfWait] = s.Clock.Seconds(r.Wait())
	line.Fields[swfRun] = s.Clock.Seconds(r.Service())
	line.Fields[swfAllocated] = float64(r.Job.Size)
	if line.Fields[swfEstimate] = r.Job.Estimate; r.Job.NoEstimate {
		line.Fields[swfEstimate] = -1
	}
	s.lines = append(s.lines, line)
}

// Lines returns the lines in order of submission, then of job numbers.
func (s *Schedule) Lines() []SWFLine {
	slices.SortFunc(s.lines, func(a, b SWFLine) int {
		return cmp.Or(cmp.Compare(a.Fields[swfSubmit], b.Fields[swfSubmit]),
			cmp.Compare(a.Fields[swfJob], b.Fields[swfJob]))
	})
	return s.lines
}
