package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"contend/experiments"
	"contend/internal/decimal"
	"contend/internal/input"
)

// columns is a table of one run as JSON: an object with an array for each column. In the array of
// the column that repeats itself each value is followed by the number of its rows.
type columns struct {
	names  []string
	values []bytes.Buffer
	size   int // bytes of all values

	table  recordedTable
	last   string // cell of the column that repeats itself
	repeat int    // rows with this cell, 0 in the beginning
}

// errFull is the error of a table that is larger than the limit.
var errFull = fmt.Errorf("page: full")

// readColumns reads a table of rows. It returns errFull if its JSON is longer than limit bytes, and
// nil for a file that does not exist.
func readColumns(path string, t recordedTable, limit int) (*columns, error) {
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		if input.Exists(path) {
			return nil, input.Unreadable(err, "")
		}
		return nil, nil
	}
	defer file.Close()
	in := csv.NewReader(experiments.NewPartReader(path, file))
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, experiments.PartError(path, err)
	}
	c, kept := &columns{table: t}, []int{}
	for i, name := range header {
		if !slices.Contains(t.drops, name) {
			c.names, kept = append(c.names, name), append(kept, i)
		}
	}
	c.values = make([]bytes.Buffer, len(kept))
	without := slices.Index(header, t.without)
	for {
		row, err := in.Read()
		if err == io.EOF {
			c.endRepeat()
			return c, nil
		}
		if err != nil {
			return nil, experiments.PartError(path, err)
		}
		if without >= 0 && row[without] != "" {
			continue
		}
		for n, i := range kept {
			c.add(n, row[i])
		}
		if c.size > limit {
			return nil, errFull
		}
	}
}

// add appends a cell to a column.
func (c *columns) add(n int, cell string) {
	switch {
	case c.names[n] == c.table.repeats && c.repeat > 0 && c.last == cell:
		c.repeat++
		return
	case c.names[n] == c.table.repeats:
		c.endRepeat()
		c.last, c.repeat = cell, 1
	case c.names[n] == c.table.rounds:
		if x, err := strconv.ParseFloat(cell, 64); err == nil {
			cell = decimal.Exact(math.Round(100*x) / 100)
		}
	}
	c.write(n, cellJSON(cell))
}

// endRepeat writes how often the last cell of the column that repeats itself occurred in a row.
func (c *columns) endRepeat() {
	if c.repeat > 0 {
		c.write(slices.Index(c.names, c.table.repeats), []byte(strconv.Itoa(c.repeat)))
	}
}

// write appends JSON to a column.
func (c *columns) write(n int, text []byte) {
	b := &c.values[n]
	if b.Len() > 0 {
		b.WriteByte(',')
		c.size++
	}
	b.Write(text)
	c.size += len(text)
}

// cellJSON returns a cell as JSON: a number as it stands in the file, null for an empty cell,
// other text as a string.
func cellJSON(cell string) []byte {
	if cell == "" {
		return []byte("null")
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil && json.Valid([]byte(cell)) {
		return []byte(cell)
	}
	return quoted(cell)
}

// quoted returns a text as a JSON string without <, > and &, which is safe within an element.
func quoted(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic("page: a string that is no JSON: " + err.Error())
	}
	return b
}

// has reports whether the table has the columns.
func (c *columns) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(c.names, name)
	})
}

// json returns the table.
func (c *columns) json() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for n, name := range c.names {
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(name))
		b.WriteString(":[")
		b.Write(c.values[n].Bytes())
		b.WriteByte(']')
	}
	b.WriteByte('}')
	return b.Bytes()
}
