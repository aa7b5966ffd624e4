package experiments

import (
	"os"
	"path/filepath"
)

// appended says where in runs.jsonl the lines stand that a command has appended, so that the file
// can be put in order without writing every number again.
type appended struct {
	size int64 // of the file
	at   map[RunKey]span
}

// span is a part of a file.
type span struct {
	from   int64
	length int
}

// begin takes the size of the file before the first line is appended.
func (a *appended) begin(file *os.File) error {
	info, err := file.Stat()
	if err == nil {
		a.size, a.at = info.Size(), map[RunKey]span{}
	}
	return err
}

// add takes a line that was appended.
func (a *appended) add(key RunKey, length int) {
	if a.at == nil { // the folder of a shard is never put in order
		return
	}
	a.at[key] = span{a.size, length}
	a.size += int64(length)
}

// appendedLines reads lines again.
type appendedLines struct {
	of     *appended
	file   *os.File // nil: there are none
	buffer []byte
}

// open opens the file of a folder to read lines again. Lines that cannot be read are none.
func (a *appended) open(dir string) *appendedLines {
	lines := &appendedLines{of: a}
	if len(a.at) == 0 {
		return lines
	}
	file, err := os.Open(filepath.Join(dir, RunsFile))
	if err != nil {
		return lines
	}
	if info, err := file.Stat(); err != nil || info.Size() != a.size { // it is another one by now
		file.Close()
		return lines
	}
	lines.file = file
	return lines
}

// line returns the line of a run until the next call, nil if the command has not appended it.
func (l *appendedLines) line(key RunKey) []byte {
	at, ok := l.of.at[key]
	if !ok || l.file == nil {
		return nil
	}
	if cap(l.buffer) < at.length {
		l.buffer = make([]byte, 2*at.length)
	}
	line := l.buffer[:at.length]
	if n, _ := l.file.ReadAt(line, at.from); n < len(line) {
		return nil
	}
	return line
}

func (l *appendedLines) close() {
	if l.file != nil {
		l.file.Close()
	}
}
