package spec

// workloadKeys are the keys of [workload] up to those of drawn jobs.
var workloadKeys = []Key{
	{Path: "workload.source", Default: `"synthetic"`, Choices: sourceNames,
		Doc: "where jobs come from: drawn from distributions, a log in the Standard Workload " +
			"Format, Lublin and Feitelson's model of logs (JPDC 2003), the 188 test jobs of " +
			"leung2002 sec. 4, or jobs of one size that start at once where workload.placement " +
			"says; traffic: there are none, nodes create messages of job.flits as " +
			"workload.traffic and workload.traffic_load say, whatever becomes of them"},
	{Path: "workload.trace", Default: `""`, when: all(swf),
		Doc: "file of the log, plain or gzip; searched as given, then in the folders of " +
			"--traces, with or without .swf and .gz; if it is missing, the newest other " +
			"version of the log (NAME-YEAR-VERSION) is taken"},
	{Path: "workload.trace_sha256", Default: `""`, when: all(swf),
		Doc: "digest of the log; filled in by a run, and a later run refuses another log of " +
			"the same name"},
	{Path: "workload.start", Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		when: all(LogWorkloads),
		Doc:  "jobs to skip at the beginning of the log"},
	{Path: "workload.window", Default: "0", Min: "0", Unit: "jobs", when: all(LogWorkloads),
		Doc: "replication r skips another r times this many jobs: replications are windows of " +
			"the log, in place of other draws; 0: they are not windows"},
	{Path: "workload.jobs", Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		when: all(jobs),
		Doc: "number of jobs to run; 0: all of a log, 1000 generated ones; of together: the " +
			"most jobs to run, if the machine has room for more"},
	{Path: "workload.processes", Default: "16", Min: "2", Unit: "processes",
		when: all(TogetherWorkload),
		Doc:  "of together: size of each job"},
	{Path: "workload.placement", Default: `"contiguous"`, when: all(TogetherWorkload),
		Source: "pascual2009 sec. 5",
		Doc: "of together: contiguous, each job in a subtree of its level or a submesh; " +
			"away:T, T processes of each, drawn, change places with those of neighbouring " +
			"jobs; dealt, nodes dealt out in turn; scattered, the same, each round shuffled; " +
			"random"},
	{Path: "workload.background", Default: `"same"`, when: all(TogetherWorkload),
		Doc: "of together: same, all jobs do the same; idle, one has the machine to itself; or " +
			"the pattern of all jobs but the first, which do it until that is done"},
	{Path: "workload.traffic", Default: `"uniform"`, Names: "traffics", when: all(TrafficWorkload),
		Source: "Dally and Towles 2004, sec. 3.2",
		Doc: "of traffic: where nodes send, with parameters as in hotspot:nodes=0/9,share=0.2; " +
			"the file of a matrix is read where its digest is not given, and a resolved study " +
			"has that"},
	{Path: "workload.traffic_load", Default: "0.1", Max: "1", Above: "0", Unit: "flits/node/cycle",
		when: all(TrafficWorkload),
		Doc: "of traffic: mean flits that a node creates in a cycle; a message begins in each " +
			"cycle with the same probability"},
	{Path: "workload.message_lengths", Default: `""`, when: all(TrafficWorkload),
		Doc: "of traffic: lengths of messages in flits with weights, such as 1:0.8+8:0.2; each " +
			"message draws one; \"\": job.flits"},
	{Path: "workload.burst_cycles", Default: "0", Min: "0", Max: "1e9", Unit: "cycles",
		when: all(TrafficWorkload), Source: "Dally and Towles 2004, sec. 24.2",
		Doc: "of traffic: mean length of the bursts in which a node creates messages, at least " +
			"1; between bursts it creates none, and the mean load stays the same; both kinds " +
			"of periods are geometric; 0: no bursts"},
	{Path: "workload.burst_share", Default: "0.5", Above: "0", Below: "1",
		when: all(TrafficWorkload, inBursts),
		Doc:  "of traffic: share of time that a node is in a burst"},
	{Path: "workload.self_messages", Default: "false", when: all(TrafficWorkload, sendsToSelf),
		Doc: "of traffic: nodes send to themselves too, through their routers, where the " +
			"pattern has them do so, as in BookSim 2; false: such nodes are silent, and " +
			"uniform traffic goes to others"},
	{Path: "workload.warmup_cycles", Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(TrafficWorkload),
		Doc:  "of traffic: not measured; 0: 5000, and 10 messages of each node on average"},
	{Path: "workload.window_cycles", Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(TrafficWorkload),
		Doc: "of traffic: messages created in it count; 0: 10000, and 40 messages of each node " +
			"on average"},
	{Path: "workload.lublin", Default: `"batch"`, Choices: []string{"batch", "interactive", "all"},
		when: all(WorkloadIs("lublin")),
		Doc: "which jobs of Lublin and Feitelson's model; all: with the parameters fitted to " +
			"both kinds together"},
	{Path: "workload.processors", Default: "0", Min: "0", Unit: "processors", when: all(synthetic),
		Doc: "processors that each generated job requests, of any shape; 0: jobs draw sides"},
}
