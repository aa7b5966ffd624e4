package written

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"contend/internal/input"
)

// Record is the name of the file that holds the checksums of the files written into a folder, in
// the format of sha256sum. A replaced file gets a further line with its new checksum before the new
// file appears. Save leaves one line for each file.
const Record = "contend.sha256"

// recordLine matches a line of a record.
var recordLine = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)

// tornLine matches an incomplete line, which a killed program leaves.
var tornLine = regexp.MustCompile(`^([0-9a-f]{0,64}|[0-9a-f]{64} {1,2}|[0-9a-f]{64}  .+)$`)

// recordLimits limit the size of a record to ten million files or so.
var recordLimits = input.Limits{Bytes: 1 << 30, Line: 1 << 12}

// load reads the record on the first call, and again after read was set to false. The caller holds
// mu.
func (f *Folder) load() {
	if f.read {
		return
	}
	f.read, f.exists, f.err, f.sums = true, false, nil, map[string][]string{}
	text, err := input.ReadFile(f.Path(Record), recordLimits)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return // writing says what is wrong with the folder
	}
	if f.exists = true; err == nil {
		f.sums, err = parseRecord(f.Path(Record), text)
	}
	f.err = err
}

// parseRecord returns the checksums by name. It skips an incomplete last line, which a killed
// program leaves.
func parseRecord(path string, text []byte) (map[string][]string, error) {
	sums := map[string][]string{}
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines {
		m := recordLine.FindStringSubmatch(string(line))
		if i == len(lines)-1 && tornLine.Match(line) {
			break
		}
		if m == nil || !isLocal(m[2]) {
			return nil, &input.Error{File: path, Line: i + 1,
				Problem: "the line is not a checksum and the name of a file",
				Right:   "restore the file; without it contend does not know what it has written"}
		}
		sums[m[2]] = append(sums[m[2]], m[1])
	}
	return sums, nil
}

// recordError returns the error of reading the record.
func (f *Folder) recordError() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load()
	return f.err
}

// known returns the checksums of a file, nil if it is not in the record.
func (f *Folder) known(name string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load()
	return f.sums[name]
}

// Names lists the files in the record.
func (f *Folder) Names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load()
	return input.SortedKeys(f.sums)
}

// Note adds a file to the record that Write did not write, with its current checksum.
func (f *Folder) Note(name string) error {
	sum, err := digest(f.Path(name))
	if err != nil {
		return err
	}
	unlock, err := f.add(name, sum)
	if err == nil {
		unlock()
	}
	return err
}

// add appends the checksum that a file will have to the record. The record stays locked until the
// caller, which by then has put the file in place, calls unlock.
func (f *Folder) add(name, sum string) (unlock func(), err error) {
	if err := f.recordError(); err != nil {
		return nil, err
	}
	file, err := f.openRecord()
	if err != nil {
		return nil, err
	}
	if _, err = fmt.Fprintf(file, "%s  %s\n", sum, name); err == nil {
		err = file.Sync()
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.exists, f.sums[name] = true, append(f.sums[name], sum)
	return func() { file.Close() }, nil
}

// openRecord opens the record for appending and locks it. It cuts off an incomplete last line,
// which a killed program leaves.
func (f *Folder) openRecord() (*os.File, error) {
	path := f.Path(Record)
	for {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, &input.Error{File: path, Problem: "is " + kindOf(info.Mode()),
				Right: "move it away: contend keeps the checksums of its files there"}
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
		if err != nil {
			return nil, err
		}
		await(file)
		if !sameFile(file) { // Save has replaced it
			file.Close()
			continue
		}
		if err := cutLine(file); err != nil {
			file.Close()
			return nil, err
		}
		return file, nil
	}
}

// cutLine truncates a file after its last newline.
func cutLine(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, min(info.Size(), int64(recordLimits.Line)+1))
	start := info.Size() - int64(len(last))
	if _, err := file.ReadAt(last, start); err != nil {
		return err
	}
	if last[len(last)-1] == '\n' {
		return nil
	}
	return file.Truncate(start + int64(bytes.LastIndexByte(last, '\n')) + 1)
}

// Save rewrites the record with one line for each file, its current checksum. It drops absent files
// and the names in without. If Save fails the old record remains, which holds all lines that Save
// would write.
func (f *Folder) Save(without ...string) {
	if !f.Recorded() || f.recordError() != nil {
		return
	}
	file, err := f.openRecord()
	if err != nil {
		return
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, 0, recordLimits.Bytes))
	if err != nil {
		return
	}
	sums, err := parseRecord(f.Path(Record), text)
	if err != nil {
		return
	}
	var saved bytes.Buffer
	for _, name := range input.SortedKeys(sums) {
		if slices.Contains(without, name) {
			delete(sums, name)
			continue
		}
		sums[name] = f.current(name, sums[name])
		for _, sum := range sums[name] {
			fmt.Fprintf(&saved, "%s  %s\n", sum, name)
		}
	}
	if !bytes.Equal(saved.Bytes(), text) && Replace(f.Path(Record), saved.Bytes()) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sums = sums
}

// current returns the checksums of a file that the record has to keep: none for an absent file, its
// checksum if that is one of sums, and otherwise all of sums.
func (f *Folder) current(name string, sums []string) []string {
	if _, err := os.Lstat(f.Path(name)); err != nil {
		return nil
	}
	if len(sums) == 1 {
		return sums
	}
	sum, err := digest(filepath.Clean(f.Path(name)))
	if err == nil && slices.Contains(sums, sum) {
		return []string{sum}
	}
	return sums
}
