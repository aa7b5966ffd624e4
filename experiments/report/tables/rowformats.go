package tables

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"contend/experiments"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/table"
)

// TableRows calls write with each row of a table. Cells are texts, numbers of type int and InUnit,
// and nil for an empty cell. A writer that has failed once writes nothing more and returns its
// error at the end too.
type TableRows func(write func(cells ...any) error)

// InUnit is a number with its unit. In CSV times have at most three decimals; in Parquet all
// numbers are exact.
type InUnit struct {
	X    float64
	Unit string
}

// WriteCSV writes a table as encoding/csv does, but without a text for each number: tables of
// 100,000 runs have millions of rows.
func WriteCSV(w io.Writer, header []string, rows TableRows) error {
	out := bufio.NewWriter(w)
	write := func(cells ...any) error {
		row := out.AvailableBuffer()
		for _, c := range cells {
			row = append(appendCell(row, c), ',')
		}
		row[len(row)-1] = '\n' // in place of the last comma
		_, err := out.Write(row)
		return err
	}
	write(Texts(header)...)
	rows(write)
	return out.Flush()
}

// appendCell appends a cell as CSV, quoted where encoding/csv quotes it.
func appendCell(to []byte, cell any) []byte {
	switch c := cell.(type) {
	case int:
		return strconv.AppendInt(to, int64(c), 10)
	case InUnit:
		return decimal.AppendInUnit(to, c.Unit, c.X)
	case string:
		if c == `\.` || strings.ContainsAny(c, ",\"\r\n") ||
			strings.TrimLeftFunc(c, unicode.IsSpace) != c {
			return append(append(append(to, '"'), strings.ReplaceAll(c, `"`, `""`)...), '"')
		}
		return append(to, c...)
	}
	return to
}

// Texts returns texts as cells.
func Texts(texts []string) []any {
	cells := make([]any, len(texts))
	for i, text := range texts {
		cells[i] = text
	}
	return cells
}

// writeParquet writes a table as Parquet: texts in the types of their columns, and numbers exactly.
func writeParquet(w io.Writer, r *experiments.Results, t *table.Table, rows TableRows) error {
	out, err := table.NewParquetWriter(w, t, map[string]string{"contend.study": r.Study.Name})
	if err != nil {
		return err
	}
	values := make([]any, len(t.Columns))
	var failed error
	rows(func(cells ...any) error {
		for i, c := range cells {
			switch c := c.(type) {
			case string:
				v, err := t.Columns[i].Parse(c)
				if values[i] = v; err != nil && failed == nil {
					failed = badCell{err}
				}
			case int:
				values[i] = int64(c)
			case InUnit:
				values[i] = c.X
			case nil:
				values[i] = nil
			}
		}
		if failed == nil {
			failed = out.Write(values)
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return out.Close()
}

// badCell is the error of a text that is not of the type of its column.
type badCell struct{ error }

// writeFileParquet reads the CSV file of a table of rows in a folder and writes it as Parquet.
func writeFileParquet(w io.Writer, r *experiments.Results, dir string, t *table.Table) error {
	path := filepath.Join(dir, t.Name+".csv")
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(experiments.NewRowReader(path, file))
	header, err := in.Read()
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	if names := table.Names(t.Columns); err == nil && !slices.Equal(header, names) {
		return damaged(path, fmt.Sprintf("it has the columns %q, not %q", header, names))
	}
	var failed error
	err = writeParquet(w, r, t, func(write func(...any) error) {
		for failed == nil {
			cells, err := in.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				failed = damaged(path, err.Error())
			} else if err := write(Texts(cells)...); errors.As(err, &badCell{}) {
				line, _ := in.FieldPos(0)
				failed = damaged(fmt.Sprintf("%s:%d", path, line), err.Error())
			}
		}
	})
	return cmp.Or(failed, err)
}

// damaged is the error for a table that this version of the program did not write.
func damaged(where, problem string) error {
	return &input.Error{Where: where, Problem: problem,
		Right: "contend run with --jobs-csv writes it again"}
}
