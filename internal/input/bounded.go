package input

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Limits are upper bounds on what is read.
type Limits struct {
	// Bytes is the largest size of a file, and of its content after unpacking, in bytes
	// above 0.
	Bytes int64
	// Line is the greatest length of a line in bytes. The value 0 means no limit other
	// than Bytes.
	Line int
}

// Limits of the files that the program reads.
var (
	// StudyLimits is for the TOML of a study. A search names a hundred thousand allocators in
	// one line.
	StudyLimits = Limits{Bytes: 4 << 20}
	// PublishedLimits is for published figures.
	PublishedLimits = Limits{Bytes: 4 << 20, Line: 64 << 10}
	// RunsLimits is for runs.jsonl.
	RunsLimits = Limits{Bytes: 1 << 30, Line: 1 << 20}
	// RowsLimits is for tables of jobs, channels and sizes.
	RowsLimits = Limits{Bytes: 16 << 30, Line: 4 << 20}
	// LogLimits is for logs in the Standard Workload Format.
	LogLimits = Limits{Bytes: 1 << 30, Line: 64 << 10}
	// WorkloadLimits is for workloads in JSON, which may have one line.
	WorkloadLimits = Limits{Bytes: 1 << 30}
)

// Open opens a regular file that is not too large. A file that is missing or not
// readable gives an error of package fs.
func Open(path string, l Limits) (*os.File, error) {
	info, err := os.Stat(path) // Opening a pipe would wait for its writer, so Stat comes first.
	if err != nil {
		return os.Open(path) // the error of Open has the familiar text
	}
	if err := l.check(path, info); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// check refuses what is no regular file, and a file that is too large.
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
		return &Error{File: path, Problem: "has " + SizeText(info.Size()),
			Right: "at most " + SizeText(l.Bytes) + " are read"}
	}
	return nil
}

// ReadFile returns the content of a file.
func ReadFile(path string, l Limits) ([]byte, error) {
	return Files{}.ReadFile(path, l)
}

// Reader returns a reader of r that enforces the limits. The name is for errors.
func (l Limits) Reader(name string, r io.Reader) io.Reader {
	if l.Line == 0 {
		l.Line = int(l.Bytes)
	}
	return &reader{in: r, name: name, limits: l, line: 1}
}

// reader is a reader that enforces limits.
type reader struct {
	in     io.Reader
	name   string // of the file, for errors
	limits Limits
	total  int64 // bytes read
	line   int   // number of the current line
	length int   // length of the current line so far
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.total += int64(n)
	if r.total > r.limits.Bytes {
		return 0, &Error{File: r.name, Problem: "holds more than " + SizeText(r.limits.Bytes),
			Right: "give less"}
	}
	for text := p[:n]; len(text) > 0; {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		if r.length += end; r.length > r.limits.Line {
			return 0, &Error{File: r.name, Line: r.line,
				Problem: "the line is longer than " + SizeText(int64(r.limits.Line)),
				Right:   "the file is damaged, or of another kind"}
		}
		if end == len(text) {
			break
		}
		r.line, r.length, text = r.line+1, 0, text[end+1:]
	}
	return n, err
}

// SizeText formats a number of bytes in bytes, KiB, MiB, GiB or TiB.
func SizeText(n int64) string {
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
