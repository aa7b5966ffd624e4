package spec

// schedulerKeys are the keys of [scheduler].
var schedulerKeys = []Key{
	{
		Path:    "scheduler.policy",
		of:      func(s *Spec) any { return &s.Scheduler.Policy },
		Default: `"fcfs"`,
		Names:   "schedulers",
		Doc:     "in which order waiting jobs start",
		when:    []condition{queued},
	},
	{
		Path:    "scheduler.poll_seconds",
		of:      func(s *Spec) any { return &s.Scheduler.PollSeconds },
		Default: "60", Min: "0", Max: "1e9", Unit: "s",
		Doc: "of cplant: time between two looks at the queue, at its multiples; 0: whenever a " +
			"job arrives or ends (leung2002 says periodically)",
		Source: "leung2002 sec. 3",
		when:   []condition{queued, policyIs("cplant")},
	},
	{
		Path:    "scheduler.kill_at_reservation",
		of:      func(s *Spec) any { return &s.Scheduler.KillAtReservation },
		Default: "false",
		Doc: "of easy: the first job of the queue runs at the time it was promised, and jobs " +
			"in its way that went ahead of it are killed",
		Source: "pascual2009 sec. 3",
		when:   []condition{queued, policyIs("easy"), runIs("fixed")},
	},
	{
		Path:    "scheduler.backfill",
		of:      func(s *Spec) any { return &s.Scheduler.Backfill },
		Default: `"extra"`,
		Choices: []string{"extra", "ending"},
		Doc: "of easy: which jobs go ahead of the first one: those that end, by their " +
			"estimates, before its reservation, and those on nodes it leaves over then; or " +
			"only those that end before",
		Source: "pascual2009 sec. 1",
		when:   []condition{queued, policyIs("easy")},
	},
	{
		Path:    "scheduler.reservation",
		of:      func(s *Spec) any { return &s.Scheduler.Reservation },
		Default: `"placement"`,
		Choices: []string{"placement", "count"},
		Doc: "of easy with an allocator that may refuse enough nodes: the first job's " +
			"reservation is for when the allocator would place it, or for when enough nodes " +
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
		Doc: "what becomes of a job that passes its estimate: it goes on and is taken to end " +
			"now, as the run times of a log call for, which are those its system let jobs " +
			"have; it is killed; or it does not happen, because estimates of a log below the " +
			"run time are raised to it beforehand",
		Source: "johnson2010 sec. I",
		when:   []condition{swf, readsEstimates},
	},
	{
		Path:    "scheduler.missing_estimate",
		of:      func(s *Spec) any { return &s.Scheduler.MissingEstimate },
		Default: `"runtime"`,
		Choices: missingNames,
		Doc: "what users are taken to have estimated where a log does not say (-1): the run " +
			"time, or scheduler.estimate_factor times that; of policies that look at " +
			"estimates, and of on_overrun = kill, which kills no such job either way",
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
		Doc: "an allocator that is asked, whenever a job starts, where it would have put it " +
			"with the same processors free (the decision algorithm; that of [allocator] is the " +
			"situation algorithm); the metrics decision_* say how well. It does not change the " +
			"run",
		Source: "bender2005 sec. 5",
		when:   []condition{queued},
	},
}
