package tables

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/internal/input"
	"contend/internal/table"
)

// writeParquet writes a table as Parquet: texts, such as labels of axes, in the types of their
// columns.
func writeParquet(w io.Writer, r *experiments.Results, t *table.Table, rows table.Rows) error {
	out, err := table.NewParquetWriter(w, t, map[string]string{"contend.study": r.Study.Name})
	if err != nil {
		return err
	}
	var failed error
	values := make([]table.Value, len(t.Columns))
	rows(func(cells ...table.Value) error {
		for i := range cells {
			if failed == nil {
				values[i], failed = t.Columns[i].Typed(cells[i])
			}
		}
		if failed == nil {
			failed = out.Write(values...)
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return out.Close()
}

// writeFileParquet reads the CSV file of a table of rows in a folder and writes it as Parquet.
func writeFileParquet(w io.Writer, r *experiments.Results, dir string, t *table.Table) error {
	path := filepath.Join(dir, t.Name+".csv")
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(experiments.NewRowReader(path, file))
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	if names := table.Names(t.Columns); err == nil && !slices.Equal(header, names) {
		return damaged(path, fmt.Sprintf("it has the columns %q, not %q", header, names))
	}
	var failed error
	err = writeParquet(w, r, t, func(write func(...table.Value) error) {
		values := make([]table.Value, len(t.Columns))
		for failed == nil {
			cells, err := in.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				failed = damaged(path, err.Error())
				return
			}
			for i := range cells {
				if values[i], err = t.Columns[i].Parse(cells[i]); err != nil {
					line, _ := in.FieldPos(0)
					failed = damaged(fmt.Sprintf("%s:%d", path, line), err.Error())
					return
				}
			}
			failed = write(values...)
		}
	})
	return cmp.Or(failed, err)
}

// damaged is the error for a table that this version of the program did not write.
func damaged(where, problem string) error {
	return &input.Error{Where: where, Problem: problem,
		Right: "contend run with --jobs-csv writes it again"}
}
