package export

import (
	"io"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/table"
)

// WriteTables writes the tables of runs into a folder, as CSV and as Parquet, and a Data
// Package that describes them. rows says which tables of rows in the folder are of these
// results; jobs.csv becomes Parquet too. The package describes further tables of points as CSV:
// behind the axes they have the columns of more.
func WriteTables(r *experiments.Results, dir string, rows experiments.Tables,
	more ...table.Table) error {
	write := func(name string, write func(io.Writer) error) error {
		return input.WriteFileWith(filepath.Join(dir, name), write)
	}
	var tables []table.Described
	for _, of := range []struct {
		table.Table
		rows TableRows
	}{{RunTable(r), runRows(r)}, {WideTable(r), wideRows(r)}} {
		tables = append(tables, table.Described{Table: of.Table, Parquet: true})
		if err := write(of.Name+".csv", func(w io.Writer) error {
			return WriteCSV(w, table.Names(of.Columns), of.rows)
		}); err != nil {
			return err
		}
		if err := write(of.Name+".parquet", func(w io.Writer) error {
			return writeParquet(w, r, &of.Table, of.rows)
		}); err != nil {
			return err
		}
	}
	if t := rowTable(r, "jobs"); rows.Jobs {
		tables = append(tables, table.Described{Table: t, Parquet: true})
		if err := write("jobs.parquet", func(w io.Writer) error {
			return writeFileParquet(w, r, dir, &t)
		}); err != nil {
			return err
		}
	}
	for _, of := range []struct {
		has   bool
		names []string
	}{{rows.Links, []string{"links"}}, {rows.Series, []string{"series", "load"}},
		{rows.Interference, []string{"interference", "critical-path"}}} {
		for _, name := range of.names {
			if of.has {
				tables = append(tables, table.Described{Table: rowTable(r, name)})
			}
		}
	}
	for _, t := range more {
		t.Columns, t.Key = append(axisColumns(r), t.Columns...), append(r.AxisKeys(), t.Key...)
		tables = append(tables, table.Described{Table: t})
	}
	return write(table.PackageFile, func(w io.Writer) error {
		return table.WritePackage(w, r.Study.Name, r.Study.Title, tables)
	})
}
