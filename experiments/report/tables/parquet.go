package tables

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/internal/input"
	"contend/internal/table"
)

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
			default:
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

// writeFileParquet writes the CSV file of a table of rows in a folder as Parquet.
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
