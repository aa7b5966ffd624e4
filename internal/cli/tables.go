package cli

import (
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"

	"github.com/spf13/pflag"
)

// tableFlags say which tables of rows a command writes.
type tableFlags struct{ jobs, links, series, waits, all bool }

func (f *tableFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.jobs, "jobs-csv", false, "write jobs.csv, one row per job with its nodes, and "+
		"the schedule of each run as a log in jobs.d")
	flags.BoolVar(&f.links, "links-csv", false, "write links.csv, one row per channel")
	flags.BoolVar(&f.series, "series-csv", false, "write series.csv, one row per bin of time, and "+
		"load.csv, one row per channel and coarser bin")
	flags.BoolVar(&f.waits, "waits-csv", false, "write waits.csv, one row per pair of jobs of which "+
		"one waited for the other")
	flags.BoolVar(&f.all, "record", false, "write all of these tables")
}

// wanted returns the tables that the flags ask for.
func (f *tableFlags) wanted() experiments.Tables {
	return experiments.Tables{Jobs: f.jobs || f.all, Links: f.links || f.all,
		Series: f.series || f.all, Waits: f.waits || f.all}
}

// addKept adds the tables that all of some folders have, if all runs of the results have kept
// their rows.
func (f *tableFlags) addKept(folder *experiments.Folder, results *experiments.Results,
	folders []string) {
	for _, table := range []struct {
		flag *bool
		file string
		x    cosim.Extra
	}{
		{&f.jobs, "jobs.csv", cosim.Extra{Records: metrics.Records{Jobs: true}}},
		{&f.links, "links.csv", cosim.Extra{Records: metrics.Records{Links: true}}},
		{&f.series, "series.csv", cosim.Extra{Records: metrics.Records{Series: true}}},
		{&f.waits, "waits.csv", cosim.Extra{Records: metrics.Records{Waits: true}}},
	} {
		missing := func(dir string) bool { return !spec.Exists(filepath.Join(dir, table.file)) }
		if len(folders) > 0 && !slices.ContainsFunc(folders, missing) &&
			folder.HaveRows(results, table.x) {
			*table.flag = true
		}
	}
}
