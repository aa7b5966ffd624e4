package experiments

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"contend/internal/input"
)

// tableKinds lists the kinds of rowTables that each field of Tables selects. A folder has the table
// if it has a file of the first kind; tables of many rows may be Parquet alone.
var tableKinds = []struct {
	selected func(*Tables) *bool
	kinds    []string
}{
	{func(t *Tables) *bool { return &t.Jobs }, []string{"jobs"}},
	{func(t *Tables) *bool { return &t.Links }, []string{"links"}},
	{func(t *Tables) *bool { return &t.Series }, []string{"series", "load"}},
	{func(t *Tables) *bool { return &t.Interference }, []string{"interference", "critical-path"}},
	{func(t *Tables) *bool { return &t.Slowdowns }, []string{"slowdowns"}},
	{func(t *Tables) *bool { return &t.Lengths }, []string{"lengths"}},
	{func(t *Tables) *bool { return &t.Failures }, []string{"failures", "killed-runs"}},
}

// JoinAll writes the CSV files of the tables.
func (f *Folder) JoinAll(t Tables, results *Results) error {
	var errs []error
	for _, table := range tableKinds {
		for _, kind := range table.kinds {
			if *table.selected(&t) {
				errs = append(errs, f.Join(kind, results))
			}
		}
	}
	return errors.Join(errs...)
}

// JoinKept is JoinAll of the asked tables, of those that the study's keys choose and of those that
// the folder already has, if all runs of the results have kept their rows. A table that lacks rows
// holds other runs: its files are removed, and the name of the first is returned.
func (f *Folder) JoinKept(asked Tables, results *Results) (t Tables, removed []string,
	err error) {
	t = asked
	t.Series = t.Series || results.Study.ChoosesPairs()
	for _, table := range tableKinds {
		selected, kept := table.selected(&t), f.hasRows(results, table.selected)
		switch {
		case *selected && !kept:
			return t, removed, f.missingRows(table.kinds[0])
		case *selected || !hasTable(f.Dir, table.kinds[0]):
			continue
		case kept:
			*selected = true
			continue
		}
		for _, kind := range table.kinds {
			if err := f.Out.Remove(kind+".csv", kind+".parquet"); err != nil {
				return t, removed, err
			}
		}
		removed = append(removed, table.kinds[0]+".csv")
	}
	return t, removed, f.JoinAll(t, results)
}

// TablesIn returns the tables of which all runs of the results have kept their rows.
func (f *Folder) TablesIn(results *Results) (t Tables) {
	for _, table := range tableKinds {
		*table.selected(&t) = f.hasRows(results, table.selected)
	}
	return t
}

// tablePaths returns the paths of the table of a kind in a folder: CSV and Parquet.
func tablePaths(dir, kind string) []string {
	return []string{filepath.Join(dir, kind+".csv"), filepath.Join(dir, kind+".parquet")}
}

// hasTable reports whether a folder has the table of a kind.
func hasTable(dir, kind string) bool {
	return slices.ContainsFunc(tablePaths(dir, kind), input.Exists)
}

// missingRows returns the error for a table of which some runs have no part.
func (f *Folder) missingRows(kind string) error {
	const text = "contend run %s -o %s with the same flag makes them anew"
	return &input.Error{Where: f.Dir, Problem: "some runs have kept no rows for " + kind + ".csv",
		Right: fmt.Sprintf(text, filepath.Join(f.Dir, "spec.toml"), f.Dir)}
}

// hasRows reports whether all finished runs of the results have kept their parts of a table.
func (f *Folder) hasRows(results *Results, selected func(*Tables) *bool) bool {
	var t Tables
	*selected(&t) = true
	x := t.recordOptions()
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			if !f.holds(RunKey{p.Hash, rep}, x) {
				return false
			}
		}
	}
	return true
}
