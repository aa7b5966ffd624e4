package experiments

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/table"
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
