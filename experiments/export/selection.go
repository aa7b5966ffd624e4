package export

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// Selection chooses runs of a study.
type Selection struct {
	// At holds the labels that the points must have, by the key of the axis. Other axes
	// may have any label.
	At map[string]string
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
	keys := r.AxisKeys()
	for _, key := range input.SortedKeys(s.At) {
		if !slices.Contains(keys, key) {
			return nil, &input.Error{Where: "--at " + key + "=" + s.At[key],
				Problem: key + " is no axis of the study " + r.Study.Name,
				Right:   "give one of " + strings.Join(keys, ", ")}
		}
		if labels := labelsOf(r, key); !slices.Contains(labels, s.At[key]) {
			return nil, &input.Error{Where: "--at " + key + "=" + s.At[key],
				Problem: "the axis has no such value", Right: "give one of " + strings.Join(labels, ", ")}
		}
	}
	var runs []run
	for i := range r.Points {
		p := &r.Points[i]
		chosen := s.Replication < r.Replications(i)
		var title []string
		for n, key := range keys {
			want, given := s.At[key]
			chosen = chosen && (!given || want == p.Labels[n])
			if len(labelsOf(r, key)) > 1 {
				title = append(title, key+"="+p.Labels[n])
			}
		}
		if chosen {
			title = append(title, fmt.Sprint("replication ", s.Replication))
			runs = append(runs, run{p, experiments.RunKey{Hash: p.Hash, Replication: s.Replication},
				strings.Join(title, ", ")})
		}
	}
	if runs == nil {
		return nil, &input.Error{Where: fmt.Sprint("--replication ", s.Replication),
			Problem: "no such run is finished", Right: "give the number of a replication, from 0"}
	}
	return runs, nil
}

// labelsOf lists the labels of an axis, each once.
func labelsOf(r *experiments.Results, key string) []string {
	axis := slices.Index(r.AxisKeys(), key)
	var labels []string
	for i := range r.Points {
		if label := r.Points[i].Labels[axis]; !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}
