package experiments

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"contend/internal/input"
)

// rowsFormat is the first line of a part, with the number of its rows. CSV follows whose lines end
// with one more cell: the CRC-32C of all cells of the file up to there. So changed characters and
// missing rows are found with their line.
const rowsFormat = "rows: %d\n"

// encodePart returns the text of a part.
func encodePart(header []string, rows [][]string) ([]byte, error) {
	var line bytes.Buffer
	w, sum, text := csv.NewWriter(&line), uint32(0), fmt.Appendf(nil, rowsFormat, len(rows))
	for _, cells := range append([][]string{header}, rows...) {
		line.Reset()
		if err := w.Write(cells); err != nil {
			return nil, err
		}
		w.Flush()
		line.Truncate(line.Len() - 1)
		sum = crc32.Update(sum, input.Castagnoli, line.Bytes())
		text = fmt.Appendf(text, "%s,%08x\n", line.Bytes(), sum)
	}
	return text, nil
}

// partReader reads a part and returns its CSV without the checksums.
type partReader struct {
	path  string
	in    *bufio.Reader
	sum   uint32
	line  int    // lines read
	rows  int    // by the first line
	ready []byte // CSV to return
	err   error  // of the next Read without CSV
}

// NewPartReader returns a reader of the CSV of a part, with the limits of tables of rows. A damaged
// part is an input.Error with file and line.
func NewPartReader(path string, in io.Reader) io.Reader {
	r := &partReader{path: path, in: bufio.NewReader(input.RowsLimits.Reader(path, in))}
	line, err := r.next()
	if err == nil || err == io.EOF {
		if n, _ := fmt.Sscanf(string(line)+"\n", rowsFormat, &r.rows); n == 1 {
			return r
		}
		err = r.damaged("it does not begin with the number of its rows")
	}
	r.err = err
	return r
}

// Read implements io.Reader.
func (r *partReader) Read(b []byte) (int, error) {
	for len(r.ready) == 0 && r.err == nil {
		r.ready, r.err = r.csvLine()
	}
	if len(r.ready) == 0 {
		return 0, r.err
	}
	n := copy(b, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// csvLine returns the next line of CSV, after it has verified its checksum.
func (r *partReader) csvLine() ([]byte, error) {
	line, err := r.next()
	if err == io.EOF && r.line != r.rows+2 {
		err = r.damaged(fmt.Sprintf("it has %d of its %d rows", max(0, r.line-2), r.rows))
	}
	if err != nil {
		return nil, err
	}
	end := bytes.LastIndexByte(line, ',')
	if end < 0 {
		return nil, r.damaged("the line has no checksum")
	}
	r.sum = crc32.Update(r.sum, input.Castagnoli, line[:end])
	if of := fmt.Sprintf("%08x", r.sum); of != string(line[end+1:]) {
		return nil, r.damaged(fmt.Sprintf("the checksum of the line is %s, that of its cells %s",
			input.Printable(string(line[end+1:])), of))
	}
	return append(line[:end:end], '\n'), nil
}

// next returns the next line without its end.
func (r *partReader) next() ([]byte, error) {
	line, err := r.in.ReadBytes('\n')
	switch {
	case err == io.EOF && len(line) > 0:
		return nil, r.damaged("the last line has no end")
	case err != nil:
		return nil, err
	}
	r.line++
	return line[:len(line)-1], nil
}

// damaged returns an error about the last line that was read.
func (r *partReader) damaged(problem string) error {
	return &input.Error{Where: fmt.Sprintf("%s:%d", r.path, max(1, r.line)), Problem: problem,
		Right: removePart}
}

// removePart is the remedy for a damaged part.
const removePart = "remove the file: contend run makes it again"

// PartError returns an error of reading a part as an input.Error: that of its reader unchanged, and
// one of CSV with the path.
func PartError(path string, err error) error {
	var known *input.Error
	if errors.As(err, &known) {
		return err
	}
	return &input.Error{Where: path, Problem: err.Error(), Right: removePart}
}

// checksumPrefix begins the last line of the log of a run, a comment with the CRC-32C of all other
// lines.
const checksumPrefix = "; CRC-32C: "

// appendChecksum appends that last line to a log.
func appendChecksum(log []byte) []byte {
	return fmt.Appendf(log, "%s%08x\n", checksumPrefix, crc32.Checksum(log, input.Castagnoli))
}

// ReadLogPart returns the log of a run's jobs, after it has verified its checksum.
func (f *Folder) ReadLogPart(key RunKey) ([]byte, error) {
	path := f.LogPath(key)
	text, err := input.ReadFile(path, input.LogLimits)
	if err != nil {
		return nil, err
	}
	end := len(text) - len(appendChecksum(nil))
	if end < 0 || !bytes.Equal(appendChecksum(text[:end:end]), text) {
		return nil, &input.Error{Where: path, Problem: "its last line is not the checksum of the others",
			Right: removePart}
	}
	return text, nil
}
