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

	"contend/internal/input"
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
	// File is the name of the log.
	File string
	// Line is the number of the line, from 1, or 0 if the error concerns the whole file.
	Line int
	// Field is the number of the field, from 1 as in the standard, or 0 if the error
	// concerns the whole line.
	Field int
	// Problem says what is wrong and what would be right.
	Problem string
	// More reports that the line has more fields than the standard, and that the SWFFormat names
	// none of them.
	More bool
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
		return nil, asSWFError(bad)
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

// asSWFError converts the error of a log that exceeds a limit.
func asSWFError(e *input.Error) *SWFError {
	return &SWFError{File: e.File, Line: e.Line, Problem: e.Problem + ": " + e.Right}
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
		text, err := input.LogLimits.Gunzip(l.Name, buffered)
		return text, l.readError(err, 1)
	case bytes.HasPrefix(magic, []byte("BZh")), bytes.HasPrefix(magic, []byte("\xfd7zXZ")),
		bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return nil, &SWFError{File: l.Name,
			Problem: "it is compressed by something other than gzip: unpack it first"}
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
		return l.fieldError(&s, swfJob, "is %.0f in more than %d consecutive lines: the file is damaged",
			s.Fields[swfJob], maxPartial)
	}
	l.Lines = append(l.Lines, s)
	return nil
}

// maxPartial is the greatest number of lines of a job with partial executions.
const maxPartial = 1 << 16

// maxComments is the greatest size of all comments of a log, in bytes. Those of the
// archive have a few thousand.
const maxComments = 16 << 20

// addComment adds a comment and refuses a header field for the size of the machine that is no
// number.
func (l *SWF) addComment(number int, text []byte) *SWFError {
	if l.commentBytes += len(text); l.commentBytes > maxComments {
		return &SWFError{File: l.Name, Line: number,
			Problem: "the comments are longer than any log's: the file is damaged, or of another kind"}
	}
	l.Comments = append(l.Comments, string(text))
	for _, name := range machineFields {
		value, has := fieldOf(l.Comments[len(l.Comments)-1], name)
		if has && value != "" && (value[0] < '0' || value[0] > '9') && value[0] != '-' {
			return &SWFError{File: l.Name, Line: number, Problem: fmt.Sprintf("the header field %s is "+
				"%.60q: it should be a number, which a remark may follow", name, value)}
		}
	}
	return nil
}
