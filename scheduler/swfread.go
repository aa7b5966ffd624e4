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

	"contend/experiments/bounded"
)

// Bounds on the value of a field. Whole numbers up to 2^53 are exact in a float64, and
// no log spans thirty thousand years.
const (
	maxWhole      = 1 << 53
	maxProcessors = math.MaxInt32
	maxSeconds    = 1e12
)

// SWFError describes a fault in a log and its position.
type SWFError struct {
	File    string
	Line    int // from 1; 0 if the error concerns the whole file
	Field   int // from 1, as in the standard; 0 if it concerns the whole line
	Problem string
}

func (e *SWFError) Error() string {
	switch {
	case e.Line == 0:
		return e.File + ": " + e.Problem
	case e.Field == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: field %d (%s) %s", e.File, e.Line, e.Field, e.Field,
		fieldName(e.Field), e.Problem)
}

// fieldName returns the standard's name of a field, counted from 1.
func fieldName(field int) string {
	return [...]string{"job number", "submit time", "wait time", "run time", "allocated processors",
		"average CPU time", "used memory", "requested processors", "requested time", "requested memory",
		"status", "user", "group", "executable", "queue", "partition", "preceding job",
		"think time"}[field-1]
}

// maxLines is the greatest number of jobs in a log. The largest log of the Parallel
// Workloads Archive has under six million.
const maxLines = 16 << 20

// OpenSWF reads the log in a file. Its content decides whether it is plain or gzip.
func OpenSWF(path string) (*SWF, error) {
	f, err := bounded.Open(path, bounded.Log)
	var bad *bounded.Error
	switch {
	case errors.As(err, &bad) && isDir(path):
		return nil,
			fmt.Errorf("trace %s is a directory: name one log in it, a .swf or .swf.gz file", path)
	case errors.As(err, &bad):
		return nil, asSWFError(bad)
	case err != nil:
		return nil, fmt.Errorf("trace %w", err)
	}
	defer f.Close()
	return ReadSWF(path, f)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// asSWFError converts the error of a log that exceeds a limit.
func asSWFError(e *bounded.Error) *SWFError {
	return &SWFError{File: e.File, Line: e.Line, Problem: e.Problem + ": " + e.Right}
}

// ReadSWF reads a log. Its content decides whether it is plain or gzip. The name is for
// messages. ReadSWF refuses more than 1 GiB of text, lines of more than 64 KiB, and
// gzip data that expand more than a hundredfold.
func ReadSWF(name string, r io.Reader) (*SWF, error) {
	l := &SWF{Name: name}
	text, err := l.unpack(r)
	if err != nil {
		return nil, err
	}
	if err := l.parse(text); err != nil {
		return nil, err
	}
	if err := l.settle(); err != nil {
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
		text, err := bounded.Log.Gunzip(l.Name, buffered)
		return text, l.readError(err, 1)
	case bytes.HasPrefix(magic, []byte("BZh")), bytes.HasPrefix(magic, []byte("\xfd7zXZ")),
		bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return nil, &SWFError{File: l.Name,
			Problem: "it is compressed by something other than gzip: unpack it first"}
	}
	return bounded.Log.Reader(l.Name, buffered), nil
}

// readError explains why reading failed at a line.
func (l *SWF) readError(err error, line int) error {
	var bad *bounded.Error
	var damaged flate.CorruptInputError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &bad):
		return asSWFError(bad)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		// A header that stops half-way gives io.EOF; data that stop give
		// io.ErrUnexpectedEOF.
		return &SWFError{File: l.Name, Line: line,
			Problem: "the gzip data end here: the file is cut short"}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged):
		return &SWFError{File: l.Name, Problem: fmt.Sprintf("the gzip data are damaged (%v)", err)}
	}
	return fmt.Errorf("%s: %w", l.Name, err)
}

// parse fills Comments and Lines. It parses by hand, because a log has some five
// million fields.
func (l *SWF) parse(r io.Reader) error {
	in := bufio.NewReaderSize(r, bounded.Log.Line+1<<10)
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
func (l *SWF) addLine(number int, text []byte) *SWFError {
	start := bytes.TrimLeft(bytes.TrimRight(text, "\r\n"), " \t\r")
	switch {
	case len(start) == 0:
		return nil
	case start[0] == ';':
		return l.addComment(number, start)
	case len(l.Lines) == maxLines:
		return &SWFError{File: l.Name, Line: number,
			Problem: fmt.Sprintf("there are more than %d jobs: take a part of the log", maxLines)}
	}
	s := SWFLine{Line: number}
	if err := l.parseLine(&s, start); err != nil {
		return err
	}
	if n := len(l.Lines); n == 0 || l.Lines[n-1].Fields[swfJob] != s.Fields[swfJob] {
		l.same = 0
	} else if l.same++; l.same > maxPartial {
		return l.fieldError(&s, swfJob, "is %.0f in more than %d lines one after the other: the file "+
			"was made to fill memory", s.Fields[swfJob], maxPartial)
	}
	l.Lines = append(l.Lines, s)
	return nil
}

// maxPartial is the greatest number of lines of a job with partial executions.
const maxPartial = 1 << 16

// maxComments is the greatest size of all comments of a log, in bytes. Those of the
// archive have a few thousand.
const maxComments = 16 << 20

func (l *SWF) addComment(number int, text []byte) *SWFError {
	if l.commentBytes += len(text); l.commentBytes > maxComments {
		return &SWFError{File: l.Name, Line: number,
			Problem: "the comments are longer than any log's: the file is damaged, or of another kind"}
	}
	l.Comments = append(l.Comments, string(text))
	return nil
}

// parseLine splits a line that has at least one field.
func (l *SWF) parseLine(s *SWFLine, text []byte) *SWFError {
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
		if fields < swfFields {
			v, ok := parseNumber(text[i:end])
			if !ok {
				return l.fieldError(s, fields,
					"is %.40q: it should be a number, or -1 where unknown", text[i:end])
			}
			s.Fields[fields] = v
		}
		fields++
		i = end
	}
	if fields != swfFields {
		return &SWFError{File: l.Name, Line: s.Line,
			Problem: fmt.Sprintf("%s: a line of an SWF log has 18", count(fields, "field", "fields"))}
	}
	return l.checkLine(s)
}

// checkLine refuses values that no job can have.
func (l *SWF) checkLine(s *SWFLine) *SWFError {
	f := &s.Fields
	if id := f[swfJob]; id != math.Trunc(id) || math.Abs(id) > maxWhole {
		return l.fieldError(s, swfJob, "is %v: it should be a whole number", id)
	}
	if f[swfSubmit] < 0 && f[swfSubmit] != -1 {
		return l.fieldError(s, swfSubmit, "is %v: it should be the seconds since the start of the "+
			"log, 0 or more, or -1 where unknown", f[swfSubmit])
	}
	for _, i := range [...]int{swfSubmit, swfWait, swfRun, swfEstimate} {
		if math.Abs(f[i]) > maxSeconds {
			return l.fieldError(s, i, "is %v: it should be a time in seconds, at most %v", f[i], maxSeconds)
		}
	}
	for _, i := range [...]int{swfAllocated, swfRequested} {
		if f[i] != math.Trunc(f[i]) || math.Abs(f[i]) > maxProcessors {
			return l.fieldError(s, i, "is %v: it should be a whole number of processors, at most %d",
				f[i], maxProcessors)
		}
	}
	return nil
}

func (l *SWF) fieldError(s *SWFLine, field int, format string, args ...any) *SWFError {
	return &SWFError{File: l.Name, Line: s.Line, Field: field + 1,
		Problem: fmt.Sprintf(format, args...)}
}

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

func parseLong(b []byte) (float64, bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil
}
