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
	type output func(*experiments.Results, io.Writer) error
	files := []struct {
		name  string
		write output
	}{
		{"runs.csv", WriteRuns},
		{"runs.parquet", WriteRunsParquet},
		{"wide.csv", WriteWide},
		{"wide.parquet", WriteWideParquet},
	}
	tables := []table.Described{{Table: RunTable(r), Parquet: true},
		{Table: WideTable(r), Parquet: true}}
	if rows.Jobs {
		t := JobTable(r)
		files = append(files, struct {
			name  string
			write output
		}{"jobs.parquet", func(r *experiments.Results, w io.Writer) error {
			return writeRows(r, dir, &t, w)
		}})
		tables = append(tables, table.Described{Table: t, Parquet: true})
	}
	if rows.Links {
		tables = append(tables, table.Described{Table: LinkTable(r)})
	}
	if rows.Series {
		tables = append(tables, table.Described{Table: SeriesTable(r)},
			table.Described{Table: LoadTable(r)})
	}
	if rows.Waits {
		tables = append(tables, table.Described{Table: WaitTable(r)})
	}
	for _, t := range more {
		t.Columns, t.Key = append(axisColumns(r), t.Columns...), append(r.AxisKeys(), t.Key...)
		tables = append(tables, table.Described{Table: t})
	}
	for _, f := range files {
		write := func(w io.Writer) error { return f.write(r, w) }
		if err := input.WriteFileWith(filepath.Join(dir, f.name), write); err != nil {
			return err
		}
	}
	return input.WriteFileWith(filepath.Join(dir, table.PackageFile), func(w io.Writer) error {
		return table.WritePackage(w, r.Study.Name, r.Study.Title, tables)
	})
}
