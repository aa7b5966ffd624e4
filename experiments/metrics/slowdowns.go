package metrics

import (
	"cmp"
	"math"
	"slices"

	"contend/scheduler"
)

// Uncertain is a value and the half width of its 95% interval, 0 where it is no estimate.
type Uncertain struct{ Value, Half float64 }

// dividedBy returns the ratio of two values. Equal values of equal intervals are those of one
// simulation; the errors of others are independent.
func (u Uncertain) dividedBy(v Uncertain) Uncertain {
	if u == v {
		return Uncertain{Value: 1}
	}
	ratio := u.Value / v.Value
	return Uncertain{ratio, ratio * math.Hypot(u.Half/u.Value, v.Half/v.Value)}
}

// JobAlone is how many cycles a job takes with nobody else on the machine: on its nodes as in the
// run, on its nodes with its processes in the order of node numbers, and on a contiguous place in
// that order.
type JobAlone struct{ Here, InOrder, Contiguous Uncertain }

// AloneTimes returns the times of a job alone. It reports false where they are not known.
type AloneTimes = func(*scheduler.Record) (t JobAlone, ok bool)

// slowdowns are the factors between the time of a job alone on a contiguous place in order and its
// service time: the service time over Here, and each time of JobAlone over the next one. They are
// NaN where the times are not known.
type slowdowns struct {
	known                          bool
	byOthers, byOrder, byPlacement Uncertain
	here                           Uncertain // the time alone on its nodes
	unsure
	estimated bool // the service time has an interval
}

// unsure is the part of a service time that jumps may have changed, and the half width that the
// carry of the job leaves, in cycles.
type unsure struct{ cycles, carry float64 }

// slowdownsOf returns the slowdowns of a job that has ended.
func (c *Collector) slowdownsOf(r *scheduler.Record) *slowdowns {
	part, estimated := c.unsure[r.Job.ID]
	s := unknownSlowdowns(estimated)
	s.unsure = part
	if c.alone == nil || r.Service() == 0 {
		return s
	}
	t, ok := c.alone(r)
	s.known = ok && t.Here.Value > 0 && t.InOrder.Value > 0 && t.Contiguous.Value > 0
	if s.known {
		s.here = t.Here
		s.byOthers = Uncertain{Value: float64(r.Service())}.dividedBy(t.Here)
		s.byOrder = t.Here.dividedBy(t.InOrder)
		s.byPlacement = t.InOrder.dividedBy(t.Contiguous)
	}
	return s
}

// unknownSlowdowns returns the slowdowns of a job whose times alone are not known.
func unknownSlowdowns(estimated bool) *slowdowns {
	unknown := Uncertain{math.NaN(), math.NaN()}
	return &slowdowns{estimated: estimated, byOthers: unknown, byOrder: unknown,
		byPlacement: unknown}
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
		c.byOthers.aloneHalf.Add(s.byOthers.Value * s.here.Half / s.here.Value)
		c.byOrder.Add(s.byOrder.Value)
		c.byOrder.aloneHalf.Add(s.byOrder.Half)
		c.byPlacement.Add(s.byPlacement.Value)
		c.byPlacement.aloneHalf.Add(s.byPlacement.Half)
	}
}

// metric adds the half width that times alone leave to a mean, in percent. Equal jobs at equal
// places share one time alone, so its half widths add up and do not cancel.
func (m *slowdownMean) metric(add func(string, float64), name string) {
	if m.N > 0 {
		add(name, 100*m.aloneHalf.Value()/m.Value())
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
