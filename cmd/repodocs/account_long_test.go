//go:build long

package main

import (
	"testing"

	"contend/experiments"
	"contend/experiments/claims"
	"contend/experiments/config"
	"contend/experiments/study"
)

// The front page counts built-in studies that were not run.
func TestLongBuiltinStudiesThatWereNotRunAreCounted(t *testing.T) {
	names := config.Builtin()
	st, err := study.Load("johnson-fig15", names)
	if err != nil {
		t.Fatal(err)
	}
	r, err := (&experiments.Folder{Records: map[experiments.RunKey]experiments.Record{}}).Results(
		st, names)
	if err != nil {
		t.Fatal(err)
	}
	c := &Repository{Judge: claims.Judge{Names: names, Load: func(name string) *study.Study {
		st, err := study.Load(name, names)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}}}
	given := validationFolder{"johnson-fig15", r}
	var accounts []account
	list := append(c.notRun([]validationFolder{given}), given)
	for _, f := range list {
		a := accountOf(f, nil)
		accounts = append(accounts, a)
		if f.Name == "johnson-fig15" && len(a.numbers) != 13 {
			t.Errorf("Fig. 15 has %d numbers, not the 13 it prints", len(a.numbers))
		}
	}
	// Tables 1 and 2 of Lo et al. 32 and 140; Leung et al. 6; Johnson et al. 30, 20, 13,
	// 10, 6; Bender et al. 20, 16. Texts about figures: Lo et al. 10, Johnson et al. 17.
	total := tallyOf(accounts...)
	if total.printed() != 320 || total.run() != 0 {
		t.Errorf("%d printed numbers, %d run; want 320 and none", total.printed(), total.run())
	}
	if len(list) != 14 { // two of Leung et al. have claims in words only
		t.Errorf("%d studies have printed numbers or claims, not 14", len(list))
	}
}
