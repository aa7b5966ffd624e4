package spec

// logKeys are the keys of [workload] that change the jobs of a log.
var logKeys = []Key{
	{
		Path:    "workload.target_load",
		of:      func(s *Spec) any { return &s.Workload.TargetLoad },
		Default: "0", Min: "0",
		Doc: "interarrival times of a log or of Lublin and Feitelson's model are multiplied by " +
			"one factor such that the load, the work of all jobs over the time from the first " +
			"to the last submission (metric submitted_load), is this, window by window; 0: they " +
			"are not",
		when: []condition{WorkloadIs("swf", "lublin")},
	},
	{
		Path:    "workload.size_clamp",
		of:      func(s *Spec) any { return &s.Workload.SizeClamp },
		Default: "0", Min: "0", Unit: "processors",
		Doc:  "larger jobs of a log are made this large; 0: they are an error",
		when: []condition{LogWorkloads},
	},
	{
		Path:    "workload.size_divisor",
		of:      func(s *Spec) any { return &s.Workload.SizeDivisor },
		Default: "1", Min: "1",
		Doc:    "sizes of a log are divided by it, rounding up",
		Source: "bender2005 sec. 6",
		when:   []condition{LogWorkloads},
	},
	{
		Path:    "workload.round_sizes",
		of:      func(s *Spec) any { return &s.Workload.RoundSizes },
		Default: `"none"`,
		Choices: []string{"none", "down", "nearest", "up"},
		Doc:     "round sizes of a log to a power of two",
		when:    []condition{LogWorkloads},
	},
	{
		Path:    "workload.work_multiple",
		of:      func(s *Spec) any { return &s.Workload.WorkMultiple },
		Default: "1", Above: "0",
		Doc:    "run times of a log are multiplied by it",
		Source: "leung2002 sec. 3",
		when:   []condition{LogWorkloads},
	},
	{
		Path:    "workload.load_scale",
		of:      func(s *Spec) any { return &s.Workload.LoadScale },
		Default: "1", Above: "0",
		Doc: "interarrival times of a log are divided by it",
		when: []condition{LogWorkloads, when("workload.target_load = 0",
			func(s *Spec) bool { return s.Workload.TargetLoad == 0 })},
	},
	{
		Path:    "workload.shake",
		of:      func(s *Spec) any { return &s.Workload.Shake },
		Default: "0", Min: "0", Max: "1e9", Unit: "s",
		Doc: "each replication moves every submission of a log by up to this time, earlier or " +
			"later but not before time 0, which shows how much results depend on chance",
		Source: "Tsafrir, Ouaknine and Feitelson 2007",
		when:   []condition{LogWorkloads},
	},
	{
		Path:    "workload.replication_factor",
		of:      func(s *Spec) any { return &s.Workload.Replication },
		Default: "1", Min: "1", Max: "1000",
		Doc:    "copies of each job of a log, submitted at other times",
		Source: "leung2002 sec. 3",
		when:   []condition{LogWorkloads},
	},
	{
		Path:    "workload.replication_spread",
		of:      func(s *Spec) any { return &s.Workload.Spread },
		Default: "3600", Min: "0", Max: "1e12", Unit: "s",
		Doc: "copies of a job are submitted up to this time before or after it, but not before " +
			"time 0 (leung2002 does not give it)",
		when: []condition{LogWorkloads, when("workload.replication_factor above 1",
			func(s *Spec) bool { return s.Workload.Replication > 1 })},
	},
}
