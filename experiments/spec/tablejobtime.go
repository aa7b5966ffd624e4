package spec

import (
	"fmt"
)

// jobTimeKeys are the keys of [job] that say how long and how much.
var jobTimeKeys = []Key{
	{Path: "job.compute_cycles", Default: "0", Min: "0", Unit: "cycles",
		when: all(messages, jobs, ownComputing),
		Doc: "time a process computes before it sends the messages of a phase; of a NAS " +
			"benchmark, of a step (docs/reference/patterns.md says which)"},
	{Path: "job.send_cycles", Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(messages, jobs), Source: "Moore and Ni 1996",
		Doc: "time a process needs to send a message, one after the other, before it enters " +
			"the network"},
	{Path: "job.receive_cycles", Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(messages, jobs), Source: "Moore and Ni 1996",
		Doc: "time a process needs to receive a message, one after the other, before it acts " +
			"on it"},
	{Path: "job.communication_share", Default: "1", Min: "0", Max: "1",
		when: all(messages, LogWorkloads, fromRunTimes, noIteration),
		Doc: "share of a job's run time in the log in which it communicates when it has the " +
			"machine to itself. In the rest its processes compute, spread evenly between the " +
			"phases of its messages, or between the iterations of NAS benchmarks and " +
			"collectives. Below 1 with job.quota.per_second = auto. Jobs do whole iterations; " +
			"jobs whose size the pattern does not support only compute (workload.round_sizes = " +
			"down helps)"},
	{Path: "job.iteration", Default: "0", Min: "0", Max: "1e9", Unit: "s",
		when: all(messages, LogWorkloads, fromRunTimes),
		Doc: "time in seconds of the log of an iteration of a job that has the machine to " +
			"itself, in place of job.communication_share. Its processes compute for what the " +
			"messages leave of that time, spread as there; where messages alone take longer, " +
			"so does the iteration. The run time of a job in the log says how many iterations " +
			"it does. With job.quota.per_second = auto; 0: job.communication_share says how " +
			"long processes compute"},
	{Path: "job.assumed_speedup", Default: "0", Min: "0", Below: "100", Unit: "%",
		when:   all(runIs("fixed"), allocatorIs("keeps jobs together", contiguousAllocators)),
		Source: "pascual2009 sec. 6",
		Doc: "with job.run = fixed: how much less time than the log says jobs of several " +
			"processors take with an allocator that keeps them together (contiguous, " +
			"quasi-contiguous, first-fit, best-fit, frame-sliding, buddy2d); none with others"},
	{Path: "job.quota.distribution", Default: `"fixed"`, Choices: []string{"exponential", "fixed"},
		when: all(messages, queued, timed), Source: "lo1994 App. A",
		Doc: "distribution of a job's number of messages about its mean: all jobs do the mean, " +
			"or an exponential draw, as in the papers"},
	{Path: "job.quota.iterations", Default: "1", Min: "0", OneOf: "quota", Unit: "iterations",
		when: all(messages, jobs),
		Doc: "mean quota: the messages of so many iterations of the pattern for the mean-sized " +
			"job"},
	{Path: "job.quota.benchmarks", Default: "0", Min: "0", OneOf: "quota", Unit: "benchmarks",
		when: all(messages, jobs),
		Doc: "mean quota: the messages of so many full runs of a NAS benchmark, with the " +
			"iterations of its class, for the mean-sized job; all jobs have to run such"},
	{Path: "job.quota.messages", Default: "0", Min: "0", OneOf: "quota", Unit: "messages",
		when: all(messages, jobs),
		Doc:  "mean quota"},
	{Path: "job.quota.per_second", Default: "0", Min: "0", OneOf: "quota", Unit: "messages/s",
		when: all(messages, LogWorkloads),
		Doc: "quota for each second of the job's run time; auto: from job.cycles_per_second, " +
			"so that a job alone runs about as long as the log says"},
	{Path: "job.quota.processes", Default: "0", Min: "0", Unit: "processes",
		when: all(messages, synthetic, when("job.quota.iterations or job.quota.benchmarks",
			func(s *Spec) bool { return s.Job.Quota.Iterations > 0 || s.Job.Quota.Benchmarks > 0 })),
		Doc: "processes of the mean-sized job; 0: the square of the mean side, rounded as " +
			"workload.side.round says"},
	{Path: "job.calibrate_on", Default: `""`, when: all(messages, LogWorkloads, calibrated),
		Doc: "on which machine and network a job that has them to itself runs as long as the " +
			"log says, which sets the quota or the cycles a second where they are auto: those " +
			"of the first point with the same jobs, with the keys of [machine], [network] and " +
			"software times given here changed, such as network.buffer_flits = 4; machine.dims " +
			"= [8, 8]; or each: every point is calibrated on its own, so that compared " +
			"networks get different messages"},
	{Path: "job.cycles_per_second", Default: `"auto"`, Above: "0", Unit: "cycles/s",
		when: all(messages, jobs),
		Doc: "network cycles in a second of the log or in a time unit; auto: 1 without a log, " +
			"with one 1/network.cycle, or without that as many as make jobs run about as long " +
			"as the log says; with job.run = fixed as many as keep fractions of a second, to a " +
			"millionth"},
}

var noIteration = condition{
	words: "job.iteration = 0",
	Holds: func(s *Spec) bool { return s.Job.Iteration == 0 },
	is:    func(s *Spec) string { return fmt.Sprintf("job.iteration is %g", s.Job.Iteration) },
}

// fromRunTimes is the condition that the run times of a log say how much jobs send.
var fromRunTimes = when("job.quota.per_second = auto",
	func(s *Spec) bool { return s.Job.Quota.PerSecond == Automatic })
