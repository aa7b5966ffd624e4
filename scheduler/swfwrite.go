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
