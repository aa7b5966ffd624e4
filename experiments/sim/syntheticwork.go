package sim

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments/config"
	"contend/router/topology"
	"contend/scheduler"
)

// makeSynthetic makes a generated stream of jobs.
func (m *workMaker) makeSynthetic() error {
	m.addPatterns()
	plan := m.plan
	c := plan.Workload.Synthetic
	c.Patterns, c.Seed = m.weights, m.seed
	if m.setClock(config.UnitCycles); plan.Job.Run == config.RunMessages {
		m.setClock(1)
		var err error
		if c.PatternQuota, err = m.meanQuotas(c); err != nil {
			return err
		}
		c.Quota = plan.Job.Quota.Draw
		c.Quota.Mean = c.PatternQuota[0]
		c.Service = scheduler.Distribution{}
		if err := m.setLoad(&c); err != nil {
			return err
		}
	}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return refuseSides(plan, err)
	}
	m.Source = g
	return nil
}

// refuseSides converts an error of the configuration of a generated stream. It says what counts as
// the sides of a machine that has none.
func refuseSides(plan *config.Plan, err error) error {
	bad := config.Refuse(err)
	_, sided := plan.Machine.(topology.Grid)
	if !sided && plan.Workload.Processors == 0 && strings.HasPrefix(bad.Key, "workload.side.") {
		bad.Right = fmt.Sprintf("a machine without sides counts as a square, here one of side %d",
			plan.Workload.Synthetic.Sides[0])
	}
	return bad
}

// meanQuotas returns the mean number of messages of a job, by pattern. The plan gives it
// directly or as the messages of iterations of the mean-sized job (lo1994 App. A).
func (m *workMaker) meanQuotas(c scheduler.SyntheticConfig) ([]float64, error) {
	q := &m.plan.Job.Quota
	shape, err := meanShape(c)
	if err != nil {
		return nil, refuseSides(m.plan, err)
	}
	n := 1
	for _, side := range shape {
		n *= side
	}
	if q.Processes > 0 {
		n, shape = q.Processes, nil
	}
	var means []float64
	for _, p := range m.patterns {
		mean, err := meanQuota(q, p, n, shape)
		if err != nil {
			return nil, config.FieldPattern.Refuse(err)
		}
		means = append(means, max(1, mean))
	}
	return means, nil
}

// meanShape returns the sides of the mean-sized job. Each is the mean of the distribution of
// that side, rounded to a whole number and then as drawn sides are rounded.
func meanShape(c scheduler.SyntheticConfig) ([]int, error) {
	round := c.Side.Round
	c.Side.Round = ""
	c.PatternQuota, c.Quota = nil, scheduler.Distribution{}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return nil, err
	}
	var shape []int
	for _, mean := range g.MeanSides() {
		shape = append(shape, scheduler.RoundToPower(max(1, int(math.Round(mean))), round))
	}
	return shape, nil
}
