package export

import (
	"fmt"
	"strings"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// Selection chooses runs of a study.
type Selection struct {
	// At has the labels that the points must have, as KEY=LABEL. Other axes may have any label.
	At []string
	// Replication is the number of the replication, from 0.
	Replication int
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
		if !chosen[i] || s.Replication >= r.Replications(i) {
			continue
		}
		var title []string
		for n, key := range r.AxisKeys() {
			if len(r.Study.LabelsOf(r.Points, key)) > 1 {
				title = append(title, key+"="+p.Labels[n])
			}
		}
		title = append(title, fmt.Sprint("replication ", s.Replication))
		runs = append(runs, run{p, experiments.RunKey{Hash: p.Hash, Replication: s.Replication},
			strings.Join(title, ", ")})
	}
	if runs == nil {
		return nil, &input.Error{Where: fmt.Sprint("--replication ", s.Replication),
			Problem: "no such run is finished", Right: "give the number of a replication, from 0"}
	}
	return runs, nil
}
