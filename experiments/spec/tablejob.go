package spec

// jobKeys are the keys of [job] that say what jobs send.
var jobKeys = []Key{
	{Path: "job.run", Default: `"messages"`, Choices: runNames, when: all(queued),
		Doc: "a job runs until its quota of messages has arrived, or for its run time without " +
			"a network"},
	{Path: "job.pattern", Default: `"all-to-all"`, Names: "patterns", Mix: true,
		when: all(messages, jobs),
		Doc: "who sends to whom; a mix with weights, such as all-to-all:2+ring:1, draws one " +
			"for each job; a NAS benchmark may have its class, npb-ft:A or, with a weight, " +
			"npb-ft:A:2"},
	{Path: "job.order", Default: `"same"`, Choices: []string{"same", "rotated"},
		when: all(messages, jobs, usedBy("order", "all-to-all, one-to-all or cplant-suite")),
		Doc:  "of all-to-all: every process sends to 0, 1, 2, ..., or process i to i+1, i+2, ..."},
	{Path: "job.cut", Default: `"round"`,
		Choices: []string{"round", "process", "phase", "iteration"},
		when:    all(messages, jobs, usedBy("cut", "a pattern in phases")),
		Doc: "which messages of the phase that reaches the quota are sent: every sender's " +
			"first, then every sender's second, ...; those of the first senders; all; or all " +
			"of the iteration"},
	{Path: "job.grid", Default: `"square"`, Choices: []string{"square", "cube", "shape"},
		when: all(messages, jobs, usedBy("grid", "multigrid or near-neighbour")),
		Doc: "process grid of a pattern: the most nearly square one, the most nearly cubic " +
			"one, or the shape the job asked for"},
	{Path: "job.cycle", Default: `"v"`, Choices: []string{"v", "by-dimension"},
		when: all(messages, jobs, usedBy("cycle", "multigrid")),
		Doc: "order of multigrid's exchanges: the levels down and up again, all neighbours at " +
			"once; or one dimension after the other, boundaries closed, one message each way " +
			"in a ring of two, the finest level once, found by fitting Lo et al.'s figures. " +
			"NAS MG's own order is the pattern npb-mg"},
	{Path: "job.bits", Default: `"highest-first"`,
		Choices: []string{"highest-first", "lowest-first"},
		when:    all(messages, jobs, usedBy("bits", "fft")), Source: "lo1994 sec. 4.2",
		Doc: "order in which fft exchanges the bits of a process's number"},
	{Path: "job.bodies", Default: `"half"`, Choices: []string{"half", "all"},
		when: all(messages, jobs, usedBy("bodies", "n-body")), Source: "lo1994 sec. 4.2",
		Doc: "of n-body: bodies are passed half round the ring and sent home, or all round it"},
	{Path: "job.flits", Default: "8", Min: "1", Max: "2147483647", Unit: "flits",
		when: all(messages,
			usedBy("flits", "a pattern whose messages have no sizes of their own"), oneLength),
		Doc: "length of a message, except in patterns whose messages have sizes in bytes"},
	{Path: "job.repeat", Default: "100", Min: "1", Max: "1000000",
		when: all(messages, jobs, usedBy("repeat", "cplant-suite")), Source: "leung2002 sec. 4",
		Doc: "how often a suite does each of its patterns"},
	{Path: "job.class", Default: `"A"`, Choices: []string{"S", "W", "A", "B", "C"},
		when: all(messages, jobs,
			usedBy("class", "a NAS benchmark without a class of its own in job.pattern")),
		Doc: "problem size of a NAS benchmark that has no class of its own in job.pattern"},
	{Path: "job.scale", Default: "1", Max: "1", Above: "0",
		when: all(messages, jobs, usedBy("scale", ownSizes)),
		Doc: "factor on sizes in bytes, so that NAS benchmarks of larger classes are simulated " +
			"in seconds"},
	{Path: "job.bytes", Default: "65536", Min: "1", Max: "2147483647", Unit: "bytes",
		when: all(messages, jobs, usedBy("bytes", "all-reduce, all-gather or reduce-scatter")),
		Doc:  "vector of all-reduce, all-gather and reduce-scatter, all blocks together"},
	{Path: "job.levels", Default: "0", Min: "0", Max: "30",
		when: all(messages, jobs, usedBy("levels", "multigrid")),
		Doc:  "levels of a multigrid V-cycle; 0: all levels"},
}
