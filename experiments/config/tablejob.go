package config

import (
	"contend/allocation/mapping"
	"contend/internal/input"
	"contend/patterns"
)

// jobKeys are the keys of [job] that say what jobs send.
var jobKeys = []Key{
	{Path: "job.run", field: &spec.Job.Run,
		gate: 1, Default: `"messages"`, Choices: choices(RunMessages, RunFixed),
		when: all(timedJobs),
		Doc: "a job runs until its quota of messages has arrived, or for its run time without " +
			"a network"},
	{Path: "job.pattern", field: &spec.Job.Pattern,
		gate: 2, Default: `"all-to-all"`, Names: "patterns", Mix: true,
		when: all(messages, onePatternForAll),
		Doc: "who sends to whom; a mix with weights, such as all-to-all:2+ring:1, draws one " +
			"for each job; a NAS benchmark may have its class, npb-ft:A or, with a weight, " +
			"npb-ft:A:2"},
	{Path: "job.order", field: &spec.Job.Order,
		Default: `"same"`, Choices: []string{"same", "rotated"},
		when: all(messages, jobs, usedBy("order", "all-to-all, one-to-all or cplant-suite")),
		Doc:  "of all-to-all: every process sends to 0, 1, 2, ..., or process i to i+1, i+2, ..."},
	{Path: "job.cut", field: &spec.Job.Cut, Default: `"round"`,
		Choices: []string{"round", "process", "phase", "iteration", patterns.CutCounter,
			patterns.CutCounterBarriers},
		when: all(messages, jobs, usedBy("cut", "a pattern in phases"), cuts),
		Doc: "which messages of the phase that reaches the quota are sent: every sender's " +
			"first, then every sender's second, ...; those of the first senders; all; all of the " +
			"iteration; or those that processes come to send while they draw the quota from one " +
			"counter, each its next message when its last one has entered the network, with a " +
			"barrier after each phase or, without barriers, waiting for its own messages only"},
	{Path: "job.grid", field: &spec.Job.Grid,
		Default: `"square"`, Choices: []string{"square", "cube", "shape"},
		when: all(messages, jobs, usedBy("grid", "multigrid or near-neighbour")),
		Doc: "process grid of a pattern: the most nearly square one, the most nearly cubic " +
			"one, or the shape the job asked for"},
	{Path: "job.cycle", field: &spec.Job.Cycle,
		Default: `"v"`, Choices: []string{"v", "by-dimension"},
		when: all(messages, jobs, usedBy("cycle", "multigrid")),
		Doc: "order of multigrid's exchanges: the levels down and up again, all neighbours at " +
			"once; or one dimension after the other, boundaries closed, one message each way " +
			"in a ring of two, the finest level once, found by fitting Lo et al.'s figures. " +
			"NAS MG's own order is the pattern npb-mg"},
	{Path: "job.bits", field: &spec.Job.Bits, Default: `"highest-first"`,
		Choices: []string{"highest-first", "lowest-first"},
		when:    all(messages, jobs, usedBy("bits", "fft")), Source: "lo1994 sec. 4.2",
		Doc: "order in which fft exchanges the bits of a process's number"},
	{Path: "job.bodies", field: &spec.Job.Bodies, Default: `"half"`, Choices: []string{"half", "all"},
		when: all(messages, jobs, usedBy("bodies", "n-body")), Source: "lo1994 sec. 4.2",
		Doc: "of n-body: bodies are passed half round the ring and sent home, or all round it"},
	{Path: "job.flits", field: &spec.Job.Flits,
		Default: "8", Min: "1", Max: "2147483647", Unit: "flits",
		when: all(messages,
			usedBy("flits", "a pattern whose messages have no sizes of their own"), oneLength),
		Doc: "length of a message, except in patterns whose messages have sizes in bytes"},
	{Path: "job.repeat", field: &spec.Job.Repeat, Default: "100", Min: "1", Max: "1000000",
		when: all(messages, jobs, usedBy("repeat", "cplant-suite")), Source: "leung2002 sec. 4",
		Doc: "how often a suite does each of its patterns"},
	{Path: "job.class", field: &spec.Job.Class,
		Default: `"A"`, Choices: []string{"S", "W", "A", "B", "C"},
		when: all(messages, jobs,
			usedBy("class", "a NAS benchmark without a class of its own in job.pattern")),
		Doc: "problem size of a NAS benchmark that has no class of its own in job.pattern"},
	{Path: "job.scale", field: &spec.Job.Scale, Default: "1", Max: "1", Above: "0",
		when: all(messages, anyJobs, orBatsim(usedBy("scale", sizesInBytes))),
		Doc: "factor on sizes in bytes, so that NAS benchmarks of larger classes are simulated " +
			"in seconds; 1 for graphs of tasks with network.cycle, whose times it does not scale"},
	{Path: "job.bytes", field: &spec.Job.Bytes,
		Default: "65536", Min: "1", Max: "1099511627776", Unit: "bytes",
		when: all(messages, jobs, usedBy("bytes",
			"all-reduce, all-gather, reduce-scatter or a pattern of GPCNeT without bytes of its own")),
		Doc: "vector of all-reduce, all-gather and reduce-scatter, all blocks together; of " +
			"ring-exchange a message"},
}

// jobMixKeys are the keys of [job] that say which job of a log has which pattern, and how
// long the operations of the NAS benchmarks take.
var jobMixKeys = []Key{
	{Path: "job.pattern_by", field: &spec.Job.PatternBy, Default: `"job"`, Choices: jobFields,
		when: all(messages, LogWorkloads, when("a mix of patterns in job.pattern",
			func(s *Spec) bool { return len(s.drawnPatterns()) > 1 })),
		Doc: "jobs of a log that share a draw from the mix of job.pattern: none (job), all of " +
			"the same size, of the same user, or of the same queue in the log. A job whose " +
			"user or queue the log does not tell draws for itself"},
	{Path: "job.mapping", field: &spec.Job.Mapping, Default: `"allocated"`, Choices: mapping.Names(),
		when: all(messages, anyJobs), Source: "Hoefler and Snir 2011",
		Doc: "which process of a job is on which of its nodes: as allocated, random, along the " +
			"row-major order or the Hilbert curve of the machine, or by what the processes send in " +
			"an iteration: recursive bisection of processes and nodes, or greedy, one process " +
			"after the other. What a job takes alone (job.calibrate_on) is as allocated"},
	{Path: "job.rules", field: &spec.Job.Rules,
		gate: 2, Default: "[]", when: all(messages, LogWorkloads),
		Doc: "patterns of some jobs of a log, as FIELD VALUES: PATTERN, where FIELD is size, " +
			"user or queue, and VALUES a number or a range: [\"size 1-4: near-neighbour\", " +
			"\"user 17: npb-ft:B\", \"size 64-: all-to-all\"]. The first rule that fits " +
			"counts; other jobs have job.pattern. The size is that of the job as it is " +
			"simulated. A rule that changes no job is an error, except with workload.window"},
	{Path: "job.flop_rate", field: &spec.Job.FlopRate,
		Default: "0", Min: "0", Max: "1e18", Unit: "flop/s",
		when: all(messages, anyJobs, orBatsim(usedBy("flop_rate", "a NAS benchmark")),
			computesByKeys, orBatsim(condition{
				words:  "a number for job.cycles_per_second",
				Holds:  func(s *Spec) bool { return s.Job.CyclesPerSecond != input.Automatic },
				actual: func(*Spec) string { return "job.cycles_per_second is auto" },
			})),
		Source: "NPB 3.3",
		Doc: "rate at which a process of a NAS benchmark computes, beside job.compute_cycles: " +
			"the operations of a full run (docs/reference/patterns.md) are divided evenly " +
			"among its iterations, the processes and the steps. For npb-is it is keys ranked " +
			"in a second, since that benchmark counts integer keys; 0: operations take no time. Of " +
			"a Batsim workload, which needs it for cpu, operations of a node"},
}

// jobTimeKeys are the keys of [job] that say how long and how much.
var jobTimeKeys = []Key{
	{Path: "job.compute_cycles", field: &spec.Job.ComputeCycles,
		Default: "0", Min: "0", Max: "281474976710656", Unit: "cycles",
		when: all(messages, jobs, computesByKeys,
			usedBy("compute_cycles", "a pattern that is no graph of tasks")),
		Doc: "time a process computes before it sends the messages of a phase; of a NAS " +
			"benchmark, of a step (docs/reference/patterns.md says which)"},
	{Path: "job.send_cycles", field: &spec.Job.SendCycles,
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(messages, anyJobs), Source: "Moore and Ni 1996",
		Doc: "time a process needs to send a message, one after the other, before it enters " +
			"the network"},
	{Path: "job.receive_cycles", field: &spec.Job.ReceiveCycles,
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(messages, anyJobs), Source: "Moore and Ni 1996",
		Doc: "time a process needs to receive a message, one after the other, before it acts " +
			"on it"},
	{Path: "job.rendezvous_bytes", field: &spec.Job.RendezvousBytes,
		Default: "0", Min: "0", Max: "1000000000000", Unit: "bytes",
		when: all(messages, usedBy("rendezvous_bytes",
			"a pattern of tasks: goal, chakra, training or exec")),
		Source: "Rashti and Afsahi 2008",
		Doc: "messages of at least this size, in whole flits, go by rendezvous: a request, the " +
			"answer that it is clear to send when the receive is posted, and then the message, each at " +
			"the cost of job.send_cycles and job.receive_cycles. Shorter messages go eagerly; 0: all do"},
	{Path: "job.communication_share", field: &spec.Job.Share,
		gate: 2, Default: "1", Min: "0", Max: "1",
		when: all(messages, LogWorkloads, fromRunTimes, noIteration),
		Doc: "share of a job's run time in the log in which it communicates when it has the " +
			"machine to itself. In the rest its processes compute, spread evenly between the " +
			"phases of its messages, or between the iterations of NAS benchmarks and " +
			"collectives. Below 1 with job.quota.per_second = auto. Jobs do whole iterations; " +
			"jobs whose size the pattern does not support only compute (workload.round_sizes = " +
			"down helps)"},
	{Path: "job.iteration", field: &spec.Job.Iteration,
		gate: 2, Default: "0", Min: "0", Max: "1e9", Unit: "s",
		when: all(messages, LogWorkloads, fromRunTimes),
		Doc: "time in seconds of the log of an iteration of a job that has the machine to " +
			"itself, in place of job.communication_share. Its processes compute for what the " +
			"messages leave of that time, spread as there; where messages alone take longer, " +
			"so does the iteration. The run time of a job in the log says how many iterations " +
			"it does. With job.quota.per_second = auto; 0: job.communication_share says how " +
			"long processes compute"},
	{Path: "job.assumed_speedup", field: &spec.Job.AssumedSpeedup,
		Default: "0", Min: "0", Below: "100", Unit: "%",
		when: all(runIs("fixed"), allocatorThat("keeps jobs together", "contiguous, "+
			"quasi-contiguous, first-fit, best-fit, frame-sliding, buddy2d, one-switch",
			func(a *Allocator) bool { return a.Contiguous })),
		Source: "pascual2009 sec. 6",
		Doc: "how much less time than the log says jobs of several processors take with an " +
			"allocator that keeps them together"},
	{Path: "job.quota.distribution", field: &spec.Job.Quota.Distribution,
		Default: `"fixed"`, Choices: []string{"exponential", "fixed"},
		when: all(messages, drawnJobs, timed), Source: "lo1994 App. A",
		Doc: "distribution of a job's iterations or messages about their mean: all jobs do the " +
			"mean, or an exponential draw, as in the papers"},
	{Path: "job.quota.iterations", field: &spec.Job.Quota.Iterations,
		Default: "1", Min: "0", OneOf: "quota", Unit: "iterations",
		when: all(messages, jobs),
		Doc: "mean number of iterations that a job does of its pattern, at its own size. Jobs do " +
			"whole iterations, at least one"},
	{Path: "job.quota.benchmarks", field: &spec.Job.Quota.Benchmarks,
		Default: "0", Min: "0", OneOf: "quota", Unit: "benchmarks",
		when: all(messages, jobs),
		Doc: "mean number of full runs of a NAS benchmark, each with the iterations of its class; " +
			"jobs do whole iterations, and all have to run such"},
	{Path: "job.quota.mean_iterations", field: &spec.Job.Quota.MeanIterations,
		gate: 2, Default: "0", Min: "0", OneOf: "quota", Unit: "iterations",
		when: all(messages, synthetic), Source: "lo1994 App. A",
		Doc: "mean number of messages of a job of any size: those of so many iterations of the " +
			"mean-sized job. Other jobs end within an iteration"},
	{Path: "job.quota.messages", field: &spec.Job.Quota.Messages,
		Default: "0", Min: "0", OneOf: "quota", Unit: "messages",
		when: all(messages, jobs),
		Doc: "mean number of messages of a job of any size. Jobs of different sizes end in " +
			"different parts of their pattern"},
	{Path: "job.quota.per_second", field: &spec.Job.Quota.PerSecond,
		gate: 2, Default: "0", Min: "0", OneOf: "quota", Unit: "messages/s",
		when: all(messages, LogWorkloads),
		Doc: "quota for each second of the job's run time; auto: from job.cycles_per_second, " +
			"so that a job alone runs about as long as the log says"},
	{Path: "job.quota.processes", field: &spec.Job.Quota.Processes,
		Default: "0", Min: "0", Unit: "processes",
		when: all(messages, synthetic, when("job.quota.mean_iterations",
			func(s *Spec) bool { return s.Job.Quota.MeanIterations > 0 })),
		Source: "lo1994 App. A",
		Doc: "processes of the mean-sized job; 0: the mean of workload.size, to a power of two if all " +
			"its sizes are, or the square of the mean side, rounded as workload.side.round says"},
	{Path: "job.calibrate_on", field: &spec.Job.CalibrateOn,
		assign:  (*Settings).assignCalibrateOn,
		Default: `""`, when: all(messages, calibrated),
		Doc: "on which machine and network a job that has them to itself runs as long as the " +
			"log says, which sets the quota or the cycles a second where they are auto, or takes the " +
			"service time of workload.system_load or workload.target_load: those of the first point " +
			"with the same jobs, " +
			"with the keys of [machine], [network] and software times given here changed, such as " +
			"network.buffer_flits = 4; machine.dims = [8, 8]; or each: every point is calibrated on " +
			"its own, so that compared networks get different messages or submissions"},
	{Path: "job.cycles_per_second", field: &spec.Job.CyclesPerSecond,
		gate: 2, Default: `"auto"`, Above: "0", Unit: "cycles/s",
		when: all(messages, anyJobs),
		Doc: "network cycles in a second of the log or in a time unit; auto: 1 without a log, " +
			"with one or with listed jobs 1/network.cycle, or without that as many as make jobs run " +
			"about as long as the log says; with job.run = fixed as many as keep fractions of a " +
			"second, to a millionth"},
}
