package spec

// jobKeys are the keys of [job] that say what jobs send.
var jobKeys = []Key{
	{
		Path:    "job.run",
		of:      func(s *Spec) any { return &s.Job.Run },
		Default: `"messages"`,
		Choices: runNames,
		Doc: "a job runs until its quota of messages has arrived, or for its run time without a " +
			"network",
		when: []condition{queued},
	},
	{
		Path:    "job.pattern",
		of:      func(s *Spec) any { return &s.Job.Pattern },
		Default: `"all-to-all"`,
		Names:   "patterns", Mix: true,
		Doc: "who sends to whom; a mix with weights, such as all-to-all:2+ring:1, draws one " +
			"for each job; a NAS benchmark may have its class, npb-ft:A or, with a weight, " +
			"npb-ft:A:2",
		when: []condition{messages, jobs},
	},
	{
		Path:    "job.order",
		of:      func(s *Spec) any { return &s.Job.Order },
		Default: `"same"`,
		Choices: []string{"same", "rotated"},
		Doc: "of all-to-all: every process sends to 0, 1, 2, ..., or process i to i+1, i+2, " +
			"...",
		when: []condition{
			messages, jobs,
			usedBy("order", "all-to-all, one-to-all or cplant-suite"),
		},
	},
	{
		Path:    "job.cut",
		of:      func(s *Spec) any { return &s.Job.Cut },
		Default: `"round"`,
		Choices: []string{"round", "process", "phase", "iteration"},
		Doc: "which messages of the phase that reaches the quota are sent: every sender's " +
			"first, then every sender's second, ...; those of the first senders; all; or all " +
			"of the iteration",
		when: []condition{messages, jobs, usedBy("cut", "a pattern in phases")},
	},
	{
		Path:    "job.grid",
		of:      func(s *Spec) any { return &s.Job.Grid },
		Default: `"square"`,
		Choices: []string{"square", "cube", "shape"},
		Doc: "process grid of a pattern: the most nearly square one, the most nearly cubic " +
			"one, or the shape the job asked for",
		when: []condition{messages, jobs, usedBy("grid", "multigrid or near-neighbour")},
	},
	{
		Path:    "job.cycle",
		of:      func(s *Spec) any { return &s.Job.Cycle },
		Default: `"v"`,
		Choices: []string{"v", "by-dimension"},
		Doc: "order of multigrid's exchanges: the levels down and up again, all neighbours at " +
			"once; or one dimension after the other, boundaries closed, one message each way " +
			"in a ring of two, the finest level once, found by fitting Lo et al.'s figures. " +
			"NAS MG's own order is the pattern npb-mg",
		when: []condition{messages, jobs, usedBy("cycle", "multigrid")},
	},
	{
		Path:    "job.bits",
		of:      func(s *Spec) any { return &s.Job.Bits },
		Default: `"highest-first"`,
		Choices: []string{"highest-first", "lowest-first"},
		Doc:     "order in which fft exchanges the bits of a process's number",
		Source:  "lo1994 sec. 4.2",
		when:    []condition{messages, jobs, usedBy("bits", "fft")},
	},
	{
		Path:    "job.bodies",
		of:      func(s *Spec) any { return &s.Job.Bodies },
		Default: `"half"`,
		Choices: []string{"half", "all"},
		Doc:     "of n-body: bodies are passed half round the ring and sent home, or all round it",
		Source:  "lo1994 sec. 4.2",
		when:    []condition{messages, jobs, usedBy("bodies", "n-body")},
	},
	{
		Path:    "job.flits",
		of:      func(s *Spec) any { return &s.Job.Flits },
		Default: "8", Min: "1", Max: "2147483647", Unit: "flits",
		Doc: "length of a message, except in patterns whose messages have sizes in bytes",
		when: []condition{
			messages,
			usedBy("flits", "a pattern whose messages have no sizes of their own"),
			oneLength,
		},
	},
	{
		Path:    "job.repeat",
		of:      func(s *Spec) any { return &s.Job.Repeat },
		Default: "100", Min: "1", Max: "1000000",
		Doc:    "how often a suite does each of its patterns",
		Source: "leung2002 sec. 4",
		when:   []condition{messages, jobs, usedBy("repeat", "cplant-suite")},
	},
	{
		Path:    "job.class",
		of:      func(s *Spec) any { return &s.Job.Class },
		Default: `"A"`,
		Choices: []string{"S", "W", "A", "B", "C"},
		Doc:     "problem size of a NAS benchmark that has no class of its own in job.pattern",
		when: []condition{
			messages, jobs,
			usedBy("class", "a NAS benchmark without a class of its own in job.pattern"),
		},
	},
	{
		Path:    "job.scale",
		of:      func(s *Spec) any { return &s.Job.Scale },
		Default: "1", Max: "1", Above: "0",
		Doc: "factor on sizes in bytes, so that NAS benchmarks of larger classes are simulated " +
			"in seconds",
		when: []condition{messages, jobs, usedBy("scale", ownSizes)},
	},
	{
		Path:    "job.bytes",
		of:      func(s *Spec) any { return &s.Job.Bytes },
		Default: "65536", Min: "1", Max: "2147483647", Unit: "bytes",
		Doc: "vector of all-reduce, all-gather and reduce-scatter, all blocks together",
		when: []condition{
			messages, jobs,
			usedBy("bytes", "all-reduce, all-gather or reduce-scatter"),
		},
	},
	{
		Path:    "job.levels",
		of:      func(s *Spec) any { return &s.Job.Levels },
		Default: "0", Min: "0", Max: "30",
		Doc:  "levels of a multigrid V-cycle; 0: all levels",
		when: []condition{messages, jobs, usedBy("levels", "multigrid")},
	},
}
