package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/internal/decimal"
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
// byPlacement that time over its time alone on a contiguous place.
type slowdowns struct {
	known                 bool
	byOthers, byPlacement Uncertain
	aloneHalf             float64 // half width of byOthers that comes from the time alone
	estimated             bool    // the service time has an interval
}

// slowdownsOf returns the slowdowns of a job that has ended.
func (c *Collector) slowdownsOf(r *scheduler.Record) *slowdowns {
	half, estimated := c.halfWidths[r.Job.ID]
	s := &slowdowns{estimated: estimated}
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

// cells returns the slowdowns for a row of a job, empty where they are not known.
func (s *slowdowns) cells() []string {
	cells := make([]string, 4)
	if s.known {
		cells[0], cells[1] = decimal.Number(s.byOthers.Value), decimal.Number(s.byPlacement.Value)
		if s.estimated {
			cells[2], cells[3] = decimal.Number(s.byOthers.Half), decimal.Number(s.byPlacement.Half)
		}
	}
	return cells
}

// PairSlowdown is how many cycles a job takes alone on its nodes, and beside one other job only.
type PairSlowdown struct {
	Job, By            scheduler.JobID
	Pattern, ByPattern string
	Alone, Beside      scheduler.Cycle
}

// PairRows returns a row for each slowdown of a job that takes time, in the columns of
// SlowdownTable and the order of the jobs. unit is that of the clock.
func PairRows(list []PairSlowdown, clock scheduler.Clock, unit string) (rows [][]string) {
	slices.SortStableFunc(list, func(a, b PairSlowdown) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.By, b.By))
	})
	time := func(cycles scheduler.Cycle) string { return decimal.InUnit(unit, clock.Seconds(cycles)) }
	for _, s := range list {
		if s.Alone > 0 {
			rows = append(rows, []string{fmt.Sprint(s.Job), fmt.Sprint(s.By), s.Pattern, s.ByPattern,
				time(s.Alone), time(s.Beside), decimal.Number(float64(s.Beside) / float64(s.Alone))})
		}
	}
	return rows
}
