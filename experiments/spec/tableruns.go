package spec

import (
	"contend/allocation/byname"
)

// runsKeys are the keys of [runs] that belong to a run.
var runsKeys = []Key{
	{Path: "runs.count_ties", Default: "false",
		when:   all(queued, allocatorIs("counts ties", byname.TieCounters())),
		Source: "johnson2010 Fig. 4",
		Doc: "count the decisions in which several different sets of processors had the best " +
			"score, which takes time: metrics decisions_tied, ties_percent and ties_mean, of " +
			"mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc"},
	{Path: "runs.seed", Default: "1", when: all(drawsAny),
		Doc: "seed of every random stream of the run, with the point, the replication and the " +
			"stream's name"},
	{Path: "runs.measures", Default: `"mean"`, Choices: measuresNames, when: all(jobs),
		Source: "leung2002 sec. 3",
		Doc: "of how compact allocations are: means over jobs, or also means weighted by run " +
			"times and maxima, as NAME_weighted and NAME_max"},
	{Path: "runs.warmup_jobs", Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		when: all(queued), Source: "Law, Simulation Modeling and Analysis, sec. 9.5.1",
		Doc: "so many of the first jobs submitted count in no metric of jobs: they find a " +
			"machine that is emptier than later ones do. finish_time, makespan, utilization, " +
			"service_load, submitted_load, offered_load, jobs, internal_fragmentation and the " +
			"metrics of packets, channels and decisions are of the whole run; " +
			"measured_utilization is not"},
	{Path: "runs.cooldown_jobs", Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		when: all(queued),
		Doc:  "the same for so many of the last jobs submitted, behind which no more jobs arrive"},
	{Path: "runs.size_classes", Default: "false", when: all(jobs),
		Doc: "also measure wait, response and service times and slowdowns of the jobs with 1, " +
			"2 and 3, 4 to 7 processors and so on by powers of two: metrics such as " +
			"wait_time_size_4, and the file classes.csv"},
	{Path: "runs.fast_forward", Default: "0", Min: "0", Max: "0.2", when: all(messages, queued),
		Doc: "jump over time in which the running jobs stay the same, once the rate at which " +
			"each of them makes progress is known so well that the 95% interval of its service " +
			"time is at most so wide to each side, relative to its mean; 0: simulate every " +
			"flit. 0.02 suits single jobs, 0.05 to 0.1 means over thousands of jobs. " +
			"docs/model.md says what is estimated then, and how it is checked"},
	{Path: "runs.check_jumps", Default: "20", Min: "0", Max: "100000", Unit: "jumps",
		when: all(messages, queued, when("runs.fast_forward above 0",
			func(s *Spec) bool { return s.FastForward > 0 })),
		Doc: "so many jumps of runs.fast_forward, drawn at random, are simulated flit by flit as " +
			"well: they correct blocking times and latencies (packet_blocking_error, " +
			"foreign_blocking_error) and test rates (jump_error, jumps_beyond)"},
}

// studyKeys are the keys of [runs] that belong to a study and not to any one run.
var studyKeys = []Key{
	{Path: "runs.replications", Default: "10", Min: "1", Max: "1000000",
		Doc: "runs of every point, each with its own random streams"},
	{Path: "runs.confidence", Default: "0.95", Above: "0", Below: "1",
		Doc: "confidence of the intervals (Student's t)"},
	{Path: "runs.max_relative_error", Default: "0", Min: "0",
		Source: "Law, Simulation Modeling and Analysis, sec. 9.4.1",
		Doc: "replications are added until the interval of every primary metric is at most " +
			"this fraction of the mean on either side, judged from ten replications on; " +
			"intervals of 95% then hold the mean in 93.5 to 95% of studies where runs are " +
			"nearly normal, in 85 to 90% where they have the tail of an exponential " +
			"distribution; 0: none are added"},
	{Path: "runs.max_replications", Default: "0", Min: "0", Max: "1000000",
		Doc: "most replications of a point; 0: ten times runs.replications"},
}

// shortKeys are the keys that stand for several others.
var shortKeys = []Key{
	{Path: "network.preset", Shorthand: true, Default: `""`, Choices: presetNames(),
		when: all(messages),
		Doc: "sets several keys of [network] at once; keys given beside it take precedence. " +
			"contend list presets has their values and sources"},
	{Path: "allocator", Shorthand: true, Default: `""`, when: all(queued),
		Doc: "an allocator with its parameters, such as paging:2, paging:1,snake or " +
			"first-fit:rotate; sets all of [allocator]"},
	{Path: "machine.file", Shorthand: true, Default: `""`,
		when: all(topologyIs("graph")),
		Doc: "a file that describes a graph; sets machine.graph. Its name ends in .toml, else it is " +
			"a BookSim anynet file; docs/howto/networks.md describes both"},
}
