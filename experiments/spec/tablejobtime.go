package spec

import (
	"fmt"
	"slices"
	"strings"
)

// jobTimeKeys are the keys of [job] that say how long and how much.
var jobTimeKeys = []Key{
	{
		Path:    "job.compute_cycles",
		of:      func(s *Spec) any { return &s.Job.ComputeCycles },
		Default: "0", Min: "0", Unit: "cycles",
		Doc: "time a process computes before it sends the messages of a phase; of a NAS " +
			"benchmark, of a step (docs/reference/patterns.md says which)",
		when: []condition{
			messages, jobs,
			ownComputing,
		},
	},
	{
		Path:    "job.send_cycles",
		of:      func(s *Spec) any { return &s.Job.SendCycles },
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		Doc: "time a process needs to send a message, one after the other, before it enters " +
			"the network",
		Source: "Moore and Ni 1996",
		when:   []condition{messages, jobs},
	},
	{
		Path:    "job.receive_cycles",
		of:      func(s *Spec) any { return &s.Job.ReceiveCycles },
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		Doc: "time a process needs to receive a message, one after the other, before it acts " +
			"on it",
		Source: "Moore and Ni 1996",
		when:   []condition{messages, jobs},
	},
	{
		Path:    "job.communication_share",
		of:      func(s *Spec) any { return &s.Job.Share },
		Default: "1", Min: "0", Max: "1",
		Doc: "share of a job's run time in the log in which it communicates when it has the " +
			"machine to itself. In the rest its processes compute, spread evenly between the " +
			"phases of its messages, or between the iterations of NAS benchmarks and " +
			"collectives. Below 1 with job.quota.per_second = auto. Jobs do whole iterations; " +
			"jobs whose size the pattern does not support only compute (workload.round_sizes = " +
			"down helps)",
		when: []condition{messages, LogWorkloads, fromRunTimes, {
			words: "job.iteration = 0",
			Holds: func(s *Spec) bool { return s.Job.Iteration == 0 },
			is:    func(s *Spec) string { return fmt.Sprintf("job.iteration is %g", s.Job.Iteration) },
		}},
	},
	{
		Path:    "job.iteration",
		of:      func(s *Spec) any { return &s.Job.Iteration },
		Default: "0", Min: "0", Max: "1e9", Unit: "s",
		Doc: "time in seconds of the log of an iteration of a job that has the machine to " +
			"itself, in place of job.communication_share. Its processes compute for what the " +
			"messages leave of that time, spread as there; where messages alone take longer, " +
			"so does the iteration. The run time of a job in the log says how many iterations " +
			"it does. With job.quota.per_second = auto; 0: job.communication_share says how " +
			"long processes compute",
		when: []condition{messages, LogWorkloads, fromRunTimes},
	},
	{
		Path:    "job.assumed_speedup",
		of:      func(s *Spec) any { return &s.Job.AssumedSpeedup },
		Default: "0", Min: "0", Below: "100", Unit: "%",
		Doc: "with job.run = fixed: how much less time than the log says jobs of several " +
			"processors take with an allocator that keeps them together (contiguous, " +
			"quasi-contiguous, first-fit, best-fit, frame-sliding, buddy2d); none with others",
		Source: "pascual2009 sec. 6",
		when: []condition{runIs("fixed"), {
			words: "an allocator that keeps jobs together: " +
				strings.Join(contiguousAllocators, ", "),
			Holds: func(s *Spec) bool {
				return slices.Contains(contiguousAllocators, s.Allocator.Name)
			},
			is: func(s *Spec) string { return "the allocator is " + s.Allocator.Name },
		}},
	},
	{
		Path:    "job.quota.distribution",
		of:      func(s *Spec) any { return &s.Job.Quota.Distribution },
		Default: `"fixed"`,
		Choices: []string{"exponential", "fixed"},
		Doc: "distribution of a job's number of messages about its mean: all jobs do the mean, " +
			"or an exponential draw, as in the papers",
		Source: "lo1994 App. A",
		when:   []condition{messages, queued, timed},
	},
	{
		Path:    "job.quota.iterations",
		of:      func(s *Spec) any { return &s.Job.Quota.Iterations },
		Default: "1", Min: "0", Unit: "iterations", OneOf: "quota",
		Doc: "mean quota: the messages of so many iterations of the pattern for the mean-sized " +
			"job",
		when: []condition{messages, jobs},
	},
	{
		Path:    "job.quota.benchmarks",
		of:      func(s *Spec) any { return &s.Job.Quota.Benchmarks },
		Default: "0", Min: "0", Unit: "benchmarks", OneOf: "quota",
		Doc: "mean quota: the messages of so many full runs of a NAS benchmark, with the " +
			"iterations of its class, for the mean-sized job; all jobs have to run such",
		when: []condition{messages, jobs},
	},
	{
		Path:    "job.quota.messages",
		of:      func(s *Spec) any { return &s.Job.Quota.Messages },
		Default: "0", Min: "0", Unit: "messages", OneOf: "quota",
		Doc:  "mean quota",
		when: []condition{messages, jobs},
	},
	{
		Path:    "job.quota.per_second",
		of:      func(s *Spec) any { return &s.Job.Quota.PerSecond },
		Default: "0", Min: "0", Unit: "messages/s", OneOf: "quota",
		Doc: "quota for each second of the job's run time; auto: from job.cycles_per_second, " +
			"so that a job alone runs about as long as the log says",
		when: []condition{messages, LogWorkloads},
	},
	{
		Path:    "job.quota.processes",
		of:      func(s *Spec) any { return &s.Job.Quota.Processes },
		Default: "0", Min: "0", Unit: "processes",
		Doc: "processes of the mean-sized job; 0: the square of the mean side, rounded as " +
			"workload.side.round says",
		when: []condition{messages, synthetic, when("job.quota.iterations or job.quota.benchmarks",
			func(s *Spec) bool { return s.Job.Quota.Iterations > 0 || s.Job.Quota.Benchmarks > 0 })},
	},
	{
		Path:    "job.calibrate_on",
		of:      func(s *Spec) any { return &s.Job.CalibrateOn },
		Default: `""`,
		Doc: "on which machine and network a job that has them to itself runs as long as the " +
			"log says, which sets the quota or the cycles a second where they are auto: those " +
			"of the first point with the same jobs, with the keys of [machine], [network] and " +
			"software times given here changed, such as network.buffer_flits = 4; machine.dims " +
			"= [8, 8]; or each: every point is calibrated on its own, so that compared " +
			"networks get different messages",
		when: []condition{messages, LogWorkloads, calibrated},
	},
	{
		Path:    "job.cycles_per_second",
		of:      func(s *Spec) any { return &s.Job.CyclesPerSecond },
		Default: `"auto"`, Above: "0", Unit: "cycles/s",
		Doc: "network cycles in a second of the log or in a time unit; auto: 1 without a log, " +
			"with one 1/network.cycle, or without that as many as make jobs run about as long as " +
			"the log says; with job.run = fixed as many as keep fractions of a second, to a " +
			"millionth",
		when: []condition{messages, jobs},
	},
}

// fromRunTimes is the condition that the run times of a log say how much jobs send.
var fromRunTimes = when("job.quota.per_second = auto",
	func(s *Spec) bool { return s.Job.Quota.PerSecond == Automatic })
