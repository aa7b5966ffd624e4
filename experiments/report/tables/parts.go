package tables

import (
	"io"
	"os"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"
)

// Part holds rows of a table that one run has stored in the folder.
type Part = experiments.Part

// ReadPart reads columns of a table of one run, all of them if none is named. It returns nil if the
// run has not stored the table.
func ReadPart(r *experiments.Results, kind string, key experiments.RunKey, columns ...string,
) (*Part, error) {
	return r.Folder.ReadPart(kind, key, columns...)
}

// jobsNotStored returns the error of a run that has kept no jobs.
func jobsNotStored(r *experiments.Results, of *run) error {
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
	text, err := r.Folder.ReadLogPart(runs[0].key)
	if os.IsNotExist(err) {
		return jobsNotStored(r, &runs[0])
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Selection chooses points of a study, of which the first replication counts.
type Selection struct {
	// At has the labels that the points must have, as KEY=LABEL. Other axes may have any label.
	At []string
}

// run is a selected run.
type run struct {
	point *study.Point
	key   experiments.RunKey
	title string // the labels that tell it from other points, and the replication
}

// runs returns the finished runs that are selected, in the order of the study. There is
// at least one.
func (s *Selection) runs(r *experiments.Results) ([]run, error) {
	chosen, err := r.Study.Chosen(r.Points, "--at", s.At)
	if err != nil {
		return nil, err
	}
	var runs []run
	for i := range r.Points {
		p := &r.Points[i]
		if !chosen[i] || r.Replications(i) == 0 {
			continue
		}
		var title []string
		for n, key := range r.AxisKeys() {
			if len(r.Study.LabelsOf(r.Points, key)) > 1 {
				title = append(title, key+"="+p.Labels[n])
			}
		}
		runs = append(runs, run{p, experiments.RunKey{Hash: p.Hash},
			strings.Join(append(title, "replication 0"), ", ")})
	}
	if runs == nil {
		return nil, &input.Error{Problem: "no run of the points chosen is finished",
			Right: "choose others with --at KEY=VALUE, or make them with contend run"}
	}
	return runs, nil
}
