package experiments

import (
	"contend/internal/input"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tableFiles lists the files that a folder has of each table of rows. One of the first two says
// whether the folder has the table: tables of many rows may be Parquet alone.
var tableFiles = []struct {
	of    func(*Tables) *bool
	names []string
}{
	{func(t *Tables) *bool { return &t.Jobs }, []string{"jobs.csv", "jobs.parquet"}},
	{func(t *Tables) *bool { return &t.Links }, []string{"links.csv", "links.parquet"}},
	{func(t *Tables) *bool { return &t.Series }, []string{"series.csv", "series.parquet", "load.csv",
		"load.parquet"}},
	{func(t *Tables) *bool { return &t.Interference }, []string{"interference.csv",
		"interference.parquet", "critical-path.csv", "critical-path.parquet"}},
	{func(t *Tables) *bool { return &t.Lengths }, []string{"lengths.csv", "lengths.parquet"}},
}

// JoinAll writes the files of the tables.
func (f *Folder) JoinAll(t Tables, results *Results) error {
	var errs []error
	for _, file := range tableFiles {
		for _, name := range file.names {
			if kind, ok := strings.CutSuffix(name, ".csv"); ok && *file.of(&t) {
				errs = append(errs, f.Join(kind, results))
			}
		}
	}
	return errors.Join(errs...)
}

// JoinStanding is JoinAll of the tables that are asked for, and of those that the folder has from
// before and whose rows are there for all of the results too. A file of which rows are missing
// holds those of other runs: it is removed, and its name is among the removed.
func (f *Folder) JoinStanding(asked Tables, results *Results) (t Tables, removed []string,
	err error) {
	t = asked
	for _, file := range tableFiles {
		wanted, kept := file.of(&t), f.haveRows(results, file.of)
		switch {
		case *wanted && !kept:
			return t, removed, f.noRows(file.names[0])
		case *wanted || !hasTable(f.Dir, file.names):
			continue
		case kept:
			*wanted = true
			continue
		}
		for _, name := range file.names {
			if err := os.Remove(filepath.Join(f.Dir, name)); err != nil && !os.IsNotExist(err) {
				return t, removed, err
			}
		}
		removed = append(removed, file.names[0])
	}
	return t, removed, f.JoinAll(t, results)
}

// Kept returns the tables of which all runs of the results have kept their rows.
func (f *Folder) Kept(results *Results) (t Tables) {
	for _, file := range tableFiles {
		*file.of(&t) = f.haveRows(results, file.of)
	}
	return t
}

// hasTable reports whether a folder has a table of rows with these files.
func hasTable(dir string, names []string) bool {
	return slices.ContainsFunc(names[:2], func(name string) bool {
		return input.Exists(filepath.Join(dir, name))
	})
}

// noRows returns the error for a table of which some runs have not kept their rows.
func (f *Folder) noRows(file string) error {
	const text = "contend run %s -o %s with the same flag makes them anew"
	return &input.Error{Where: f.Dir, Problem: "some runs have kept no rows for " + file,
		Right: fmt.Sprintf(text, filepath.Join(f.Dir, "spec.toml"), f.Dir)}
}

// haveRows reports whether all finished runs of the results have kept the rows of a table.
func (f *Folder) haveRows(results *Results, of func(*Tables) *bool) bool {
	var t Tables
	*of(&t) = true
	x := t.extra()
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			if !f.has(RunKey{p.Hash, rep}, x) {
				return false
			}
		}
	}
	return true
}
