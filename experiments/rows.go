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

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
	"contend/scheduler"
)

// Tables says which tables of rows are written beside the metrics of runs.
type Tables struct {
	// Jobs asks for jobs.csv and Links for links.csv.
	Jobs, Links bool
	// Series asks for series.csv and load.csv, and Waits for waits.csv.
	Series, Waits bool
}

// or returns the tables that one of two asks for.
func (t Tables) or(u Tables) Tables {
	return Tables{t.Jobs || u.Jobs, t.Links || u.Links, t.Series || u.Series, t.Waits || u.Waits}
}

// Part returns the path of one run's part of a table of rows. The kinds are
// jobs, links, series, load, waits and sizes.
func (f *Folder) Part(kind string, key RunKey) string {
	return filepath.Join(f.Dir, kind+".d", fmt.Sprintf("%s-%04d.csv", key.Hash, key.Replication))
}

// SWF returns the path of the log of one run's jobs.
func (f *Folder) SWF(key RunKey) string {
	return strings.TrimSuffix(f.Part("jobs", key), ".csv") + ".swf"
}

// writeJobs stores a run's jobs as rows and as a log in SWF.
func (f *Folder) writeJobs(key RunKey, x *cosim.Extra) error {
	path := f.Part("jobs", key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	const note = "Note: simulated by contend, run %s, replication %d"
	comments := append([]string{"Version: 2.2", fmt.Sprintf(note, key.Hash, key.Replication)},
		x.Header...)
	if err := scheduler.CreateSWF(f.SWF(key), comments, x.Lines); err != nil {
		return err
	}
	return f.WritePart("jobs", key, cosim.JobColumns(), x.JobRows)
}

// writeSeries stores a run's time series and the loads of its channels over time.
func (f *Folder) writeSeries(key RunKey, x *cosim.Extra) error {
	if err := f.WritePart("series", key, cosim.SeriesColumns(), x.SeriesRows); err != nil {
		return err
	}
	return f.WritePart("load", key, cosim.LoadColumns(), x.LoadRows)
}

// WritePart stores one run's part of a table of rows.
func (f *Folder) WritePart(kind string, key RunKey, header []string, rows [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
		return err
	}
	path := f.Part(kind, key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return input.WriteFile(path, b.Bytes())
}

// Join writes jobs.csv, links.csv, series.csv or load.csv. It writes the parts of all
// runs one after the other and puts the axes and the replication in front of each row.
func (f *Folder) Join(kind string, results *Results) error {
	return spec.WriteFileWith(filepath.Join(f.Dir, kind+".csv"), func(w io.Writer) error {
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

// ColumnsOf returns the columns of a run's part of a table of rows.
func ColumnsOf(kind string) []string {
	return map[string]func() []string{"jobs": cosim.JobColumns, "links": cosim.LinkColumns,
		"series": cosim.SeriesColumns, "load": cosim.LoadColumns, "waits": cosim.WaitColumns,
		"sizes": cosim.SizeColumns}[kind]()
}

// joinPart copies one part. Only the first part brings the header.
func (f *Folder) joinPart(out *csv.Writer, kind string, p Point, rep int, results *Results,
	first bool) error {
	path := f.Part(kind, RunKey{p.Hash, rep})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return err
	}
	defer file.Close()
	in := csv.NewReader(NewRowReader(path, file))
	in.ReuseRecord = true
	before := append(slices.Clone(p.Labels), fmt.Sprint(rep))
	for line := 0; ; line++ {
		cells, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &spec.InputError{Where: path, Problem: err.Error(),
				Right: "remove the file: contend run makes it again"}
		}
		lead := before
		if line == 0 {
			if !slices.Equal(cells, ColumnsOf(kind)) {
				return &spec.InputError{Where: path, Problem: "its columns are not those of this program",
					Right: "make the runs anew with --fresh"}
			}
			if !first {
				continue
			}
			lead = append(results.AxisKeys(), "replication")
		}
		if err := out.Write(append(slices.Clone(lead), cells...)); err != nil {
			return err
		}
	}
}

// SizesOf reads the table of job sizes of a point's first replication: the mean
// pairwise distance by number of processors. It returns nil if there is no
// readable table.
func (f *Folder) SizesOf(hash string) map[int]cosim.Mean {
	path := f.Part("sizes", RunKey{hash, 0})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(NewRowReader(path, file)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil
	}
	sizes := map[int]cosim.Mean{}
	for _, row := range rows[1:] {
		processors, err := strconv.Atoi(row[0])
		jobs, err2 := strconv.Atoi(row[1])
		value, err3 := strconv.ParseFloat(row[2], 64)
		if err != nil || err2 != nil || err3 != nil {
			return nil
		}
		sizes[processors] = cosim.Mean{Sum: value * float64(jobs), N: jobs}
	}
	return sizes
}
