// Package bounded reads files that others wrote: regular files only, none
// larger than a limit, no line longer than a limit, and gzip data that do not
// unfold without end. Whatever is wrong comes back as an *Error, after at most
// as much memory as the limits allow.
package bounded

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Limits say how much is read.
type Limits struct {
	// Bytes is the largest size of a file, and of its content once unpacked.
	Bytes int64
	// Line is the most bytes of a line; 0 for as many as Bytes.
	Line int
}

// The limits of what the program reads.
var (
	// Study is for a study's TOML: those of searches name a hundred thousand
	// allocators in a line.
	Study = Limits{Bytes: 4 << 20}
	// Published is for published figures.
	Published = Limits{Bytes: 4 << 20, Line: 64 << 10}
	// Runs is for runs.jsonl.
	Runs = Limits{Bytes: 1 << 30, Line: 1 << 20}
	// Rows is for tables of jobs, channels and sizes.
	Rows = Limits{Bytes: 16 << 30, Line: 64 << 10}
	// Log is for logs in the Standard Workload Format.
	Log = Limits{Bytes: 1 << 30, Line: 64 << 10}
)

// Error says what is wrong with a file, and what would be right.
type Error struct {
	File string
	// Line counts from 1; 0 for the whole file.
	Line           int
	Problem, Right string
}

func (e *Error) Error() string {
	s := e.Where() + ": " + e.Problem
	if e.Right != "" {
		s += ": " + e.Right
	}
	return s
}

// Where is the file, with the line if there is one.
func (e *Error) Where() string {
	if e.Line == 0 {
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

// Open opens a regular file that is not too large. A file that is not there, or
// may not be read, is an error of package fs.
func Open(path string, l Limits) (*os.File, error) {
	info, err := os.Stat(path) // before opening, which waits for the writer of a pipe
	if err != nil {
		return os.Open(path) // whose error is in the words people know
	}
	if err := l.check(path, info); err != nil {
		return nil, err
	}
	return os.Open(path)
}

func (l Limits) check(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return &Error{File: path, Problem: "is a directory", Right: "give a file"}
	case mode&fs.ModeNamedPipe != 0:
		return &Error{File: path, Problem: "is a pipe",
			Right: "write what it holds to a file, and give that"}
	case !mode.IsRegular():
		return &Error{File: path, Problem: "is a device or socket", Right: "give a file"}
	case info.Size() > l.Bytes:
		return &Error{File: path, Problem: "has " + Size(info.Size()),
			Right: "at most " + Size(l.Bytes) + " are read"}
	}
	return nil
}

// ReadFile returns the content of a file.
func ReadFile(path string, l Limits) ([]byte, error) {
	file, err := Open(path, l)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(l.Reader(path, file))
}

// Reader passes on what r reads, up to the limits. The name is for errors.
func (l Limits) Reader(name string, r io.Reader) io.Reader {
	if l.Line == 0 {
		l.Line = int(l.Bytes)
	}
	return &reader{in: r, name: name, limits: l, line: 1}
}

type reader struct {
	in     io.Reader
	name   string
	limits Limits
	total  int64
	line   int // its number
	length int // of the line so far
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.total += int64(n)
	if r.total > r.limits.Bytes {
		return 0, &Error{File: r.name, Problem: "holds more than " + Size(r.limits.Bytes),
			Right: "give less"}
	}
	for text := p[:n]; len(text) > 0; {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		if r.length += end; r.length > r.limits.Line {
			return 0, &Error{File: r.name, Line: r.line,
				Problem: "the line is longer than " + Size(int64(r.limits.Line)),
				Right:   "the file is damaged, or of another kind"}
		}
		if end == len(text) {
			break
		}
		r.line, r.length, text = r.line+1, 0, text[end+1:]
	}
	return n, err
}

// Size writes a number of bytes for people.
func Size(n int64) string {
	const step = 1 << 10
	if n < step {
		return fmt.Sprintf("%d bytes", n)
	}
	x, i := float64(n)/step, 0
	for ; x >= step && i < 3; i++ {
		x /= step
	}
	return fmt.Sprintf("%.4g %s", x, [...]string{"KiB", "MiB", "GiB", "TiB"}[i])
}
