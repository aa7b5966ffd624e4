package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
	"contend/internal/table"
)

// writeRows writes a table of rows as Parquet, from the CSV file of the table in a folder.
// The values are those of the CSV file.
func writeRows(r *experiments.Results, dir string, t *table.Table, w io.Writer) error {
	path := filepath.Join(dir, t.Name+".csv")
	file, err := bounded.Open(path, bounded.Rows)
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
	names := table.Names(t.Columns)
	if err == nil && !slices.Equal(header, names) { // without runs there is no header
		return damaged(path, fmt.Sprintf("it has the columns %q, not %q", header, names))
	}
	out, err := table.NewParquetWriter(w, t, entries(r))
	if err != nil {
		return err
	}
	values := make([]any, len(t.Columns))
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return out.Close()
		}
		if err != nil {
			return damaged(path, err.Error())
		}
		for i := range cells {
			if values[i], err = t.Columns[i].Parse(cells[i]); err != nil {
				line, _ := in.FieldPos(i)
				return damaged(fmt.Sprintf("%s:%d", path, line), err.Error())
			}
		}
		if err := out.Write(values); err != nil {
			return err
		}
	}
}

// damaged is the error for a table that this version of the program did not write.
func damaged(where, problem string) error {
	return &input.Error{Where: where, Problem: problem,
		Right: "contend run with --jobs-csv writes it again"}
}
