package experiments

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/table"
	"contend/scheduler"
)

// Tables selects the tables of rows that are written beside the metrics of runs.
type Tables struct {
	Jobs         bool // jobs.csv
	Links        bool // links.csv
	Series       bool // series.csv and load.csv
	Interference bool // interference.csv and critical-path.csv
	Slowdowns    bool // slowdowns.csv
	Lengths      bool // lengths.csv
	Failures     bool // failures.csv and killed-runs.csv
}

// selections are the choices of Tables.
var selections = []func(*Tables) *bool{
	func(t *Tables) *bool { return &t.Jobs },
	func(t *Tables) *bool { return &t.Links },
	func(t *Tables) *bool { return &t.Series },
	func(t *Tables) *bool { return &t.Interference },
	func(t *Tables) *bool { return &t.Slowdowns },
	func(t *Tables) *bool { return &t.Lengths },
	func(t *Tables) *bool { return &t.Failures },
}

// Union returns the tables that t or u selects.
func (t Tables) Union(u Tables) Tables {
	for _, selected := range selections {
		*selected(&t) = *selected(&t) || *selected(&u)
	}
	return t
}

// List returns the selected tables.
func (t Tables) List() (list []*metrics.RowTable) {
	x := t.recordOptions()
	for _, of := range metrics.RowTables {
		if of.Wanted(&x.Records) {
			list = append(list, of)
		}
	}
	return list
}

// tablesOfFigure returns the tables of rows from which a figure is drawn.
func tablesOfFigure(f *study.Figure) Tables {
	reads := func(table string) bool { return slices.Contains(f.Tables(), table) }
	return Tables{Jobs: reads("jobs"), Links: reads("links"), Series: reads("series") || reads("load"),
		Interference: reads("interference"), Slowdowns: reads("slowdowns")}
}

// Records returns the records that the runs of a study make for the tables t and for those that
// its figures and rules read.
func (t Tables) Records(st *study.Study) metrics.Records {
	return t.Union(tablesOfStudy(st)).recordOptions().Records
}

// tablesOfStudy returns the tables of rows that the figures and rules of a study read, and that its
// keys choose.
func tablesOfStudy(st *study.Study) Tables {
	var all Tables
	for i := range st.Figures {
		all = all.Union(tablesOfFigure(&st.Figures[i]))
	}
	for i := range st.Tolerances {
		all.Jobs = all.Jobs || st.Tolerances[i].Rule == study.JobCoverageRule
	}
	all.Series = all.Series || st.ChoosesPairs()
	return all
}

// recordOptions returns the options by which a run records the rows of the tables.
func (t Tables) recordOptions() sim.Extra {
	return sim.Extra{Records: metrics.Records{Jobs: t.Jobs, Links: t.Links, Series: t.Series,
		Interference: t.Interference, Slowdowns: t.Slowdowns, Lengths: t.Lengths,
		Failures: t.Failures}}
}

// PartPath returns the path of one run's part of a table of rows; metrics.RowTables has the kinds.
func (f *Folder) PartPath(kind string, key RunKey) string {
	return filepath.Join(f.Dir, filepath.FromSlash(PartName(kind, key))+".csv")
}

// PartName returns the name in a folder of one run's part of a table of rows, without its ending.
func PartName(kind string, key RunKey) string {
	return fmt.Sprintf("%s.d/%s-%04d", kind, key.Hash, key.Replication)
}

// LogPath returns the path of the log in SWF of one run's jobs.
func (f *Folder) LogPath(key RunKey) string {
	return strings.TrimSuffix(f.PartPath("jobs", key), ".csv") + ".swf"
}

// writeParts writes the parts of a run and, with its jobs, their log in SWF. It removes other parts
// of the same run.
func (f *Folder) writeParts(key RunKey, x *sim.Extra) error {
	if err := f.removeStaleParts(key, x); err != nil {
		return err
	}
	for _, of := range metrics.RowTables {
		if !of.Wanted(&x.Records) {
			continue
		}
		if err := f.WritePart(of.Name, key, of.Names(), of.Rows(&x.Records)); err != nil {
			return err
		}
	}
	if !x.Jobs {
		return nil
	}
	comments := append([]string{"Version: 2.2", runNote(PartName("jobs", key))}, x.Header...)
	var log bytes.Buffer
	if err := scheduler.WriteSWF(&log, comments, x.Lines); err != nil {
		return err
	}
	return replacePart(f.LogPath(key), appendChecksum(log.Bytes()))
}

// removeStaleParts removes the parts of a run that the folder does not hold, except for the kinds
// that are about to be written. An earlier run that ended before its line was stored left them.
func (f *Folder) removeStaleParts(key RunKey, x *sim.Extra) error {
	if _, ok := f.Records[key]; ok {
		return nil
	}
	var stale []string
	for _, of := range metrics.RowTables {
		if !of.Wanted(&x.Records) {
			stale = append(stale, f.PartPath(of.Name, key))
		}
	}
	if !x.Jobs {
		stale = append(stale, f.LogPath(key))
	}
	return removeFiles(stale...)
}

// removeFiles removes the files that exist.
func removeFiles(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// WritePart writes one run's part of a table of rows.
func (f *Folder) WritePart(kind string, key RunKey, header []string, rows table.Rows) error {
	text := encodePart(PartName(kind, key), header, rows)
	path := f.PartPath(kind, key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return replacePart(path, text)
}

// RunColumns returns the columns that name the run of a row; they follow the axes. Only the table
// of jobs, whose rows are long, has the hash.
func RunColumns(kind string) []string {
	if kind == "jobs" {
		return []string{"replication", "hash"}
	}
	return []string{"replication"}
}

// Join writes the table of one kind from the parts of all runs in order, with the axes and the run
// in front of each row.
func (f *Folder) Join(kind string, results *Results) error {
	return f.Out.Write(kind+".csv", func(w io.Writer) error {
		out, first := csv.NewWriter(w), true
		for i, p := range results.Points {
			for rep := range results.Replications(i) {
				if err := f.joinPart(out, kind, p, rep, results, first); err != nil {
					return err
				}
				first = false
			}
		}
		out.Flush()
		return out.Error()
	})
}

// joinPart copies the rows of one part, and its header if it is the first.
func (f *Folder) joinPart(out *csv.Writer, kind string, p study.Point, rep int, results *Results,
	first bool) error {
	path := f.PartPath(kind, RunKey{p.Hash, rep})
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(NewPartReader(path, file))
	in.ReuseRecord = true
	before := append(slices.Clone(p.Labels), []string{fmt.Sprint(rep),
		p.Hash}[:len(RunColumns(kind))]...)
	for line := 0; ; line++ {
		cells, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return PartError(path, err)
		}
		lead := before
		if line == 0 {
			if !slices.Equal(cells, metrics.TableOf(kind).Names()) {
				return &input.Error{Where: path, Problem: "its columns are not those of this program",
					Right: "make the runs anew with --fresh"}
			}
			if !first {
				continue
			}
			lead = append(results.AxisKeys(), RunColumns(kind)...)
		}
		if err := out.Write(append(slices.Clone(lead), cells...)); err != nil {
			return err
		}
	}
}

// SizesOf returns the mean pairwise distance by number of processors from the part "sizes" of a
// point's first replication, nil if that cannot be read.
func (f *Folder) SizesOf(hash string) map[int]metrics.Mean {
	part, err := f.ReadPart("sizes", RunKey{hash, 0})
	if err != nil || part == nil || len(part.Rows) == 0 {
		return nil
	}
	sizes := map[int]metrics.Mean{}
	for i := range part.Rows {
		jobs := part.Number(i, "jobs")
		sizes[int(part.Number(i, "processors"))] = metrics.Mean{
			Sum: part.Number(i, "sum_pairwise_distance") * jobs, N: int(jobs)}
	}
	return sizes
}

// JoinAll writes the CSV files of the tables.
func (f *Folder) JoinAll(t Tables, results *Results) error {
	var errs []error
	for _, of := range t.List() {
		errs = append(errs, f.Join(of.Name, results))
	}
	return errors.Join(errs...)
}

// JoinKept is JoinAll of the asked tables, of those that the study's keys choose and of those that
// the folder already has, if all runs of the results have kept their rows. A table that lacks rows
// holds other runs: its files are removed, and the name of the first is returned.
func (f *Folder) JoinKept(asked Tables, results *Results) (t Tables, removed []string,
	err error) {
	t = asked
	t.Series = t.Series || results.Study.ChoosesPairs()
	for _, selected := range selections {
		of, kept := only(selected).List(), f.hasRows(results, selected)
		switch {
		case *selected(&t) && !kept:
			return t, removed, f.missingRows(of[0].Name)
		case *selected(&t) || !hasTable(f.Dir, of[0].Name):
			continue
		case kept:
			*selected(&t) = true
			continue
		}
		for _, of := range of {
			if err := f.Out.Remove(of.Name+".csv", of.Name+".parquet"); err != nil {
				return t, removed, err
			}
		}
		removed = append(removed, of[0].Name+".csv")
	}
	return t, removed, f.JoinAll(t, results)
}

// TablesIn returns the tables of which all runs of the results have kept their rows.
func (f *Folder) TablesIn(results *Results) (t Tables) {
	for _, selected := range selections {
		*selected(&t) = f.hasRows(results, selected)
	}
	return t
}

// only returns the tables of one choice.
func only(selected func(*Tables) *bool) (t Tables) {
	*selected(&t) = true
	return t
}

// tablePaths returns the paths of the table of a kind in a folder: CSV and Parquet.
func tablePaths(dir, kind string) []string {
	return []string{filepath.Join(dir, kind+".csv"), filepath.Join(dir, kind+".parquet")}
}

// hasTable reports whether a folder has the table of a kind.
func hasTable(dir, kind string) bool {
	return slices.ContainsFunc(tablePaths(dir, kind), input.Exists)
}

// missingRows returns the error for a table of which some runs have no part.
func (f *Folder) missingRows(kind string) error {
	const text = "contend run %s -o %s with the same flag makes them anew"
	return &input.Error{Where: f.Dir, Problem: "some runs have kept no rows for " + kind + ".csv",
		Right: fmt.Sprintf(text, filepath.Join(f.Dir, "spec.toml"), f.Dir)}
}

// hasRows reports whether all finished runs of the results have kept their parts of a table.
func (f *Folder) hasRows(results *Results, selected func(*Tables) *bool) bool {
	x := only(selected).recordOptions()
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			if !f.holds(RunKey{p.Hash, rep}, x) {
				return false
			}
		}
	}
	return true
}
