// Package input reads files, TOML, JSON, names and logs that users and other programs write. An
// Error is one line with the place of a fault, the problem and the remedy. The package writes
// nothing.
//
// An example: ReadTOML reads the file a.toml,
//
//	[machine]
//	topology = mesh
//
// and returns the error
//
//	a.toml:2:12: mesh has no quotes: write "mesh"
//
// With quotes it returns a TOML with the value mesh, and TOML.Place("machine.topology") is
// a.toml:2:1, by which the error of a package that knows only the key gets its place.
//
// Files are read within limits: only regular files, none larger than a limit, no line longer than a
// limit, and no gzip data that expand without end. ReadFile reads a whole file; Open and
// Limits.Reader read a stream, and Limits.Gunzip unpacks one. Finding a fault takes no more memory
// than the limits allow.
package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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

// Files opens files. It opens those whose paths are below the folder of In through it, so that no
// link leads out of the folder. A nil In opens all files by their paths.
type Files struct{ In *os.Root }

// below returns the name in the folder of a path that is below it.
func (f Files) below(path string) (name string, ok bool) {
	if f.In == nil {
		return "", false
	}
	name, err := filepath.Rel(f.In.Name(), path)
	return name, err == nil && filepath.IsLocal(name)
}

// Stat describes a file, behind its links.
func (f Files) Stat(path string) (fs.FileInfo, error) {
	if name, ok := f.below(path); ok {
		return f.In.Stat(name)
	}
	return os.Stat(path)
}

// Open is the function Open.
func (f Files) Open(path string, l Limits) (*os.File, error) {
	name, ok := f.below(path)
	if !ok {
		return Open(path, l)
	}
	if info, err := f.In.Stat(name); err == nil { // Opening a pipe would wait for its writer.
		if err := l.check(path, info); err != nil {
			return nil, err
		}
	}
	return f.In.Open(name)
}

// ReadFile is the function ReadFile.
func (f Files) ReadFile(path string, l Limits) ([]byte, error) {
	file, err := f.Open(path, l)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(l.Reader(path, file))
}

// ReadDir lists the entries of a folder.
func (f Files) ReadDir(path string) ([]fs.DirEntry, error) {
	name, ok := f.below(path)
	if !ok {
		return os.ReadDir(path)
	}
	folder, err := f.In.Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.ReadDir(-1)
}

// No text of people or programs shrinks to a hundredth: logs shrink to a tenth, zeros
// to a thousandth. The limit does not apply to small files.
const (
	maxRatio   = 100      // of unpacked to packed bytes
	plainBytes = 16 << 20 // unpacked, up to which any ratio is allowed
)

// Gunzip returns a reader that unpacks gzip data within the limits. It refuses data
// that expand more than a hundredfold. Errors of the data are those of package gzip.
func (l Limits) Gunzip(name string, r io.Reader) (io.Reader, error) {
	packed := &byteCounter{in: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return l.Reader(name, &unpacker{in: z, packed: packed, name: name}), nil
}

// byteCounter counts the bytes that pass through a reader.
type byteCounter struct {
	in io.Reader
	n  int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacker refuses data that expand too much.
type unpacker struct {
	in     io.Reader // unpacks
	packed *byteCounter
	name   string // of the file, for errors
	n      int64  // bytes unpacked
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if u.n += int64(n); u.n > plainBytes && u.n > maxRatio*u.packed.n {
		return 0, &Error{File: u.name,
			Problem: "unpacks to more than a hundred times its size, which no log does",
			Right:   "give one that was not made to fill memory"}
	}
	return n, err
}

// Exists reports whether there is a file, also one whose folder may not be read.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// Unreadable returns the Error for a file of the user that cannot be read. If the
// file is not at fault, right says what to give. Where permissions are, the error says so.
func Unreadable(err error, right string) *Error {
	if errors.Is(err, fs.ErrPermission) {
		return &Error{Problem: err.Error(),
			Right: "change the permissions of the file and of its folders, or choose another"}
	}
	var bad *Error
	if errors.As(err, &bad) {
		return bad
	}
	return &Error{Problem: err.Error(), Right: right}
}

// Misplaced returns the Error for an error of the file system that the user can
// fix, and nil for a fault of the machine. The user can fix a file in place of a
// folder, a folder in place of a file, and missing permissions.
func Misplaced(err error) *Error {
	var bad *Error
	if errors.As(err, &bad) || errors.Is(err, fs.ErrPermission) {
		return Unreadable(err, "")
	}
	if errors.Is(err, syscall.EROFS) {
		return &Error{Problem: err.Error(), Right: "give a place that can be written to with -o"}
	}
	for _, one := range []error{syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENOTEMPTY,
		syscall.ENAMETOOLONG, syscall.ELOOP} {
		if errors.Is(err, one) {
			return &Error{Problem: err.Error(),
				Right: "the folder is damaged or is no output folder; move it away, or choose another"}
		}
	}
	return nil
}

// MachineFault reports whether the disk is full or broken, which is no fault of the user's input.
func MachineFault(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err,
		syscall.EIO)
}
