package written

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/internal/input"
)

// Mark is the form of the mark of a kind of file: Begin, the CRC-32C of all bytes before the mark
// in hexadecimal, and End. Closing is the required end of the output, such as a closing tag. The
// mark replaces it, and End repeats it.
type Mark struct{ Begin, End, Closing string }

// text returns the mark with the checksum sum.
func (m Mark) text(sum uint32) string { return fmt.Sprintf("%s%08x%s", m.Begin, sum, m.End) }

// File is a file outside of a Folder, or a file inside that the record of the folder does not list.
type File struct {
	// Path is the path of the file. It may be a device or a pipe, such as /dev/stdout, which
	// receives the output.
	Path string
	// Flag is the command-line flag that gave the path, for errors.
	Flag string
	// Mark is the form of the mark at the end of the file.
	Mark Mark
	// Force allows replacing a foreign file or a link.
	Force bool
	// Reads returns the paths of the files that the command reads. Write never replaces a foreign
	// file among them.
	Reads func() ([]string, error)
}

// Write writes the output of write and the mark to the file. It first calls Check and returns its
// error.
func (f *File) Write(write func(io.Writer) error) error {
	special, err := f.check()
	if err != nil {
		return err
	}
	marked := func(w io.Writer) error {
		m := marker{to: w, closing: []byte(f.Mark.Closing)}
		if err := write(&m); err != nil {
			return err
		}
		return m.finish(f.Mark)
	}
	if special {
		return writeThrough(f.Path, marked)
	}
	RemoveAbandoned(filepath.Dir(f.Path))
	return ReplaceWith(f.Path, marked)
}

// Check returns an error if Write must not write to the path: for a foreign file or a link without
// Force, a foreign file that the command reads, a folder, a block device or socket, and a path in a
// folder that does not exist.
func (f *File) Check() error {
	_, err := f.check()
	return err
}

// check does the work of Check. special reports whether the path leads to a pipe or a character
// device.
func (f *File) check() (special bool, err error) {
	refuse := func(problem, right string) (bool, error) {
		return false, &input.Error{Where: f.Flag + " " + f.Path, Problem: problem, Right: right}
	}
	found, err := os.Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		folder := filepath.Dir(f.Path)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return refuse("there is no folder "+folder, "make it, or choose another")
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if info, err := os.Stat(f.Path); err == nil && writable(info.Mode()) {
		return true, nil
	}
	const other = "give another name"
	switch mode := found.Mode(); {
	case mode.IsDir():
		return refuse("this is a folder", "give the name of a file")
	case mode&fs.ModeSymlink != 0 && ofSystem(f.Path):
		return refuse("it leads to a file", "give the name of that file")
	case mode&fs.ModeSymlink != 0 && !f.Force:
		return refuse("this is a link, whose target would stay as it is",
			other+", or --force to replace the link by the file")
	case mode&fs.ModeSymlink != 0:
		return false, nil
	case !mode.IsRegular():
		return refuse("this is a device or socket", "give the name of a file")
	}
	if own, err := f.Mark.on(f.Path); err != nil || own {
		return false, err
	}
	if f.Reads != nil {
		paths, err := f.Reads()
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(paths, func(path string) bool { return sameAs(path, found) }) {
			return refuse("the command reads this file", other)
		}
	}
	if !f.Force {
		return refuse("the file exists, and contend has not written it or it was changed since",
			other+", or --force to replace it")
	}
	return false, nil
}

// ofSystem reports whether a path is below /dev or /proc, where devices and open files have links.
func ofSystem(path string) bool {
	path, err := filepath.Abs(path)
	return err != nil || strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

// writable reports whether a file of this mode is a pipe or a character device, such as a terminal.
// Output to these goes out at once and is not stored.
func writable(mode fs.FileMode) bool {
	return mode&fs.ModeNamedPipe != 0 || mode&fs.ModeCharDevice != 0
}

// writeThrough writes the output of write to a device or pipe. A pipe without a reader is an error.
func writeThrough(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|nonBlocking, 0)
	if err != nil {
		return &input.Error{File: path, Problem: err.Error(),
			Right: "open a pipe for reading before, or give the name of a file"}
	}
	if err := buffered(file, write); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// on reports whether a file ends with a mark of this form whose checksum is that of the bytes
// before it.
func (m Mark) on(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	start := info.Size() - int64(len(m.text(0)))
	if start < 0 {
		return false, nil
	}
	end := make([]byte, len(m.text(0)))
	if _, err := file.ReadAt(end, start); err != nil {
		return false, err
	}
	if !bytes.HasPrefix(end, []byte(m.Begin)) {
		return false, nil
	}
	sum := crc32.New(Castagnoli)
	if _, err := io.Copy(sum, io.LimitReader(file, start)); err != nil {
		return false, err
	}
	return string(end) == m.text(sum.Sum32()), nil
}

// marker writes bytes to a file and adds up their checksum. It holds back as many bytes as closing
// has, because the mark replaces closing at the end of the file.
type marker struct {
	to      io.Writer
	closing []byte // the required last bytes of the output
	held    []byte // the last bytes so far, at most as many as closing has
	sum     uint32
}

// Write implements io.Writer.
func (m *marker) Write(b []byte) (int, error) {
	n := len(m.held) + len(b) - len(m.closing)
	if n <= 0 {
		m.held = append(m.held, b...)
		return len(b), nil
	}
	head := m.held[:min(n, len(m.held))]
	rest := b[:n-len(head)]
	for _, part := range [][]byte{head, rest} {
		m.sum = crc32.Update(m.sum, Castagnoli, part)
		if _, err := m.to.Write(part); err != nil {
			return 0, err
		}
	}
	m.held = append(m.held[len(head):], b[len(rest):]...)
	return len(b), nil
}

// finish writes the mark in place of closing. It panics if the output does not end with closing.
func (m *marker) finish(mark Mark) error {
	if !bytes.Equal(m.held, m.closing) {
		panic(fmt.Sprintf("written: a file ends with %q, not with %q", m.held, m.closing))
	}
	_, err := io.WriteString(m.to, mark.text(m.sum))
	return err
}
