package export

import (
	"encoding/csv"
	"io"
	"os"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
)

// part holds the rows that a run has left in the folder, with their columns.
type part struct {
	columns []string
	rows    [][]string
}

// readPart reads a table of one run. ok is false if the run has not kept the table.
func readPart(r *experiments.Results, kind string, key experiments.RunKey) (p part, ok bool,
	err error) {
	path := r.Folder.Part(kind, key)
	file, err := bounded.Open(path, bounded.Rows)
	if os.IsNotExist(err) {
		return p, false, nil
	}
	if err != nil {
		return p, false, err
	}
	defer file.Close()
	rows, err := csv.NewReader(experiments.NewRowReader(path, file)).ReadAll()
	if err != nil {
		return p, false, &input.Error{Where: path, Problem: err.Error(),
			Right: "move the file away, and contend run makes it again"}
	}
	if len(rows) == 0 {
		return p, false, nil
	}
	return part{rows[0], rows[1:]}, true, nil
}

// withoutJobs is the error for a run that has kept no jobs.
func withoutJobs(r *experiments.Results, of *run) error {
	return &input.Error{Where: r.Folder.Dir,
		Problem: "the jobs of the run " + of.title + " are not stored",
		Right:   "run the study with --jobs-csv into the same folder"}
}

// WriteSWF writes the schedule of one run as a log in the Standard Workload Format, as the
// run has left it in the folder.
func WriteSWF(r *experiments.Results, s Selection, w io.Writer) error {
	runs, err := s.runs(r)
	if err != nil {
		return err
	}
	if len(runs) > 1 {
		return &input.Error{Where: "--format swf",
			Problem: "a log holds one run; " + runs[0].title + " and " + runs[1].title + " are two",
			Right:   "choose a point with --at KEY=VALUE"}
	}
	path := r.Folder.SWF(runs[0].key)
	file, err := bounded.Open(path, bounded.Log)
	if os.IsNotExist(err) {
		return withoutJobs(r, &runs[0])
	}
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(w, file)
	return err
}
