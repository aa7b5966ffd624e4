package spec

// workloadKeys are the keys of [workload] up to those of drawn jobs.
var workloadKeys = []Key{
	{
		Path:    "workload.source",
		of:      func(s *Spec) any { return &s.Workload.Source },
		Default: `"synthetic"`,
		Choices: sourceNames,
		Doc: "where jobs come from: drawn from distributions, a log in the Standard Workload " +
			"Format, Lublin and Feitelson's model of logs (JPDC 2003), the 188 test jobs of " +
			"leung2002 sec. 4, or jobs of one size that start at once where workload.placement " +
			"says; traffic: there are none, nodes create messages of job.flits as " +
			"workload.traffic and workload.traffic_load say, whatever becomes of them",
	},
	{
		Path:    "workload.trace",
		of:      func(s *Spec) any { return &s.Workload.Trace },
		Default: `""`,
		Doc: "file of the log, plain or gzip; searched as given, then in the folders of " +
			"--traces, with or without .swf and .gz; if it is missing, the newest other " +
			"version of the log (NAME-YEAR-VERSION) is taken",
		when: []condition{swf},
	},
	{
		Path:    "workload.trace_sha256",
		of:      func(s *Spec) any { return &s.Workload.TraceSHA256 },
		Default: `""`,
		Doc: "digest of the log; filled in by a run, and a later run refuses another log of " +
			"the same name",
		when: []condition{swf},
	},
	{
		Path:    "workload.start",
		of:      func(s *Spec) any { return &s.Workload.Start },
		Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		Doc:  "jobs to skip at the beginning of the log",
		when: []condition{LogWorkloads},
	},
	{
		Path:    "workload.window",
		of:      func(s *Spec) any { return &s.Workload.Window },
		Default: "0", Min: "0", Unit: "jobs",
		Doc: "replication r skips another r times this many jobs: replications are windows of " +
			"the log, in place of other draws; 0: they are not windows",
		when: []condition{LogWorkloads},
	},
	{
		Path:    "workload.jobs",
		of:      func(s *Spec) any { return &s.Workload.Jobs },
		Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		Doc: "number of jobs to run; 0: all of a log, 1000 generated ones; of together: the " +
			"most jobs to run, if the machine has room for more",
		when: []condition{jobs},
	},
	{
		Path:    "workload.processes",
		of:      func(s *Spec) any { return &s.Workload.Processes },
		Default: "16", Min: "2", Unit: "processes",
		Doc:  "of together: size of each job",
		when: []condition{TogetherWorkload},
	},
	{
		Path:    "workload.placement",
		of:      func(s *Spec) any { return &s.Workload.Placement },
		Default: `"contiguous"`,
		Doc: "of together: contiguous, each job in a subtree of its level or a submesh; " +
			"away:T, T processes of each, drawn, change places with those of neighbouring " +
			"jobs; dealt, nodes dealt out in turn; scattered, the same, each round shuffled; " +
			"random",
		Source: "pascual2009 sec. 5",
		when:   []condition{TogetherWorkload},
	},
	{
		Path:    "workload.background",
		of:      func(s *Spec) any { return &s.Workload.Background },
		Default: `"same"`,
		Doc: "of together: same, all jobs do the same; idle, one has the machine to itself; or " +
			"the pattern of all jobs but the first, which do it until that is done",
		when: []condition{TogetherWorkload},
	},
	{
		Path:    "workload.traffic",
		of:      func(s *Spec) any { return &s.Workload.Traffic },
		Default: `"uniform"`,
		Names:   "traffics",
		Doc: "of traffic: where nodes send, with parameters as in " +
			"hotspot:nodes=0/9,share=0.2; the file of a matrix is read where its digest is not " +
			"given, and a resolved study has that",
		Source: "Dally and Towles 2004, sec. 3.2",
		when:   []condition{TrafficWorkload},
	},
	{
		Path:    "workload.traffic_load",
		of:      func(s *Spec) any { return &s.Workload.TrafficLoad },
		Default: "0.1", Max: "1", Above: "0", Unit: "flits/node/cycle",
		Doc: "of traffic: mean flits that a node creates in a cycle; a message begins in each " +
			"cycle with the same probability",
		when: []condition{TrafficWorkload},
	},
	{
		Path:    "workload.message_lengths",
		of:      func(s *Spec) any { return &s.Workload.Lengths },
		Default: `""`,
		Doc: "of traffic: lengths of messages in flits with weights, such as 1:0.8+8:0.2; each " +
			"message draws one; \"\": job.flits",
		when: []condition{TrafficWorkload},
	},
	{
		Path:    "workload.burst_cycles",
		of:      func(s *Spec) any { return &s.Workload.BurstCycles },
		Default: "0", Min: "0", Max: "1e9", Unit: "cycles",
		Doc: "of traffic: mean length of the bursts in which a node creates messages, at " +
			"least 1; between bursts it creates none, and the mean load stays the same; both kinds " +
			"of periods are geometric; 0: no bursts",
		Source: "Dally and Towles 2004, sec. 24.2",
		when:   []condition{TrafficWorkload},
	},
	{
		Path:    "workload.burst_share",
		of:      func(s *Spec) any { return &s.Workload.BurstShare },
		Default: "0.5", Above: "0", Below: "1",
		Doc:  "of traffic: share of time that a node is in a burst",
		when: []condition{TrafficWorkload, inBursts},
	},
	{
		Path:    "workload.self_messages",
		of:      func(s *Spec) any { return &s.Workload.SelfMessages },
		Default: "false",
		Doc: "of traffic: nodes send to themselves too, through their routers, where the " +
			"pattern has them do so, as in BookSim 2; false: such nodes are silent, and " +
			"uniform traffic goes to others",
		when: []condition{TrafficWorkload, sendsToSelf},
	},
	{
		Path:    "workload.warmup_cycles",
		of:      func(s *Spec) any { return &s.Workload.WarmupCycles },
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		Doc:  "of traffic: not measured; 0: 5000, and 10 messages of each node on average",
		when: []condition{TrafficWorkload},
	},
	{
		Path:    "workload.window_cycles",
		of:      func(s *Spec) any { return &s.Workload.WindowCycles },
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		Doc: "of traffic: messages created in it count; 0: 10000, and 40 messages of each node " +
			"on average",
		when: []condition{TrafficWorkload},
	},
	{
		Path:    "workload.lublin",
		of:      func(s *Spec) any { return &s.Workload.Lublin },
		Default: `"batch"`,
		Choices: []string{"batch", "interactive", "all"},
		Doc: "which jobs of Lublin and Feitelson's model; all: with the parameters fitted to " +
			"both kinds together",
		when: []condition{WorkloadIs("lublin")},
	},
	{
		Path:    "workload.processors",
		of:      func(s *Spec) any { return &s.Workload.Processors },
		Default: "0", Min: "0", Unit: "processors",
		Doc:  "processors that each generated job requests, of any shape; 0: jobs draw sides",
		when: []condition{synthetic},
	},
}
