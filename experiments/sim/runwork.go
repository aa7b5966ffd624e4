package sim

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Work is the jobs of a run and their clock.
type Work struct {
	// Source yields the jobs in the order of their submission.
	Source scheduler.Source

	patterns   []patterns.Config // by Job.Pattern
	texts      []string          // all fields of these
	clock      scheduler.Clock
	until      int    // number of jobs after which the run ends; 0 means all jobs
	ruled      string // says how many jobs have their pattern by job.rules; may be ""
	shared     string // says how jobs divide their time into computing and communicating; may be ""
	noEstimate int    // jobs of a log without an estimate
	partial    int    // parallel jobs that run for less than one iteration of their pattern
	parallel   int    // parallel jobs
}

// NewWork opens the source of jobs of a plan.
func (s *Simulator) NewWork(plan *config.Plan, replication int) (w *Work, err error) {
	w = &Work{}
	weights := patternWeights(plan)
	for _, p := range plan.Job.Patterns {
		w.addPattern(p.Config)
	}
	seed, _ := plan.StreamSeed(replication, "workload")
	switch plan.Workload.Source {
	case config.SourceSynthetic:
		err = syntheticWork(w, plan, weights, seed)
	case config.SourceList:
		err = listWork(w, plan, seed)
	default:
		var first *Work
		if replication > 0 && plan.Job.CyclesPerSecond == input.Automatic && plan.Calibrates {
			if first, err = s.firstWork(plan); err != nil {
				return nil, err
			}
		}
		start := plan.Workload.Start + replication*plan.Workload.Window
		err = s.logWork(w, plan, start, weights, seed, first)
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// addPattern adds a pattern of jobs. Its text identifies it. Name tells patterns from outside
// apart.
func (w *Work) addPattern(p patterns.Config) {
	w.patterns = append(w.patterns, p)
	p.Own, p.Work = nil, nil
	w.texts = append(w.texts, fmt.Sprintf("%+v", p))
}

// patternWeights returns the weights of the patterns of a plan, by which jobs draw theirs.
func patternWeights(plan *config.Plan) (weights []float64) {
	for _, p := range plan.Job.Patterns {
		weights = append(weights, p.Weight)
	}
	return weights
}

// firstWork returns the work of replication 0. All replications have its clock.
func (s *Simulator) firstWork(plan *config.Plan) (*Work, error) {
	return s.shared.works.Of(plan.WorkID(), func() (*Work, error) { return s.NewWork(plan, 0) })
}

// Software returns the time that messages cost the processes.
func Software(plan *config.Plan) executor.Software {
	return executor.Software{Send: plan.Job.SendCycles, Receive: plan.Job.ReceiveCycles}
}

// setClock sets the cycles of a second, which are otherwise where the plan leaves them open.
func (w *Work) setClock(rate input.Auto, otherwise float64) {
	if w.clock.CyclesPerSecond = float64(rate); rate == input.Automatic {
		w.clock.CyclesPerSecond = otherwise
	}
}

// syntheticWork prepares a generated stream of jobs.
func syntheticWork(w *Work, plan *config.Plan, weights []float64, seed uint64) error {
	if w.setClock(plan.Job.CyclesPerSecond, 1); plan.Job.Run == config.RunFixed {
		w.setClock(plan.Job.CyclesPerSecond, config.UnitCycles)
	}
	c := plan.Workload.Synthetic
	c.Patterns, c.Seed = weights, seed
	if plan.Job.Run == config.RunMessages {
		var err error
		if c.PatternQuota, err = meanQuotas(w, plan, c); err != nil {
			return err
		}
		c.Quota = plan.Job.Quota.Draw
		c.Quota.Mean = c.PatternQuota[0]
		c.Service = scheduler.Distribution{}
	}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return refuseSides(plan, err)
	}
	w.Source = g
	return nil
}

// refuseSides refuses the configuration of a generated stream, and says what counts as the sides of
// a machine that has none.
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
func meanQuotas(w *Work, plan *config.Plan, c scheduler.SyntheticConfig) ([]float64, error) {
	q := &plan.Job.Quota
	shape, err := meanShape(c)
	if err != nil {
		return nil, refuseSides(plan, err)
	}
	n := 1
	for _, side := range shape {
		n *= side
	}
	if q.Processes > 0 {
		n, shape = q.Processes, nil
	}
	var means []float64
	for _, p := range w.patterns {
		mean, err := meanQuota(q, p, n, shape)
		if err != nil {
			return nil, config.FieldPattern.Refuse(err)
		}
		means = append(means, max(1, mean))
	}
	return means, nil
}

// meanQuota returns the mean number of messages of a job of a size: those that the plan gives, or
// those of its iterations.
func meanQuota(q *config.QuotaPlan, p patterns.Config, size int, shape []int) (float64, error) {
	if q.Messages > 0 {
		return q.Messages, nil
	}
	per, err := patterns.MessagesPerIteration(p, size, shape)
	return q.IterationsOf(p) * float64(per), err
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
		side := scheduler.RoundToPower(max(1, int(math.Round(mean))), round)
		shape = append(shape, side)
	}
	return shape, nil
}
