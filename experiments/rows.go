package experiments

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"

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

// Union returns the tables that t or u selects.
func (t Tables) Union(u Tables) Tables {
	return Tables{t.Jobs || u.Jobs, t.Links || u.Links, t.Series || u.Series, t.Interference ||
		u.Interference, t.Slowdowns || u.Slowdowns, t.Lengths || u.Lengths, t.Failures || u.Failures}
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

// PartPath returns the path of one run's part of a table of rows; rowTables lists the kinds.
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

// rowTable is a kind of table of rows, of which each run writes a file: its part.
type rowTable struct {
	kind    string
	wanted  func(*sim.Extra) bool // reports whether a run writes its part
	columns metrics.RowTable
	rows    func(*sim.Extra) [][]string // rows that a run recorded
}

// rowTables lists the kinds of tables of rows.
var rowTables = []rowTable{
	{"jobs", func(x *sim.Extra) bool { return x.Jobs }, metrics.JobTable,
		func(x *sim.Extra) [][]string { return x.JobRows }},
	{"links", func(x *sim.Extra) bool { return x.Links }, metrics.LinkTable,
		func(x *sim.Extra) [][]string { return x.LinkRows }},
	{"series", func(x *sim.Extra) bool { return x.Series }, metrics.SeriesTable,
		func(x *sim.Extra) [][]string { return x.SeriesRows }},
	{"load", func(x *sim.Extra) bool { return x.Series }, metrics.LoadTable,
		func(x *sim.Extra) [][]string { return x.LoadRows }},
	{"interference", func(x *sim.Extra) bool { return x.Interference }, metrics.InterferenceTable,
		func(x *sim.Extra) [][]string { return x.InterferenceRows }},
	{"critical-path", func(x *sim.Extra) bool { return x.Interference }, metrics.PathTable,
		func(x *sim.Extra) [][]string { return x.PathRows }},
	{"slowdowns", func(x *sim.Extra) bool { return x.Slowdowns }, metrics.SlowdownTable,
		func(x *sim.Extra) [][]string { return x.SlowdownRows }},
	{"lengths", func(x *sim.Extra) bool { return x.Lengths }, metrics.LengthTable,
		func(x *sim.Extra) [][]string { return x.LengthRows }},
	{"failures", func(x *sim.Extra) bool { return x.Failures }, metrics.FailureTable,
		func(x *sim.Extra) [][]string { return x.FailureRows }},
	{"killed-runs", func(x *sim.Extra) bool { return x.Failures }, metrics.KilledTable,
		func(x *sim.Extra) [][]string { return x.KilledRows }},
	{"sizes", func(x *sim.Extra) bool { return x.Sizes }, metrics.SizeTable,
		func(x *sim.Extra) [][]string { return x.SizeRows }},
}

// writeParts writes the parts of a run and, with its jobs, their log in SWF. It removes other parts
// of the same run.
func (f *Folder) writeParts(key RunKey, x *sim.Extra) error {
	if err := f.removeStaleParts(key, x); err != nil {
		return err
	}
	for i := range rowTables {
		p := &rowTables[i]
		if !p.wanted(x) {
			continue
		}
		if err := f.WritePart(p.kind, key, p.columns.Names(), p.rows(x)); err != nil {
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
	for _, p := range rowTables {
		if !p.wanted(x) {
			stale = append(stale, f.PartPath(p.kind, key))
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
func (f *Folder) WritePart(kind string, key RunKey, header []string, rows [][]string) error {
	text, err := encodePart(PartName(kind, key), header, rows)
	if err != nil {
		return err
	}
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

// partColumns returns the columns of the parts of a kind.
func partColumns(kind string) []string {
	i := slices.IndexFunc(rowTables, func(p rowTable) bool { return p.kind == kind })
	return rowTables[i].columns.Names()
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
			if !slices.Equal(cells, partColumns(kind)) {
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
	path := f.PartPath("sizes", RunKey{hash, 0})
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(NewPartReader(path, file)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil
	}
	sizes := map[int]metrics.Mean{}
	for _, row := range rows[1:] {
		processors, err := strconv.Atoi(row[0])
		jobs, err2 := strconv.Atoi(row[1])
		value, err3 := strconv.ParseFloat(row[2], 64)
		if err != nil || err2 != nil || err3 != nil {
			return nil
		}
		sizes[processors] = metrics.Mean{Sum: value * float64(jobs), N: jobs}
	}
	return sizes
}
