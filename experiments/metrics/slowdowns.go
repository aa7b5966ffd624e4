package metrics

import (
	"cmp"
	"math"
	"slices"

	"contend/scheduler"
)

// Uncertain is a value and the half width of its 95% interval, 0 where it is no estimate.
type Uncertain struct{ Value, Half float64 }

// dividedBy returns the ratio of two values whose errors are independent.
func (u Uncertain) dividedBy(v Uncertain) Uncertain {
	ratio := u.Value / v.Value
	return Uncertain{ratio, ratio * math.Hypot(u.Half/u.Value, v.Half/v.Value)}
}

// AloneTimes returns how many cycles a job takes alone on its nodes (here) and on a contiguous
// place. It reports false where the times are not known.
type AloneTimes = func(*scheduler.Record) (here, contiguous Uncertain, ok bool)

// slowdowns are those of a job: byOthers is its service time over its time alone on the same nodes,
// byPlacement that time over its time alone on a contiguous place. Both are NaN where they are not
// known.
type slowdowns struct {
	known                 bool
	byOthers, byPlacement Uncertain
	aloneHalf             float64 // half width of byOthers that comes from the time alone
	estimated             bool    // the service time has an interval
}

// slowdownsOf returns the slowdowns of a job that has ended.
func (c *Collector) slowdownsOf(r *scheduler.Record) *slowdowns {
	half, estimated := c.halfWidths[r.Job.ID]
	s := unknownSlowdowns(estimated)
	if c.alone == nil || r.Service() == 0 {
		return s
	}
	here, contiguous, ok := c.alone(r)
	if s.known = ok && here.Value > 0 && contiguous.Value > 0; s.known {
		service := Uncertain{float64(r.Service()), half}
		s.byOthers, s.byPlacement = service.dividedBy(here), here.dividedBy(contiguous)
		s.aloneHalf = s.byOthers.Value * here.Half / here.Value
	}
	return s
}

// unknownSlowdowns returns the slowdowns of a job whose times alone are not known.
func unknownSlowdowns(estimated bool) *slowdowns {
	unknown := Uncertain{math.NaN(), math.NaN()}
	return &slowdowns{estimated: estimated, byOthers: unknown, byPlacement: unknown}
}

// slowdownMean is the mean of slowdowns, and the mean of the half widths that come from times
// alone.
type slowdownMean struct {
	Mean
	aloneHalf Mean
}

// addSlowdowns adds the slowdowns of a job that counts.
func (c *Collector) addSlowdowns(s *slowdowns) {
	if s.known {
		c.byOthers.Add(s.byOthers.Value)
		c.byOthers.aloneHalf.Add(s.aloneHalf)
		c.byPlacement.Add(s.byPlacement.Value)
		c.byPlacement.aloneHalf.Add(s.byPlacement.Half)
	}
}

// metric adds the half width of a mean in percent, from the half width of service times in percent
// and those of times alone. Equal jobs at equal places share one time alone, so its half widths add
// up and do not cancel.
func (m *slowdownMean) metric(add func(string, float64), name string, service float64) {
	if m.N > 0 {
		add(name, math.Hypot(service, 100*m.aloneHalf.Value()/m.Value()))
	}
}

// errorOf returns the half width of one of the slowdowns, NaN where it is not known.
func (s *slowdowns) errorOf(u Uncertain) float64 {
	if !s.estimated {
		return math.NaN()
	}
	return u.Half
}

// PairSlowdown is a row of slowdowns.csv: how many cycles a job takes alone on its nodes, and
// beside one other job only.
type PairSlowdown struct {
	Job, By            scheduler.JobID
	Pattern, ByPattern string
	Alone, Beside      scheduler.Cycle
}

// SlowdownTable is slowdowns.csv.
var SlowdownTable = withColumns(RowTable{Name: "slowdowns",
	Row:    "job and other job on the machine with it",
	Wanted: func(x *Records) bool { return x.Slowdowns }},
	func(x *Records) []PairSlowdown { return x.SlowdownRows },
	integers("job", "", "number of the job",
		func(s *PairSlowdown) scheduler.JobID { return s.Job }),
	integers("by_job", "", "another job, which was on the machine at the same time",
		func(s *PairSlowdown) scheduler.JobID { return s.By }),
	texts("pattern", "who sends to whom in `job`", func(s *PairSlowdown) string { return s.Pattern }),
	texts("by_pattern", "the same in `by_job`", func(s *PairSlowdown) string { return s.ByPattern }),
	times("time_alone", "time of `job` on its nodes with nobody else on the machine",
		func(s *PairSlowdown) scheduler.Cycle { return s.Alone }),
	times("time_beside", "the same with `by_job` only, on its nodes too, each "+
		"started as long after the other as in the run",
		func(s *PairSlowdown) scheduler.Cycle { return s.Beside }),
	numbers("slowdown", "", "`time_beside` over `time_alone`",
		func(s *PairSlowdown) float64 { return float64(s.Beside) / float64(s.Alone) }),
)

// PairRows returns the slowdowns of jobs that take time, in the order of the jobs.
func PairRows(list []PairSlowdown) []PairSlowdown {
	slices.SortStableFunc(list, func(a, b PairSlowdown) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.By, b.By))
	})
	return slices.DeleteFunc(list, func(s PairSlowdown) bool { return s.Alone <= 0 })
}
