package experiments

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/table"
	"contend/internal/written"
)

// Part holds rows of a table that one run has stored, with typed cells.
type Part struct {
	Path   string
	Header []string // names of the columns that were read
	Rows   [][]table.Value

	columns map[string]int // index of each name in Header
}

// ReadPart reads columns of a table of one run, all of them if none is named. It returns nil if the
// run has not stored the table.
func (f *Folder) ReadPart(kind string, key RunKey, columns ...string) (*Part, error) {
	p := &Part{Path: f.PartPath(kind, key), columns: map[string]int{}}
	file, err := input.Open(p.Path, input.RowsLimits)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := csv.NewReader(NewPartReader(p.Path, file))
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, PartError(p.Path, err)
	}
	types, from := p.choose(metrics.TableOf(kind).Columns, header, columns)
	for _, c := range columns {
		if _, ok := p.columns[c]; !ok {
			return nil, p.Damaged(-1, "it has no column "+c)
		}
	}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, PartError(p.Path, err)
		}
		row := make([]table.Value, len(from))
		for i, at := range from {
			if row[i], err = types[i].Parse(cells[at]); err != nil {
				return nil, p.Damaged(len(p.Rows), err.Error())
			}
		}
		p.Rows = append(p.Rows, row)
	}
}

// choose sets the columns that are read, all known ones if none is wanted, and returns their types
// and their places in the header.
func (p *Part) choose(known []table.Column, header, wanted []string) (
	types []table.Column, from []int,
) {
	for at, name := range header {
		i := slices.IndexFunc(known, func(c table.Column) bool { return c.Name == name })
		if i < 0 || len(wanted) > 0 && !slices.Contains(wanted, name) {
			continue
		}
		p.columns[name] = len(p.Header)
		p.Header, types, from = append(p.Header, name), append(types, known[i]), append(from, at)
	}
	return types, from
}

// Value returns a cell. To ask for a column that was not read is a caller's bug.
func (p *Part) Value(row int, column string) table.Value {
	i, ok := p.columns[column]
	if !ok {
		panic("experiments: the column " + column + " of " + p.Path + " was not read")
	}
	return p.Rows[row][i]
}

// Text returns a cell as the file has it.
func (p *Part) Text(row int, column string) string { return p.Value(row, column).String() }

// Number returns a cell as a number, NaN where it is empty or a name.
func (p *Part) Number(row int, column string) float64 { return p.Value(row, column).Float() }

// Damaged returns an error about a row, or about the whole file with the row -1.
func (p *Part) Damaged(row int, problem string) error {
	where := p.Path
	if row >= 0 {
		where = fmt.Sprintf("%s:%d", p.Path, row+3)
	}
	return &input.Error{Where: where, Problem: problem,
		Right: "move the file away, and contend run makes it again"}
}

// The first line of a part has the number of its rows and its name, which earlier programs left
// out. CSV follows whose lines end with one more cell: the CRC-32C of all cells of the file up to
// there. So changed characters, missing rows and a part of another run are found with their line.
var rowsLine = regexp.MustCompile(`^rows: ([0-9]{1,12})(?: of (\S+))?$`)

// encodePart returns the text of a part.
func encodePart(name string, header []string, rows table.Rows) []byte {
	var text []byte
	n, sum := -1, uint32(0)
	write := func(cells ...table.Value) error {
		n++
		from := len(text)
		text = table.AppendCSV(text, cells)
		sum = crc32.Update(sum, written.Castagnoli, text[from:])
		text = fmt.Appendf(text, ",%08x\n", sum)
		return nil
	}
	write(table.Texts(header)...)
	rows(write)
	return slices.Insert(text, 0, fmt.Appendf(nil, "rows: %d of %s\n", n, name)...)
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
		first := rowsLine.FindStringSubmatch(string(line))
		if first != nil {
			r.rows, _ = strconv.Atoi(first[1])
		}
		switch {
		case first == nil:
			err = r.damaged("it does not begin with the number of its rows")
		case first[2] != "" && first[2] != nameOfPart(path):
			err = r.damaged(fmt.Sprintf("it is %s", input.Printable(first[2])))
		default:
			return r
		}
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
	r.sum = crc32.Update(r.sum, written.Castagnoli, line[:end])
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
	return fmt.Appendf(log, "%s%08x\n", checksumPrefix, crc32.Checksum(log, written.Castagnoli))
}

// ReadLogPart returns the log of a run's jobs, after it has verified its checksum.
func (f *Folder) ReadLogPart(key RunKey) ([]byte, error) { return readPart(f.LogPath(key)) }

// readPart returns the text of a part or of a log beside one, after it has verified it.
func readPart(path string) ([]byte, error) {
	if filepath.Ext(path) == ".csv" {
		text, err := input.ReadFile(path, input.RowsLimits)
		if err == nil {
			_, err = io.Copy(io.Discard, NewPartReader(path, bytes.NewReader(text)))
		}
		return text, err
	}
	text, err := input.ReadFile(path, input.LogLimits)
	if err != nil {
		return nil, err
	}
	end := len(text) - len(appendChecksum(nil))
	if end < 0 || !bytes.Equal(appendChecksum(text[:end:end]), text) {
		return nil, &input.Error{Where: path, Problem: "its last line is not the checksum of the others",
			Right: removePart}
	}
	if note := runNote(nameOfPart(path)); !bytes.Contains(text, []byte("; "+note+"\n")) {
		return nil, &input.Error{Where: path, Problem: "it is of another run: it does not have the line " +
			"; " + note, Right: removePart}
	}
	return text, nil
}

// replacePart writes a part or a log beside one. It replaces a whole one alone, which a run that
// was killed has left: anything else is not contend's.
func replacePart(path string, text []byte) error {
	if _, err := os.Lstat(path); err == nil {
		if _, err := readPart(path); err != nil {
			return err
		}
	}
	return written.Replace(path, text)
}

// nameOfPart returns the PartName of the part with a path.
func nameOfPart(path string) string {
	name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// runNote is the comment of a log that names its run, from the name of a part.
func runNote(name string) string {
	run := name[strings.LastIndexByte(name, '/')+1:]
	hash, replication, _ := strings.Cut(run, "-")
	n, _ := strconv.Atoi(replication)
	return fmt.Sprintf("Note: simulated by contend, run %s, replication %d", hash, n)
}
