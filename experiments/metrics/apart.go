package metrics

import (
	"math"

	"contend/internal/decimal"
	"contend/scheduler"
)

// Uncertain is a value and the half width of its 95% interval, 0 where it is no estimate.
type Uncertain struct{ Value, Half float64 }

// over returns a ratio of two values whose errors are independent.
func (u Uncertain) over(v Uncertain) Uncertain {
	ratio := u.Value / v.Value
	return Uncertain{ratio, ratio * math.Hypot(u.Half/u.Value, v.Half/v.Value)}
}

// AloneTimes returns how many cycles a job takes alone on its nodes and on a contiguous place, and
// false where that is not known.
type AloneTimes = func(*scheduler.Record) (here, contiguous Uncertain, ok bool)

// slowdowns are how many times longer a job took than alone on its nodes, and there than alone on a
// contiguous place.
type slowdowns struct {
	known                 bool
	byOthers, byPlacement Uncertain
	alone                 float64 // half width of byOthers that comes from the time alone
	estimated             bool    // the service time has an interval
}

// apart returns the slowdowns of a job that has ended.
func (c *Collector) apart(r *scheduler.Record) *slowdowns {
	half, estimated := c.unsure[r.Job.ID]
	s := &slowdowns{estimated: estimated}
	if c.alone == nil || r.Service() == 0 {
		return s
	}
	here, contiguous, ok := c.alone(r)
	if s.known = ok && here.Value > 0 && contiguous.Value > 0; s.known {
		service := Uncertain{float64(r.Service()), half}
		s.byOthers, s.byPlacement = service.over(here), here.over(contiguous)
		s.alone = s.byOthers.Value * here.Half / here.Value
	}
	return s
}

// slowdownMean is a mean of slowdowns, and that of their half widths as far as those come from
// times alone.
type slowdownMean struct {
	Mean
	alone Mean
}

// add adds the slowdowns of a job that counts.
func (s *slowdowns) add(c *Collector) {
	if s.known {
		c.byOthers.Add(s.byOthers.Value)
		c.byOthers.alone.Add(s.alone)
		c.byPlacement.Add(s.byPlacement.Value)
		c.byPlacement.alone.Add(s.byPlacement.Half)
	}
}

// addError adds the half width of a mean in percent: what the service times leave uncertain, and
// the times alone. Those of equal jobs at equal places are one time, so their half widths add up.
func (m *slowdownMean) addError(add func(string, float64), name string, service float64) {
	if m.N > 0 {
		add(name, math.Hypot(service, 100*m.alone.Value()/m.Value()))
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
