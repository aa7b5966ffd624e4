package spec

// jobMixKeys are the keys of [job] that say which job of a log has which pattern, and how
// long the operations of the NAS benchmarks take.
var jobMixKeys = []Key{
	{Path: "job.pattern_by", Default: `"job"`, Choices: jobFieldNames,
		when: all(messages, LogWorkloads, when("a mix of patterns in job.pattern",
			func(s *Spec) bool { return len(s.mixed()) > 1 })),
		Doc: "jobs of a log that share a draw from the mix of job.pattern: none (job), all of " +
			"the same size, of the same user, or of the same queue in the log. A job whose " +
			"user or queue the log does not tell draws for itself"},
	{Path: "job.rules", Default: "[]", when: all(messages, LogWorkloads),
		Doc: "patterns of some jobs of a log, as FIELD VALUES: PATTERN, where FIELD is size, " +
			"user or queue, and VALUES a number or a range: [\"size 1-4: near-neighbour\", " +
			"\"user 17: npb-ft:B\", \"size 64-: all-to-all\"]. The first rule that fits " +
			"counts; other jobs have job.pattern. The size is that of the job as it is " +
			"simulated. A rule that changes no job is an error, except with workload.window"},
	{Path: "job.flop_rate", Default: "0", Min: "0", Max: "1e18", Unit: "flop/s",
		when: all(messages, jobs, usedBy("flop_rate", "a NAS benchmark"), ownComputing, condition{
			words: "a number for job.cycles_per_second",
			Holds: func(s *Spec) bool { return s.Job.CyclesPerSecond != Automatic },
			is:    func(*Spec) string { return "job.cycles_per_second is auto" },
		}),
		Source: "NPB 3.3",
		Doc: "rate at which a process of a NAS benchmark computes, beside job.compute_cycles: " +
			"the operations of a full run (docs/reference/patterns.md) are divided evenly " +
			"among its iterations, the processes and the steps. For npb-is it is keys ranked " +
			"in a second, since that benchmark counts integer keys; 0: operations take no time"},
}

// ownComputing is the condition that the jobs' own keys say how long processes compute,
// and not the run times of a log.
var ownComputing = when("job.communication_share = 1 and job.iteration = 0",
	func(s *Spec) bool { return s.Job.Share == 1 && s.Job.Iteration == 0 })
