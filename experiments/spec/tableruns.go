package spec

import (
	"slices"
	"strings"

	"contend/allocation/byname"
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
			words: "an allocator that counts ties: " + strings.Join(byname.TieCounters(), ", "),
			Holds: func(s *Spec) bool {
				return slices.Contains(byname.TieCounters(), s.Allocator.Name)
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
	{
		Path:    "runs.warmup_jobs",
		of:      func(s *Spec) any { return &s.WarmupJobs },
		Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		Doc: "so many of the first jobs submitted count in no metric of jobs: they find a " +
			"machine that is emptier than later ones do. finish_time, makespan, utilization, " +
			"service_load, submitted_load, offered_load, jobs, internal_fragmentation and the " +
			"metrics of packets, channels and decisions are of the whole run; measured_utilization is not",
		Source: "Law, Simulation Modeling and Analysis, sec. 9.5.1",
		when:   []condition{queued},
	},
	{
		Path:    "runs.cooldown_jobs",
		of:      func(s *Spec) any { return &s.CooldownJobs },
		Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		Doc:  "the same for so many of the last jobs submitted, behind which no more jobs arrive",
		when: []condition{queued},
	},
	{
		Path:    "runs.size_classes",
		of:      func(s *Spec) any { return &s.SizeClasses },
		Default: "false",
		Doc: "also measure wait, response and service times and slowdowns of the jobs with 1, 2 " +
			"and 3, 4 to 7 processors and so on by powers of two: metrics such as " +
			"wait_time_size_4, and the file classes.csv",
		when: []condition{jobs},
	},
	{
		Path:    "runs.check_jumps",
		of:      func(s *Spec) any { return &s.CheckJumps },
		Default: "20", Min: "0", Max: "100000", Unit: "jumps",
		Doc: "so many jumps of network.settle, drawn at random, are simulated flit by flit as " +
			"well: they correct blocking times and latencies (packet_blocking_error, " +
			"foreign_blocking_error) and test rates (jump_error, jumps_beyond)",
		when: []condition{messages, queued, when("network.settle above 0",
			func(s *Spec) bool { return s.SettleRates > 0 })},
	},
}
