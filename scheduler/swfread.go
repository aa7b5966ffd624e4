package scheduler

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"contend/internal/input"
)

// Bounds on the value of a field. Whole numbers up to 2^53 are exact in a float64, and
// no log spans thirty thousand years.
const (
	maxWhole      = 1 << 53
	maxProcessors = math.MaxInt32
	maxSeconds    = 1e12
)

// bad returns an error at a line, or about the whole log if the line is 0.
func (l *SWF) bad(line int, problem string, args ...any) *input.Error {
	return &input.Error{File: l.Name, Line: line, Problem: fmt.Sprintf(problem, args...)}
}

// badSWFField returns an error about a field, counted from 0. The problem continues a sentence that
// begins with its name.
func (l *SWF) badSWFField(line, field int, problem string, args ...any) *input.Error {
	field++ // as the standard counts
	return &input.Error{Where: fmt.Sprintf("%s:%d:%d", l.Name, line, field),
		Problem: fmt.Sprintf("field %d (%s) ", field, fieldName(field)) + fmt.Sprintf(problem, args...)}
}

// fieldName returns the standard's name of a field, counted from 1.
func fieldName(field int) string {
	if field > swfFields {
		return "nodes"
	}
	return [...]string{"job number", "submit time", "wait time", "run time", "allocated processors",
		"average CPU time", "used memory", "requested processors", "requested time", "requested memory",
		"status", "user", "group", "executable", "queue", "partition", "preceding job",
		"think time"}[field-1]
}

// maxLines is the greatest number of jobs in a log. The largest log of the Parallel
// Workloads Archive has under six million.
const maxLines = 16 << 20

// OpenSWF reads the log in a file. Its content decides whether it is plain or gzip.
func OpenSWF(path string) (*SWF, error) { return SWFFormat{}.Open(path) }

// Open reads the log in a file, as OpenSWF does.
func (f SWFFormat) Open(path string) (*SWF, error) {
	file, err := input.Open(path, input.LogLimits)
	var bad *input.Error
	switch {
	case errors.As(err, &bad) && isDir(path):
		return nil,
			fmt.Errorf("trace %s is a directory: name one log in it, a .swf or .swf.gz file", path)
	case errors.As(err, &bad):
		return nil, bad
	case err != nil:
		return nil, fmt.Errorf("trace %w", err)
	}
	defer file.Close()
	return f.Read(path, file)
}

// isDir reports whether a path is that of a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// ReadSWF reads a log. Its content decides whether it is plain or gzip. The name is for
// messages. ReadSWF refuses more than 1 GiB of text, lines of more than 64 KiB, and
// gzip data that expand more than a hundredfold.
func ReadSWF(name string, r io.Reader) (*SWF, error) { return SWFFormat{}.Read(name, r) }

// Read reads a log, as ReadSWF does.
func (f SWFFormat) Read(name string, r io.Reader) (*SWF, error) {
	if n := f.NodesField; n != 0 && (n <= swfFields || n > MaxSWFFields) {
		return nil, badField("SWFFormat.NodesField", "is %d: it must be 0, or from %d to %d", n,
			swfFields+1, MaxSWFFields)
	}
	l := &SWF{Name: name, format: f}
	text, err := l.unpack(r)
	if err != nil {
		return nil, err
	}
	if err := l.parse(text); err != nil {
		return nil, err
	}
	if err := l.checkLines(); err != nil {
		return nil, err
	}
	return l, nil
}

// unpack returns a reader of the log's text.
func (l *SWF) unpack(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	magic, _ := buffered.Peek(6)
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		text, err := input.LogLimits.Gunzip(l.Name, buffered)
		return text, l.readError(err, 1)
	case bytes.HasPrefix(magic, []byte("BZh")), bytes.HasPrefix(magic, []byte("\xfd7zXZ")),
		bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return nil, l.bad(0, "it is compressed by something other than gzip: unpack it first")
	}
	return input.LogLimits.Reader(l.Name, buffered), nil
}

// readError explains why reading failed at a line.
func (l *SWF) readError(err error, line int) error {
	var bad *input.Error
	var damaged flate.CorruptInputError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &bad):
		return bad
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		// A header that stops half-way gives io.EOF; data that stop give
		// io.ErrUnexpectedEOF.
		return l.bad(line, "the gzip data end here: the file is cut short")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged):
		return l.bad(0, "the gzip data are damaged (%v)", err)
	}
	return fmt.Errorf("%s: %w", l.Name, err)
}

// parse fills Comments and Lines. It parses by hand, because a log has some five
// million fields.
func (l *SWF) parse(r io.Reader) error {
	in := bufio.NewReaderSize(r, input.LogLimits.Line+1<<10)
	for number := 1; ; number++ {
		text, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return l.readError(err, number)
		}
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if e := l.addLine(number, text); e != nil {
			if err != nil {
				e.Problem += "; the file ends in this line without a line end, so it may be cut short"
			}
			return e
		}
		if err != nil {
			return nil
		}
	}
}

// addLine adds a line of the file.
func (l *SWF) addLine(number int, text []byte) *input.Error {
	start := bytes.TrimLeft(bytes.TrimRight(text, "\r\n"), " \t\r")
	switch {
	case len(start) == 0:
		return nil
	case start[0] == ';':
		return l.addComment(number, start)
	case len(l.Lines) == maxLines:
		return l.bad(number, "there are more than %d jobs: take a part of the log", maxLines)
	}
	s := SWFLine{Line: number}
	if err := l.parseLine(&s, start); err != nil {
		return err
	}
	if n := len(l.Lines); n == 0 || l.Lines[n-1].Fields[swfJob] != s.Fields[swfJob] {
		l.same = 0
	} else if l.same++; l.same > maxPartial {
		return l.badSWFField(number, swfJob,
			"is %.0f in more than %d consecutive lines: the file is damaged", s.Fields[swfJob], maxPartial)
	}
	l.Lines = append(l.Lines, s)
	return nil
}

// maxPartial is the greatest number of lines of a job with partial executions.
const maxPartial = 1 << 16

// maxComments is the greatest size of all comments of a log, in bytes. Those of the
// archive have a few thousand.
const maxComments = 16 << 20

// addComment adds a comment. It refuses a header field for the size of the machine whose value is
// not a number.
func (l *SWF) addComment(number int, text []byte) *input.Error {
	if l.commentBytes += len(text); l.commentBytes > maxComments {
		return l.bad(number,
			"the comments are longer than any log's: the file is damaged, or of another kind")
	}
	l.Comments = append(l.Comments, string(text))
	for _, name := range machineFields {
		value, has := fieldOf(l.Comments[len(l.Comments)-1], name)
		if has && value != "" && (value[0] < '0' || value[0] > '9') && value[0] != '-' {
			return l.bad(number, "the header field %s is %.60q: it should be a number, which a remark may "+
				"follow", name, value)
		}
	}
	return nil
}

// parseLine sets the fields of a line from a text that is not blank, and checks them.
func (l *SWF) parseLine(s *SWFLine, text []byte) *input.Error {
	fields := 0
	for i := 0; i < len(text); {
		if isBlank(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && !isBlank(text[end]) {
			end++
		}
		if fields < swfFields || fields == l.format.NodesField-1 {
			v, ok := parseNumber(text[i:end])
			if !ok {
				return l.badSWFField(s.Line, fields,
					"is %.40q: it should be a number, or -1 where unknown", text[i:end])
			}
			if fields < swfFields {
				s.Fields[fields] = v
			} else if s.nodes = int32(v); float64(s.nodes) != v {
				return l.badSWFField(s.Line, fields,
					"is %v: it should be a whole number of nodes, at most %d", v, maxProcessors)
			}
		}
		fields++
		i = end
	}
	if err := l.checkCount(fields, s.Line); err != nil {
		return err
	}
	return l.checkLine(s)
}

// checkCount refuses a line with fewer fields than the format has, or with more than the standard
// if the format names none of them. The latter error has the key SWFFormat.NodesField.
func (l *SWF) checkCount(fields, line int) (err *input.Error) {
	named, text := l.format.NodesField, countText(fields, "field", "fields")
	switch {
	case named > 0 && fields < named:
		err = l.bad(line, "%s: field %d should have the number of nodes", text, named)
	case named == 0 && fields != swfFields:
		if err = l.bad(line, "%s: a line of an SWF log has 18", text); fields > swfFields {
			err.Key = "SWFFormat.NodesField"
		}
	}
	return err
}

// checkLine refuses values that no job can have.
func (l *SWF) checkLine(s *SWFLine) *input.Error {
	f := &s.Fields
	if id := f[swfJob]; id != math.Trunc(id) || math.Abs(id) > maxWhole {
		return l.badSWFField(s.Line, swfJob, "is %v: it should be a whole number", id)
	}
	if f[swfSubmit] < 0 && f[swfSubmit] != -1 {
		return l.badSWFField(s.Line, swfSubmit, "is %v: it should be the seconds since the start of the "+
			"log, 0 or more, or -1 where unknown", f[swfSubmit])
	}
	for _, i := range [...]int{swfSubmit, swfWait, swfRun, swfEstimate} {
		if math.Abs(f[i]) > maxSeconds {
			return l.badSWFField(s.Line, i, "is %v: it should be a time in seconds, at most %v", f[i],
				maxSeconds)
		}
	}
	for _, i := range [...]int{swfAllocated, swfRequested} {
		if f[i] != math.Trunc(f[i]) || math.Abs(f[i]) > maxProcessors {
			return l.badSWFField(s.Line, i, "is %v: it should be a whole number of processors, at most %d",
				f[i], maxProcessors)
		}
	}
	return nil
}

// isBlank reports whether a byte separates fields.
func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// parseNumber parses a decimal number. Numbers of up to fifteen digits, as nearly all
// are, need one exact division; other numbers go to strconv. Infinities, NaN and
// hexadecimal numbers are refused.
func parseNumber(b []byte) (float64, bool) {
	digits := b
	negative := b[0] == '-'
	if negative {
		digits = b[1:]
	}
	mantissa, places, point := 0.0, 1.0, false
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + float64(c-'0')
			if point {
				places *= 10
			}
		case c == '.' && !point:
			point = true
		default:
			return parseLong(b)
		}
	}
	if len(digits) == 0 || len(digits) > 15 || digits[len(digits)-1] == '.' || digits[0] == '.' {
		return parseLong(b)
	}
	if negative {
		mantissa = -mantissa
	}
	return mantissa / places, true // both whole and below 2^53: correctly rounded
}

// parseLong parses a decimal number of any length.
func parseLong(b []byte) (float64, bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil
}
