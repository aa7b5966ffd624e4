package spec

// schedulerKeys are the keys of [scheduler].
var schedulerKeys = []Key{
	{
		Path:    "scheduler.policy",
		of:      func(s *Spec) any { return &s.Scheduler.Policy },
		Default: `"fcfs"`,
		Names:   "schedulers",
		Doc:     "order in which waiting jobs start",
		when:    []condition{queued},
	},
	{
		Path:    "scheduler.poll_seconds",
		of:      func(s *Spec) any { return &s.Scheduler.PollSeconds },
		Default: "60", Min: "0", Max: "1e9", Unit: "s",
		Doc: "of cplant: time between two passes over the queue, at its multiples; 0: a pass " +
			"whenever a job arrives or ends (leung2002 says periodically)",
		Source: "leung2002 sec. 3",
		when:   []condition{queued, policyIs("cplant")},
	},
	{
		Path:    "scheduler.kill_at_reservation",
		of:      func(s *Spec) any { return &s.Scheduler.KillAtReservation },
		Default: "false",
		Doc: "of easy: the first job of the queue starts at its reservation, and backfilled " +
			"jobs in its way are killed",
		Source: "pascual2009 sec. 3",
		when:   []condition{queued, policyIs("easy"), runIs("fixed")},
	},
	{
		Path:    "scheduler.backfill",
		of:      func(s *Spec) any { return &s.Scheduler.Backfill },
		Default: `"extra"`,
		Choices: []string{"extra", "ending"},
		Doc: "of easy: which jobs are backfilled: those that end, by their estimates, before " +
			"the reservation of the first job, and those on nodes that it does not need then; " +
			"or only those that end before",
		Source: "pascual2009 sec. 1",
		when:   []condition{queued, policyIs("easy")},
	},
	{
		Path:    "scheduler.reservation",
		of:      func(s *Spec) any { return &s.Scheduler.Reservation },
		Default: `"placement"`,
		Choices: []string{"placement", "count"},
		Doc: "of easy with an allocator that may refuse enough nodes: the first job's " +
			"reservation is for the time when the allocator can place it, or when enough nodes " +
			"are free",
		Source: "pascual2009 sec. 3",
		when: []condition{queued, policyIs("easy"), {
			words: "an allocator that may refuse enough nodes",
			Holds: func(s *Spec) bool { return !s.countDecides() },
			is:    func(s *Spec) string { return s.Allocator.String() + " does not" },
		}},
	},
	{
		Path:    "scheduler.on_overrun",
		of:      func(s *Spec) any { return &s.Scheduler.OnOverrun },
		Default: `"extend"`,
		Choices: overrunNames,
		Doc: "what happens to a job that exceeds its estimate: it continues and is assumed to end " +
			"now, as the run times of a log require, since its system let the jobs run; it is " +
			"killed; or it cannot happen, because estimates of a log below the run time are " +
			"raised to it beforehand",
		Source: "johnson2010 sec. I",
		when:   []condition{swf, readsEstimates},
	},
	{
		Path:    "scheduler.missing_estimate",
		of:      func(s *Spec) any { return &s.Scheduler.MissingEstimate },
		Default: `"runtime"`,
		Choices: missingNames,
		Doc: "estimate of a job for which a log has none (-1): the run time, or " +
			"scheduler.estimate_factor times that. For policies that read estimates, and for " +
			"on_overrun = kill, which never kills such a job",
		when: []condition{swf, readsEstimates},
	},
	{
		Path:    "scheduler.estimate_factor",
		of:      func(s *Spec) any { return &s.Scheduler.EstimateFactor },
		Default: "2", Min: "1", Below: "1e9",
		Doc: "of missing_estimate = factor: estimate over run time; 2 is the mean of Mu'alem " +
			"and Feitelson's model, uniform from 1 to f + 1, at f = 2",
		Source: "Mu'alem and Feitelson 2001",
		when: []condition{swf, readsEstimates, when("scheduler.missing_estimate = factor",
			func(s *Spec) bool { return s.Scheduler.MissingEstimate == "factor" })},
	},
	{
		Path:    "scheduler.decision",
		of:      func(s *Spec) any { return &s.Scheduler.Decision },
		Default: `""`,
		Doc: "a second allocator that is queried at each job start with the same free " +
			"processors and does not affect the run (the decision algorithm; that of " +
			"[allocator] is the situation algorithm). The metrics decision_* measure its choice",
		Source: "bender2005 sec. 5",
		when:   []condition{queued},
	},
}
