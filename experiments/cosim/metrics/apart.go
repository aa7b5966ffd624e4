package metrics

import (
	"contend/internal/decimal"
	"contend/scheduler"
)

// slowdowns are how many times longer a job took than alone on its nodes, and there than alone on a
// contiguous place. They are 0 where that is not known.
type slowdowns struct{ byOthers, byPlacement float64 }

// apart returns the slowdowns of a job that has ended.
func (c *Collector) apart(r *scheduler.Record) (s slowdowns) {
	if c.alone == nil || r.Service() == 0 {
		return s
	}
	if here, contiguous, ok := c.alone(r); ok && here > 0 && contiguous > 0 {
		s.byOthers = float64(r.Service()) / float64(here)
		s.byPlacement = float64(here) / float64(contiguous)
	}
	return s
}

// add adds the slowdowns of a job that counts.
func (s slowdowns) add(c *Collector) {
	if s.byOthers > 0 {
		c.byOthers.Add(s.byOthers)
		c.byPlacement.Add(s.byPlacement)
	}
}

// cells returns the slowdowns for a row of a job, empty where they are not known.
func (s slowdowns) cells() []string {
	if s.byOthers == 0 {
		return []string{"", ""}
	}
	return []string{decimal.Number(s.byOthers), decimal.Number(s.byPlacement)}
}
