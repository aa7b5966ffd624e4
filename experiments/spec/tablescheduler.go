package spec

// schedulerKeys are the keys of [scheduler].
var schedulerKeys = []Key{
	{Path: "scheduler.policy", Default: `"fcfs"`, Names: "schedulers", when: all(queued),
		Doc: "order in which waiting jobs start"},
	{Path: "scheduler.poll_seconds", Default: "60", Min: "0", Max: "1e9", Unit: "s",
		when: all(queued, policyIs("cplant")), Source: "leung2002 sec. 3",
		Doc: "of cplant: time between two passes over the queue, at its multiples; 0: a pass " +
			"whenever a job arrives or ends (leung2002 says periodically)"},
	{Path: "scheduler.kill_at_reservation", Default: "false",
		when: all(queued, policyIs("easy"), runIs("fixed")), Source: "pascual2009 sec. 3",
		Doc: "of easy: the first job of the queue starts at its reservation, and backfilled " +
			"jobs in its way are killed"},
	{Path: "scheduler.backfill", Default: `"extra"`, Choices: []string{"extra", "ending"},
		when: all(queued, policyIs("easy")), Source: "pascual2009 sec. 1",
		Doc: "of easy: which jobs are backfilled: those that end, by their estimates, before " +
			"the reservation of the first job, and those on nodes that it does not need then; " +
			"or only those that end before"},
	{Path: "scheduler.reservation", Default: `"placement"`,
		Choices: []string{"placement", "count"}, when: all(queued, policyIs("easy"), condition{
			words: "an allocator that may refuse enough nodes",
			Holds: func(s *Spec) bool { return !s.countDecides() },
			is:    func(s *Spec) string { return s.Allocator.String() + " does not" },
		}),
		Source: "pascual2009 sec. 3",
		Doc: "of easy with an allocator that may refuse enough nodes: the first job's " +
			"reservation is for the time when the allocator can place it, or when enough nodes " +
			"are free"},
	{Path: "scheduler.on_overrun", Default: `"extend"`, Choices: overrunNames,
		when: all(swf, readsEstimates), Source: "johnson2010 sec. I",
		Doc: "what happens to a job that exceeds its estimate: it continues and is assumed to " +
			"end now, as the run times of a log require, since its system let the jobs run; it " +
			"is killed; or it cannot happen, because estimates of a log below the run time are " +
			"raised to it beforehand"},
	{Path: "scheduler.missing_estimate", Default: `"runtime"`, Choices: missingNames,
		when: all(swf, readsEstimates),
		Doc: "estimate of a job for which a log has none (-1): the run time, or " +
			"scheduler.estimate_factor times that. For policies that read estimates, and for " +
			"on_overrun = kill, which never kills such a job"},
	{Path: "scheduler.estimate_factor", Default: "2", Min: "1", Below: "1e9",
		when: all(swf, readsEstimates, when("scheduler.missing_estimate = factor",
			func(s *Spec) bool { return s.Scheduler.MissingEstimate == "factor" })),
		Source: "Mu'alem and Feitelson 2001",
		Doc: "of missing_estimate = factor: estimate over run time; 2 is the mean of Mu'alem " +
			"and Feitelson's model, uniform from 1 to f + 1, at f = 2"},
	{Path: "scheduler.decision", Default: `""`, read: decisionName, when: all(queued), Source: "bender2005 sec. 5",
		Doc: "a second allocator that is queried at each job start with the same free " +
			"processors and does not affect the run (the decision algorithm; that of " +
			"[allocator] is the situation algorithm). The metrics decision_* measure its choice"},
}
