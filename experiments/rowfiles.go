package experiments

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"contend/internal/input"
)

// JoinAll writes the CSV files of the tables.
func (f *Folder) JoinAll(t Tables, results *Results) error {
	var errs []error
	for _, of := range t.List() {
		errs = append(errs, f.Join(of.Name, results))
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
	for _, selected := range selections {
		of, kept := only(selected).List(), f.hasRows(results, selected)
		switch {
		case *selected(&t) && !kept:
			return t, removed, f.missingRows(of[0].Name)
		case *selected(&t) || !hasTable(f.Dir, of[0].Name):
			continue
		case kept:
			*selected(&t) = true
			continue
		}
		for _, of := range of {
			if err := f.Out.Remove(of.Name+".csv", of.Name+".parquet"); err != nil {
				return t, removed, err
			}
		}
		removed = append(removed, of[0].Name+".csv")
	}
	return t, removed, f.JoinAll(t, results)
}

// TablesIn returns the tables of which all runs of the results have kept their rows.
func (f *Folder) TablesIn(results *Results) (t Tables) {
	for _, selected := range selections {
		*selected(&t) = f.hasRows(results, selected)
	}
	return t
}

// only returns the tables of one choice.
func only(selected func(*Tables) *bool) (t Tables) {
	*selected(&t) = true
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
	x := only(selected).recordOptions()
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			if !f.holds(RunKey{p.Hash, rep}, x) {
				return false
			}
		}
	}
	return true
}
