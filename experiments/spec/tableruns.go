package spec

import (
	"slices"
	"strings"

	"contend/allocation"
)

// runsKeys are the keys of [runs] that belong to a run.
var runsKeys = []Key{
	{
		Path:    "runs.count_ties",
		of:      func(s *Spec) any { return &s.CountTies },
		Default: "false",
		Doc: "count the decisions in which several different sets of processors had the best " +
			"score, which takes time: metrics decisions_tied, ties_percent and ties_mean, of " +
			"mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc",
		Source: "johnson2010 Fig. 4",
		when: []condition{queued, {
			words: "an allocator that counts ties: " + strings.Join(allocation.TieCounters(), ", "),
			Holds: func(s *Spec) bool {
				return slices.Contains(allocation.TieCounters(), s.Allocator.Name)
			},
			is: func(s *Spec) string { return "the allocator is " + s.Allocator.Name },
		}},
	},
	{
		Path:    "runs.seed",
		of:      func(s *Spec) any { return &s.Seed },
		Default: "1",
		Doc: "seed of every random stream of the run, with the point, the replication and the " +
			"stream's name",
		when: []condition{{
			words: "runs in which something is drawn at random",
			Holds: func(s *Spec) bool { return len(s.Draws()) > 0 },
			is: func(*Spec) string {
				return "nothing is (workload.shake would move submissions)"
			},
		}},
	},
	{
		Path:    "runs.measures",
		of:      func(s *Spec) any { return &s.Measures },
		Default: `"mean"`,
		Choices: measuresNames,
		Doc: "of how compact allocations are: means over jobs, or also means weighted by run " +
			"times and maxima, as NAME_weighted and NAME_max",
		Source: "leung2002 sec. 3",
		when:   []condition{jobs},
	},
}
