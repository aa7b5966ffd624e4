package config

import (
	"strconv"

	"contend/netsim"
)

// schedulerKeys are the keys of [scheduler].
var schedulerKeys = []Key{
	{Path: "scheduler.policy", field: &spec.Scheduler.Policy,
		gate: 2, Default: `"fcfs"`, Names: "schedulers", when: all(queued),
		Doc: "order in which waiting jobs start"},
	{Path: "scheduler.poll_seconds", field: &spec.Scheduler.PollSeconds,
		Default: "60", Min: "0", Max: "1e9", Unit: "s",
		when: all(queued, policyIs("cplant")), Source: "leung2002 sec. 3",
		Doc: "of cplant: time between two passes over the queue, at its multiples; 0: a pass " +
			"whenever a job arrives or ends (leung2002 says periodically)"},
	{Path: "scheduler.kill_at_reservation", field: &spec.Scheduler.KillAtReservation,
		Default: "false",
		when:    all(queued, policyIs("easy"), runIs("fixed")), Source: "pascual2009 sec. 3",
		Doc: "of easy: the first job of the queue starts at its reservation, and backfilled " +
			"jobs in its way are killed; none is if that would not make room for it"},
	{Path: "scheduler.backfill", field: &spec.Scheduler.Backfill,
		Default: `"extra"`, Choices: []string{"extra", "ending"},
		when: all(queued, policyIs("easy")), Source: "pascual2009 sec. 1",
		Doc: "of easy: which jobs are backfilled: those that end, by their estimates, before " +
			"the reservation of the first job, and those on nodes that it does not need then; " +
			"or only those that end before"},
	{Path: "scheduler.reservation", field: &spec.Scheduler.Reservation, Default: `"placement"`,
		Choices: []string{"placement", "count"}, when: all(queued, policyIs("easy"), condition{
			words:  "an allocator that may refuse enough nodes",
			Holds:  func(s *Spec) bool { return !s.countDecides() },
			actual: func(s *Spec) string { return s.Allocator + " does not" },
		}),
		Source: "pascual2009 sec. 3",
		Doc: "of easy with an allocator that may refuse enough nodes: the first job's " +
			"reservation is for the time when the allocator can place it, or when enough nodes " +
			"are free"},
	{Path: "scheduler.on_overrun", field: &spec.Scheduler.OnOverrun, gate: 2, Default: `"extend"`,
		Choices: choices(OverrunExtend, OverrunKill, OverrunRaise),
		when:    all(traced, readsEstimates), Source: "johnson2010 sec. I",
		Doc: "what happens to a job that exceeds its estimate: it continues and is assumed to " +
			"end now, as the run times of a log require, since its system let the jobs run; it " +
			"is killed; or it cannot happen, because estimates of a log below the run time are " +
			"raised to it beforehand"},
	{Path: "scheduler.missing_estimate", field: &spec.Scheduler.MissingEstimate,
		Default: "1", Min: "1", Below: "1e9",
		when: all(traced, readsEstimates), Source: "Mu'alem and Feitelson 2001",
		Doc: "estimate of a job for which a log has none (-1), over its run time: 1 as if users knew " +
			"it; 2 is the mean of Mu'alem and Feitelson's model, uniform from 1 to f + 1, at f = 2. For " +
			"policies that read estimates, and for on_overrun = kill, which never kills such a job"},
	{Path: "scheduler.max_restarts", field: &spec.Scheduler.MaxRestarts,
		Default: "100", Min: "0", Max: "1e6", Unit: "restarts",
		when: all(queued, nodesFail),
		Doc: "how often a job that failures of nodes kill queues again and begins anew. Killed once " +
			"more it is lost: it leaves the queue and is in no mean over jobs; the metric jobs_lost " +
			"counts it. 0: a killed job is lost, as in systems that do not requeue"},
	{Path: "scheduler.decision", field: &spec.Scheduler.Decision,
		Default: `""`, Names: "allocators", when: all(queued),
		Source: "bender2005 sec. 5",
		Doc: "a second allocator, the decision algorithm, that is asked at each job start with the " +
			"same free processors and does not affect the run. The metrics decision_* measure its " +
			"choice"},
}

// allocatorKeys is the key of the allocator. As a section, [allocator] has its name and its
// parameters.
var allocatorKeys = []Key{
	{Path: "allocator", field: &spec.Allocator,
		gate: 2, Default: `"first-fit"`, Names: "allocators", when: all(queued),
		Doc: "which processors a job gets, with parameters of the allocator, such as paging:2, " +
			"paging:1,snake or first-fit:rotate. The section [allocator] has the name and the " +
			"parameters one by one; allocator.PARAMETER is a key for axes and --set"},
}

// runsKeys are the keys of [runs] that belong to a run.
var runsKeys = []Key{
	{Path: "runs.count_ties", field: &spec.CountTies, Quiet: true, Default: "false",
		when: all(queued, allocatorThat("counts ties", "mc, mc1x1, mc1x1-tie, gen-alg, mm, mm-inc",
			func(a *Allocator) bool { return a.CountsTies })),
		Source: "johnson2010 Fig. 4",
		Doc: "count the decisions in which several different sets of processors had the best " +
			"score, which takes time: metrics decisions_tied, ties_percent and ties_mean, of " +
			"mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc"},
	{Path: "runs.seed", field: &spec.Seed, Quiet: true, Default: "1", when: all(drawsAny),
		Doc: "seed of every random stream of the run, with the point, the replication and the " +
			"stream's name"},
	{Path: "runs.span_order", field: &spec.SpanOrder, Default: `"row-major"`, when: all(anyJobs),
		Source: "leung2002 sec. 2.3",
		Doc: "order of the processors along which spans are measured, the same for every " +
			"allocator: one of the orders, such as hilbert or hilbert/yx; on " +
			"machines that are no grid row-major, the order of the numbers, or optimized"},
	{Path: "runs.warmup_jobs", field: &spec.WarmupJobs,
		Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		when: all(queued), Source: "Law, Simulation Modeling and Analysis, sec. 9.5.1",
		Doc: "number of the first jobs submitted that count in no metric of jobs: they find a " +
			"machine that is emptier than later ones do. finish_time, makespan, utilization, " +
			"service_load, submitted_load, offered_load, queue_growth, jobs, internal_fragmentation " +
			"and the metrics of packets, channels, decisions, kills and failures are of the whole run; " +
			"measured_utilization is not"},
	{Path: "runs.cooldown_jobs", field: &spec.CooldownJobs,
		Default: "0", Min: "0", Max: "1000000000", Unit: "jobs",
		when: all(queued),
		Doc:  "number of the last jobs submitted that do not count either: no jobs arrive after them"},
	{Path: "runs.size_classes", field: &spec.SizeClasses,
		Quiet: true, Default: "false", when: all(anyJobs),
		Doc: "also measure wait, response and service times and slowdowns of the jobs with 1, " +
			"2 and 3, 4 to 7 processors and so on by powers of two: metrics such as " +
			"wait_time_size_4, and the file classes.csv"},
	{Path: "runs.locality", field: &spec.Locality,
		Quiet: true, Default: "false", when: all(anyJobs), Source: "leung2002 sec. 3",
		Doc: "also measure the locality of jobs as Leung et al. do: sizes of bounding boxes and " +
			"cubes, measures per processor, and of each the maximum over jobs, the sum of squares and " +
			"the mean weighted by service times, such as span_ring_weighted"},
	{Path: "runs.iterations", field: &spec.Iterations, Quiet: true, Default: "false",
		when: all(messages, jobs, when("runs.fast_forward = 0",
			func(s *Spec) bool { return s.FastForward == 0 })),
		Source: "Chunduri et al., SC 2019",
		Doc: "also measure how long each iteration of a job takes, such as the latency of an " +
			"all-reduce: metrics iteration_time, iteration_time_p50, _p90 and _p99"},
	{Path: "runs.alone", field: &spec.Alone, Default: "false", when: all(messages, jobs),
		Doc: "also simulate each job with nobody else on the machine: on its own nodes, there with " +
			"its processes in the order of node numbers, and on a contiguous place of the same size: " +
			"metrics slowdown_by_others, slowdown_by_order and slowdown_by_placement, and " +
			"bounded_slowdown. Runs of equal jobs at equal places are made once"},
	{Path: "runs.one_cycle_apart", field: &spec.OneCycleApart, Quiet: true, Default: "false",
		when: all(messages, jobs, when("runs.fast_forward = 0",
			func(s *Spec) bool { return s.FastForward == 0 })),
		Doc: "also simulate the jobs a second time, every second one of which arrives one cycle later: " +
			"metric one_cycle_apart, how much times of jobs depend on a cycle that no log knows"},
	{Path: "runs.series_pairs", field: &spec.SeriesPairs,
		Default: "[]", when: all(messages, controlled, oneInterface),
		Doc: "pairs of a source and a destination of which series.csv shows rate, alpha, notifications " +
			"and queue over time, as --series-csv writes it: nodes, such as 3>0, or ranks of a job, such " +
			"as 2:3>0 from rank 3 of job 2 to its rank 0, while the job runs"},
	{Path: "runs.fast_forward", field: &spec.FastForward, Default: "0", Min: "0", Max: "0.2",
		when: all(messages, queuedPatterns),
		Doc: "jump over time in which the set of running jobs does not change, once the rate at " +
			"which each of them makes progress is known: the half-width of the 95% interval of its " +
			"service time, relative to its mean, is at most this number, or as many iterations as " +
			"30 over it have been simulated; 0: simulate every flit. 0.02 suits single jobs, " +
			"0.05 to 0.1 means over thousands of jobs. docs/model.md says what is estimated then, " +
			"and how it is checked"},
	{Path: "runs.audits", field: &spec.Audits, Default: "20", Min: "1", Max: "100000", Unit: "jumps",
		when: all(messages, queuedPatterns, when("runs.fast_forward above 0 and no workload.snapshots",
			func(s *Spec) bool { return s.FastForward > 0 && !s.Workload.Snapshots })),
		Doc: "number of jumps of runs.fast_forward that are audited: the first ones of a run at " +
			"estimated rates, and then about a twentieth, of more than 1000 fewer, long ones more " +
			"often. An audited jump is simulated flit by flit at first, and what it shows of the " +
			"errors is what intervals rest on"},
}

// studyKeys are the keys of [runs] that belong to a study and not to any one run.
var studyKeys = []Key{
	{Path: "runs.replications", field: &runs.Replications,
		Quiet: true, Default: "10", Min: "1", Max: "1000000",
		Doc: "runs of every point, each with its own random streams"},
	{Path: "runs.confidence", field: &runs.Confidence,
		Quiet: true, Default: "0.95", Above: "0", Below: "1",
		Doc: "confidence of the intervals (Student's t)"},
	{Path: "runs.max_relative_error", field: &runs.MaxRelativeError,
		Quiet: true, Default: "0", Min: "0",
		Source: "Law, Simulation Modeling and Analysis, sec. 9.4.1",
		Doc: "replications are added until the interval of every primary metric is at most " +
			"this fraction of the mean on either side, judged from ten replications on, or until there " +
			"are runs.max_replications; " +
			"intervals of 95% then hold the mean in 93.5 to 95% of studies where runs are " +
			"nearly normal, in 85 to 90% where they have the tail of an exponential " +
			"distribution; 0: none are added"},
	{Path: "runs.max_replications", field: &runs.MaxReplications,
		Quiet: true, Default: "0", Min: "0", Max: "1000000",
		Doc: "most replications of a point; 0: ten times runs.replications"},
	{Path: "runs.threads", field: &runs.Threads,
		Default: "1", Min: "1", Max: strconv.Itoa(netsim.MaxThreads),
		Doc: "threads that step the routers of one run side by side, at most, where each flit is " +
			"simulated on its own, without records of flits and waits and runs.fast_forward. Results " +
			"do not depend on it. --workers is then by default the number of cores over it"},
}

// shortKeys are the shorthands: each sets several other keys.
var shortKeys = []Key{
	{Path: "network.preset", assign: (*Settings).applyPreset, Shorthand: true, Default: `""`,
		Choices: presetNames(), when: all(messages),
		Doc: "sets several keys of [network] at once; keys given beside it take precedence. " +
			"contend list presets has their values and sources"},
	{Path: "machine.file", assign: (*Settings).readGraph, Shorthand: true, Default: `""`,
		when: all(topologyIs("graph")),
		Doc: "a file that describes a graph; sets machine.graph. Its name ends in .toml, or in .conf " +
			"or .yaml if it is a topology of Slurm, else it is a BookSim anynet file; " +
			"docs/howto/networks.md describes them"},
}
