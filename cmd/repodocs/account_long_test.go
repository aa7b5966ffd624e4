//go:build long

package main

import (
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/experiments/study"
)

// What is built in and was not run stands in the table all the same.
func TestLongBuiltinStudiesThatWereNotRunAreCounted(t *testing.T) {
	names := config.BuiltinNames()
	st, err := study.Load("johnson-fig15", names)
	if err != nil {
		t.Fatal(err)
	}
	r, err := (&experiments.Folder{Records: map[experiments.RunKey]experiments.Record{}}).Results(
		st, names)
	if err != nil {
		t.Fatal(err)
	}
	list := append(notRun([]validationFolder{{"johnson-fig15", r}}, names), validationFolder{"johnson-fig15", r})
	total := account{}
	for _, f := range list {
		a := accountOf(f.Results, names, nil)
		total.join(&a)
		if a.paper == "Johnson et al. 2010, Fig. 15" && a.printed != 13 {
			t.Errorf("Fig. 15 has %d numbers, not the 13 it prints", a.printed)
		}
	}
	// Tables 1 and 2 of Lo et al. 32 and 140; Leung et al. 6; Johnson et al. 30, 20, 13,
	// 10, 6; Bender et al. 20, 16.
	if total.printed != 293 || total.run != 0 {
		t.Errorf("%d printed numbers, %d run; want 293 and none", total.printed, total.run)
	}
	withFigures := 0
	for _, name := range studies.Names() {
		if st, err := study.Load(name, names); err == nil &&
			PrintsNumbers(&st.Published) {
			withFigures++
		}
	}
	if len(list) != withFigures {
		t.Errorf("%d studies are in the table, of %d with printed numbers", len(list), withFigures)
	}
}
