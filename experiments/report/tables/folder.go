package tables

import (
	"bytes"
	"io"
	"os"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/internal/table"
	"contend/internal/written"
)

// WriteTables writes the tables of runs into a folder, as CSV and as Parquet, and a Data
// Package that describes them. rows says which tables of rows in the folder are of these
// results; jobs.csv becomes Parquet too, and the others become Parquet alone where they have more
// than ParquetRows rows. The package describes further tables of points as CSV: behind the axes
// they have the columns of more.
func WriteTables(r *experiments.Results, out *written.Folder, rows experiments.Tables,
	more ...table.Table) error {
	write := out.Write
	var tables []table.Described
	for _, of := range []struct {
		table.Table
		rows table.Rows
	}{{RunTable(r), runRows(r)}, {WideTable(r), wideRows(r)}} {
		tables = append(tables, table.Described{Table: of.Table, Parquet: true})
		err := write(of.Name+".csv", func(w io.Writer) error {
			return table.WriteCSV(w, table.Names(of.Columns), of.rows)
		})
		if err == nil {
			err = write(of.Name+".parquet", func(w io.Writer) error {
				return writeParquet(w, r, &of.Table, of.rows)
			})
		}
		if err != nil {
			return err
		}
	}
	for _, of := range rows.List() {
		t := table.Described{Table: rowTable(r, of)}
		var err error
		if of == metrics.JobTable {
			t.Parquet = true
			err = write("jobs.parquet", func(w io.Writer) error {
				return writeFileParquet(w, r, out.Dir, &t.Table)
			})
		} else {
			t.NoCSV, err = packRows(r, out, &t.Table)
			t.Parquet = t.NoCSV
		}
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	for _, t := range more {
		t.Columns, t.Key = append(axisColumns(r), t.Columns...), append(r.AxisKeys(), t.Key...)
		tables = append(tables, table.Described{Table: t})
	}
	return write(table.PackageFile, func(w io.Writer) error {
		return table.WritePackage(w, r.Study.Name, r.Study.Title, tables)
	})
}

// ParquetRows is the number of rows above which a table of rows other than jobs is kept as Parquet
// alone: as text it would take several times the room.
var ParquetRows = 100_000

// packRows turns the CSV file of a table of rows into a Parquet file if it has more than
// ParquetRows rows, and reports whether it has. Else it removes a Parquet file that earlier runs
// have left.
func packRows(r *experiments.Results, out *written.Folder, t *table.Table) (bool, error) {
	text, binary := t.Name+".csv", t.Name+".parquet"
	many, err := moreLines(out.Path(text), ParquetRows+1) // one for the header
	if err != nil {
		return false, err
	}
	if !many {
		return false, out.Remove(binary)
	}
	err = out.Write(binary, func(w io.Writer) error {
		return writeFileParquet(w, r, out.Dir, t)
	})
	if err != nil {
		return false, err
	}
	return true, out.Remove(text)
}

// moreLines reports whether a file has more than a number of lines.
func moreLines(path string, lines int) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	buffer, n := make([]byte, 1<<16), 0
	for n <= lines {
		read, err := file.Read(buffer)
		n += bytes.Count(buffer[:read], []byte{'\n'})
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, err
		}
	}
	return n > lines, nil
}
