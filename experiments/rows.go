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

// Tables says which tables of rows are written beside the metrics of runs.
type Tables struct {
	// Jobs asks for jobs.csv and Links for links.csv.
	Jobs, Links bool
	// Series asks for series.csv and load.csv, and Interference for interference.csv and
	// critical-path.csv.
	Series, Interference bool
	// Lengths asks for lengths.csv.
	Lengths bool
}

// Or returns the tables that one of two asks for.
func (t Tables) Or(u Tables) Tables {
	return Tables{t.Jobs || u.Jobs, t.Links || u.Links, t.Series || u.Series, t.Interference ||
		u.Interference, t.Lengths || u.Lengths}
}

// figureNeeds returns the tables of rows that a figure is drawn from.
func figureNeeds(f *study.Figure) Tables {
	switch f.Kind {
	case "scatter", study.MapKind, study.GanttKind, study.ECDFKind, study.BoxKind,
		study.CoverageKind:
		return Tables{Jobs: true}
	case study.ChannelLoadKind:
		return Tables{Links: !f.Timed(), Series: f.Timed()}
	case study.SeriesKind:
		return Tables{Series: true}
	case study.InterferenceKind, study.PairsKind, study.WaitChannelsKind:
		return Tables{Interference: true}
	}
	return Tables{}
}

// Records returns what the runs of a study record if some tables are asked for: those that its
// figures and rules read too.
func (t Tables) Records(st *study.Study) metrics.Records {
	return t.Or(needsOf(st)).extra().Records
}

// needsOf returns the tables of rows that figures and rules of a study read.
func needsOf(st *study.Study) Tables {
	var all Tables
	for i := range st.Figures {
		all = all.Or(figureNeeds(&st.Figures[i]))
	}
	for i := range st.Tolerances {
		all.Jobs = all.Jobs || st.Tolerances[i].Rule == study.JobCoverageRule
	}
	return all
}

// extra returns the tables as what a run records beside its metrics.
func (t Tables) extra() sim.Extra {
	return sim.Extra{Records: metrics.Records{Jobs: t.Jobs, Links: t.Links, Series: t.Series,
		Interference: t.Interference, Lengths: t.Lengths}}
}

// Part returns the path of one run's part of a table of rows. The kinds are
// jobs, links, series, load, interference, critical-path, lengths and sizes.
func (f *Folder) Part(kind string, key RunKey) string {
	return filepath.Join(f.Dir, kind+".d", fmt.Sprintf("%s-%04d.csv", key.Hash, key.Replication))
}

// SWF returns the path of the log of one run's jobs.
func (f *Folder) SWF(key RunKey) string {
	return strings.TrimSuffix(f.Part("jobs", key), ".csv") + ".swf"
}

// part is a kind of table of rows of which each run writes a part of its own.
type part struct {
	kind    string
	asked   func(*sim.Extra) bool // whether a run writes it
	columns metrics.RowTable
	rows    func(*sim.Extra) [][]string
}

// parts lists the kinds of tables of rows.
var parts = []part{
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
	{"lengths", func(x *sim.Extra) bool { return x.Lengths }, metrics.LengthTable,
		func(x *sim.Extra) [][]string { return x.LengthRows }},
	{"sizes", func(x *sim.Extra) bool { return x.Sizes }, metrics.SizeTable,
		func(x *sim.Extra) [][]string { return x.SizeRows }},
}

// writeParts stores the rows of a run, and its jobs as a log in SWF too.
func (f *Folder) writeParts(key RunKey, x *sim.Extra) error {
	for i := range parts {
		p := &parts[i]
		if !p.asked(x) {
			continue
		}
		if err := f.WritePart(p.kind, key, p.columns.Names(), p.rows(x)); err != nil {
			return err
		}
	}
	if !x.Jobs {
		return nil
	}
	const note = "Note: simulated by contend, run %s, replication %d"
	comments := append([]string{"Version: 2.2", fmt.Sprintf(note, key.Hash, key.Replication)},
		x.Header...)
	var log bytes.Buffer
	if err := scheduler.WriteSWF(&log, comments, x.Lines); err != nil {
		return err
	}
	return input.WriteFile(f.SWF(key), withSWFSum(log.Bytes()))
}

// dropParts removes the parts of a run that the folder does not hold, but for the kinds that are
// about to be written. They are of a run that never became a line of runs.jsonl.
func (f *Folder) dropParts(key RunKey, x *sim.Extra) error {
	if _, ok := f.Records[key]; ok {
		return nil
	}
	for _, p := range parts {
		if p.asked(x) {
			continue
		}
		paths := []string{f.Part(p.kind, key)}
		if p.kind == "jobs" {
			paths = append(paths, f.SWF(key))
		}
		for _, path := range paths {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	return nil
}

// WritePart stores one run's part of a table of rows.
func (f *Folder) WritePart(kind string, key RunKey, header []string, rows [][]string) error {
	text, err := partText(header, rows)
	if err != nil {
		return err
	}
	path := f.Part(kind, key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return input.WriteFile(path, text)
}

// RunColumns returns the columns behind the axes that name the run of a row in a table. Only jobs,
// whose rows are long, have its hash too.
func RunColumns(kind string) []string {
	if kind == "jobs" {
		return []string{"replication", "hash"}
	}
	return []string{"replication"}
}

// Join writes jobs.csv, links.csv, series.csv or load.csv. It writes the parts of all
// runs one after the other and puts the axes and the replication in front of each row.
func (f *Folder) Join(kind string, results *Results) error {
	return input.WriteFileWith(filepath.Join(f.Dir, kind+".csv"), func(w io.Writer) error {
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

// columnsOf returns the columns of a run's part of a table of rows.
func columnsOf(kind string) []string {
	return parts[slices.IndexFunc(parts, func(p part) bool { return p.kind == kind })].columns.Names()
}

// joinPart copies one part. Only the first part brings the header.
func (f *Folder) joinPart(out *csv.Writer, kind string, p study.Point, rep int, results *Results,
	first bool) error {
	path := f.Part(kind, RunKey{p.Hash, rep})
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
			if !slices.Equal(cells, columnsOf(kind)) {
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

// SizesOf reads the table of job sizes of a point's first replication: the mean
// pairwise distance by number of processors. It returns nil if there is no
// readable table.
func (f *Folder) SizesOf(hash string) map[int]metrics.Mean {
	path := f.Part("sizes", RunKey{hash, 0})
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
