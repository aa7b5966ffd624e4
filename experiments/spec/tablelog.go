package spec

// logKeys are the keys of [workload] that change the jobs of a log.
var logKeys = []Key{
	{Path: "workload.target_load", Default: "0", Min: "0", when: all(WorkloadIs("swf", "lublin")),
		Doc: "interarrival times of a log or of Lublin and Feitelson's model are multiplied by " +
			"one factor such that the load, the work of all jobs over the time from the first " +
			"to the last submission (metric submitted_load), is this, window by window; 0: " +
			"they are not"},
	{Path: "workload.size_clamp", Default: "0", Min: "0", Unit: "processors",
		when: all(LogWorkloads),
		Doc:  "larger jobs of a log are made this large; 0: they are an error"},
	{Path: "workload.size_divisor", Default: "1", Min: "1", when: all(LogWorkloads),
		Source: "bender2005 sec. 6",
		Doc:    "sizes of a log are divided by it, rounding up"},
	{Path: "workload.round_sizes", Default: `"none"`,
		Choices: []string{"none", "down", "nearest", "up"}, when: all(LogWorkloads),
		Doc: "round sizes of a log to a power of two"},
	{Path: "workload.work_multiple", Default: "1", Above: "0", when: all(LogWorkloads),
		Source: "leung2002 sec. 3",
		Doc:    "run times of a log are multiplied by it"},
	{Path: "workload.load_scale", Default: "1", Above: "0",
		when: all(LogWorkloads, when("workload.target_load = 0",
			func(s *Spec) bool { return s.Workload.TargetLoad == 0 })),
		Doc: "interarrival times of a log are divided by it"},
	{Path: "workload.shake", Default: "0", Min: "0", Max: "1e9", Unit: "s",
		when: all(LogWorkloads), Source: "Tsafrir, Ouaknine and Feitelson 2007",
		Doc: "each replication moves every submission of a log by up to this time, earlier or " +
			"later but not before time 0, which shows how much results depend on chance"},
	{Path: "workload.replication_factor", Default: "1", Min: "1", Max: "1000",
		when: all(LogWorkloads), Source: "leung2002 sec. 3",
		Doc: "copies of each job of a log, submitted at other times"},
	{Path: "workload.replication_spread", Default: "3600", Min: "0", Max: "1e12", Unit: "s",
		when: all(LogWorkloads, when("workload.replication_factor above 1",
			func(s *Spec) bool { return s.Workload.Replication > 1 })),
		Doc: "copies of a job are submitted up to this time before or after it, but not before " +
			"time 0 (leung2002 does not give it)"},
}
