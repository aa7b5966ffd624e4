package tables

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/input"
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

// clock is the unit of a column of times whose runs have clocks of several units.
const clock = "time"

// RunColumns are the columns of runs.csv and runs.parquet behind the axes. The unit
// "unit" stands for the unit in the column of that name.
var RunColumns = []table.Column{
	replication,
	hash,
	table.String.Column("metric", "", "name of a metric"),
	table.String.Column("unit", "", "unit of the values in the row, empty for a ratio").OrEmpty(),
	table.Number.Column("value", "unit", "the metric in this run"),
}

// WideColumns are the columns of wide.csv and wide.parquet between the axes and the
// metrics.
var WideColumns = []table.Column{
	replication,
	hash,
	table.String.Column("time_unit", "", "unit of the run's clock: s, cycles or time units"),
}

// Columns that name the run of a row.
var (
	replication = table.Integer.Column("replication", "", "number of the replication, from 0")
	hash        = table.String.Column("hash", "", "names the run's settings; the same in runs.jsonl")
)

// RunTable describes runs.csv for the results of a study.
func RunTable(r *experiments.Results) table.Table {
	return table.Table{Name: "runs", Row: "run and metric",
		Columns: append(axisColumns(r), RunColumns...),
		Key:     append(r.AxisKeys(), "replication", "metric")}
}

// WideTable describes wide.csv for the results of a study. Its metrics are those that
// some run has.
func WideTable(r *experiments.Results) table.Table {
	t := table.Table{Name: "wide", Row: "run", Key: append(r.AxisKeys(), "replication"),
		Columns: append(axisColumns(r), WideColumns...)}
	taken := map[string]bool{}
	for _, c := range t.Columns {
		taken[c.Name] = true
	}
	docs := map[string]string{}
	for _, m := range metrics.MetricsOf(r.Names) {
		docs[m.Name] = m.Doc
	}
	names := r.Metrics()
	units := commonUnits(r, metrics.Units(names))
	for i, m := range names {
		name := m
		if taken[name] { // a metric of a program of one's own, named like a column
			name = "metric." + m
		}
		t.Columns = append(t.Columns, table.Number.Column(name, units[i], docs[m]).OrEmpty())
	}
	return t
}

// rowTable describes a table of rows of a study. Times get the unit of the clock that its runs
// have.
func rowTable(r *experiments.Results, of *metrics.RowTable) table.Table {
	columns := slices.Clone(of.Columns)
	for i := range columns {
		if columns[i].Unit == clock {
			columns[i].Unit = commonUnits(r, func(s *config.Spec) []string {
				return []string{s.ClockUnit()}
			})[0]
		}
	}
	lead := []table.Column{replication, hash}[:len(experiments.RunColumns(of.Name))]
	t := table.Table{Name: of.Name, Row: of.Row, Of: WideTable(r).Name,
		Columns: slices.Concat(axisColumns(r), lead, columns)}
	t.OfKey = append(r.AxisKeys(), replication.Name)
	if of.Key != nil {
		t.Key = append(slices.Clone(t.OfKey), of.Key...)
	}
	return t
}

// commonUnits returns the units of quantities in a study. The unit is clock where points have
// clocks of several units.
func commonUnits(r *experiments.Results, unitsOf func(*config.Spec) []string) (all []string) {
	for i := range r.Points {
		units := unitsOf(&r.Points[i].Spec)
		if i == 0 {
			all = slices.Clone(units)
		}
		for k := range all {
			if all[k] != units[k] {
				all[k] = clock
			}
		}
	}
	return all
}

// axisColumns describes the columns of the axes. Types depend on the keys and not on the values, so
// that files of several studies fit together: a key that can be "auto" is text. An axis whose
// values have units is text too.
func axisColumns(r *experiments.Results) []table.Column {
	var columns []table.Column
	for _, name := range r.AxisKeys() {
		k, _ := study.FindAxisKey(name)
		c := table.String.Column(name, k.Unit, k.Doc)
		switch units := r.Study.HasUnits(name); {
		case units:
			c.Unit = ""
		case k.Type == "integer":
			c.Type = table.Integer
		case k.Type == "number":
			c.Type = table.Number
		case k.Type == "boolean":
			c.Type = table.Boolean
		}
		// a text that may be empty is so by default
		c.Nullable = c.Type == table.String && !k.Shorthand && k.Default == `""`
		columns = append(columns, c)
	}
	return columns
}

// runValues is a run in the order of the study, with a value of each metric.
type runValues struct {
	cells  []table.Value // labels of the point, number of the replication, hash
	clock  string        // unit of times
	units  []string      // of the metrics
	values []table.Value // empty where the run lacks the metric
}

// valuesOf yields the finished runs with their values of metrics.
func valuesOf(r *experiments.Results, names []string) iter.Seq[runValues] {
	return func(yield func(runValues) bool) {
		unitsOf, picker := metrics.Units(names), metrics.NewPicker(names)
		for i := range r.Points {
			p := &r.Points[i]
			run := runValues{clock: p.Spec.ClockUnit(), units: unitsOf(&p.Spec),
				values: make([]table.Value, len(names))}
			for rep := range r.Runs[i] {
				run.cells = slices.Clip(append(table.Texts(p.Labels), table.Int(rep),
					table.Text(p.Hash)))
				for k := range names {
					run.values[k] = table.Value{}
					if x, ok := picker.Value(&r.Runs[i][rep], k); ok {
						run.values[k] = table.InUnit(x, run.units[k])
					}
				}
				if !yield(run) {
					return
				}
			}
		}
	}
}

// runRows returns the rows of runs.csv: one for each run and metric.
func runRows(r *experiments.Results) table.Rows {
	return func(write func(...table.Value) error) {
		names := r.Metrics()
		for run := range valuesOf(r, names) {
			for k, value := range run.values {
				if !value.Empty() {
					write(append(run.cells, table.Text(names[k]), table.Text(run.units[k]), value)...)
				}
			}
		}
	}
}

// wideRows returns the rows of wide.csv: one for each run, with a cell for each metric.
func wideRows(r *experiments.Results) table.Rows {
	return func(write func(...table.Value) error) {
		for run := range valuesOf(r, r.Metrics()) {
			write(append(append(run.cells, table.Text(run.clock)), run.values...)...)
		}
	}
}
