package experiments

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/bounded"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/scheduler"
)

// Part is where one run's share of jobs.csv or links.csv is kept.
func (f *Folder) Part(kind string, key RunKey) string {
	return filepath.Join(f.Dir, kind+".d", fmt.Sprintf("%s-%04d.csv", key.Hash, key.Replication))
}

// writeJobs stores a run's jobs as rows, and as a log of what became of them.
func (f *Folder) writeJobs(key RunKey, x *cosim.Extra) error {
	path := f.Part("jobs", key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	comments := []string{"Version: 2.2", fmt.Sprintf("Note: simulated by contend, run %s, "+
		"replication %d", key.Hash, key.Replication)}
	if err := scheduler.CreateSWF(strings.TrimSuffix(path, ".csv")+".swf", comments,
		x.Lines); err != nil {
		return err
	}
	return f.WritePart("jobs", key, cosim.JobColumns(), x.JobRows)
}

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
	return spec.WriteFile(path, b.Bytes())
}

// Join writes jobs.csv or links.csv: the parts of all runs one after the
// other, behind columns that tell the runs apart.
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
			return err
		}
		lead := before
		if line == 0 {
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
