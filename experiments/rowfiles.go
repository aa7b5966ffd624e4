package experiments

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
)

// JoinAll writes the files of the tables.
func (f *Folder) JoinAll(t Tables, results *Results) error {
	var errs []error
	for _, file := range []struct {
		kind   string
		wanted bool
	}{{"jobs", t.Jobs}, {"links", t.Links}, {"series", t.Series}, {"load", t.Series},
		{"waits", t.Waits}} {
		if file.wanted {
			errs = append(errs, f.Join(file.kind, results))
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
	for _, file := range []struct {
		wanted *bool
		x      metrics.Records
		names  []string
	}{
		{&t.Jobs, metrics.Records{Jobs: true}, []string{"jobs.csv", "jobs.parquet"}},
		{&t.Links, metrics.Records{Links: true}, []string{"links.csv"}},
		{&t.Series, metrics.Records{Series: true}, []string{"series.csv", "load.csv"}},
		{&t.Waits, metrics.Records{Waits: true}, []string{"waits.csv"}},
	} {
		kept := f.HaveRows(results, cosim.Extra{Records: file.x})
		switch {
		case *file.wanted && !kept:
			return t, removed, f.noRows(file.names[0])
		case *file.wanted || !spec.Exists(filepath.Join(f.Dir, file.names[0])):
			continue
		case kept:
			*file.wanted = true
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

func (f *Folder) noRows(file string) error {
	const text = "contend run %s -o %s with the same flag makes them anew"
	return &spec.InputError{Where: f.Dir, Problem: "some runs have kept no rows for " + file,
		Right: fmt.Sprintf(text, filepath.Join(f.Dir, "spec.toml"), f.Dir)}
}

// HaveRows reports whether all finished runs of the results have kept the rows of the tables for
// which an Extra asks.
func (f *Folder) HaveRows(results *Results, x cosim.Extra) bool {
	for i, p := range results.Points {
		for rep := range results.Replications(i) {
			if !f.has(RunKey{p.Hash, rep}, x) {
				return false
			}
		}
	}
	return true
}

// partKinds are the kinds of tables of which a run has parts.
var partKinds = []string{"jobs", "links", "series", "load", "waits", "sizes"}

// dropParts removes the parts of a run that the folder does not hold, but for the kinds that are
// about to be written. They are of a run that never became a line of runs.jsonl.
func (f *Folder) dropParts(key RunKey, x cosim.Extra) error {
	if _, ok := f.Records[key]; ok {
		return nil
	}
	written := map[string]bool{"jobs": x.Jobs, "links": x.Links, "series": x.Series, "load": x.Series,
		"waits": x.Waits, "sizes": x.Sizes}
	for _, kind := range partKinds {
		if written[kind] {
			continue
		}
		paths := []string{f.Part(kind, key)}
		if kind == "jobs" {
			paths = append(paths, f.SWF(key))
		}
		for _, path := range paths {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	return nil
}
