package experiments

import (
	"testing"

	"contend/experiments/spec"
	"contend/experiments/study"
)

// Every figure of BookSim 2 meets a point of the study, and every judged cell has
// one.
func TestBookSimStudyHasAllPoints(t *testing.T) {
	st, err := study.Load("booksim", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	points, err := st.Points(spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	rows := st.Published.MustRows()
	for _, r := range rows {
		n := 0
		for i := range points {
			if study.Matches(&points[i], r.Where, spec.BuiltinNames()) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the row %v meets %d points", r.Where, n)
		}
	}
	if len(rows) != 32 || len(st.Tolerances) != 21 {
		t.Errorf("%d rows and %d rules, want 32 and 21", len(rows), len(st.Tolerances))
	}
	for _, rule := range st.Tolerances {
		if loads, ok := rule.Where["workload.traffic_load"].([]any); ok {
			n := 0
			for i := range points {
				if study.Matches(&points[i], rule.Where, spec.BuiltinNames()) &&
					study.PublishedAt(rows, &points[i], spec.BuiltinNames()) != nil {
					n++
				}
			}
			if n != len(loads) {
				t.Errorf("%v: %d of %d loads have a figure", rule.Where, n, len(loads))
			}
		}
	}
}
