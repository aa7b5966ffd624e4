package sim

import (
	"context"
	"fmt"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/patterns"
	"contend/scheduler"
)

// Work is the jobs of a run and their clock.
type Work struct {
	// Source yields the jobs in the order of their submission.
	Source scheduler.Source

	patterns    []patterns.Config // by Job.Pattern
	texts       []string          // all fields of these, which identify them
	clock       scheduler.Clock
	places      allocation.Allocator // has the places of jobs that start together; nil for others
	lastEnd     int                  // number of ended jobs after which the run ends; 0 means all
	noEstimates int                  // jobs of a log without an estimate
	notes       []string             // for the user, on how the jobs were made
	// load measures the jobs alone on the machine of the run. It is nil unless a load says how fast
	// jobs arrive that send messages.
	load func() (aloneMean, error)
}

// workMaker makes the work of one replication of a plan. Each source of jobs has a method.
type workMaker struct {
	*Simulator
	*Work
	ctx         context.Context // stops the measurement of jobs alone
	plan        *config.Plan
	replication int
	weights     []float64 // of the patterns of the plan, by which jobs draw theirs
	seed        uint64    // of the draws of jobs
}

// NewWork makes the jobs of one replication of a plan.
func (s *Simulator) NewWork(
	ctx context.Context, plan *config.Plan, replication int,
) (*Work, error) {
	m := &workMaker{Simulator: s, Work: &Work{}, ctx: ctx, plan: plan, replication: replication,
		weights: patternWeights(plan)}
	m.seed, _ = plan.StreamSeed(replication, "workload")
	var err error
	switch plan.Workload.Source {
	case config.SourceTogether:
		err = m.makeTogether()
	case config.SourceSynthetic:
		err = m.makeSynthetic()
	case config.SourceList:
		err = m.makeList()
	default:
		err = m.makeLog()
	}
	if err != nil {
		return nil, err
	}
	return m.Work, nil
}

// addPatterns adds the patterns of the jobs of the plan.
func (m *workMaker) addPatterns() {
	for _, p := range m.plan.Job.Patterns {
		m.addPattern(p.Config)
	}
}

// addPattern adds a pattern of jobs with its text, in which Name tells patterns from outside apart.
func (w *Work) addPattern(p patterns.Config) {
	w.patterns = append(w.patterns, p)
	p.Own, p.Work = nil, nil
	w.texts = append(w.texts, fmt.Sprintf("%+v", p))
}

// note adds a note for the user, unless it is empty.
func (w *Work) note(text string) {
	if text != "" {
		w.notes = append(w.notes, text)
	}
}

// patternWeights returns the weights of the patterns of a plan.
func patternWeights(plan *config.Plan) (weights []float64) {
	for _, p := range plan.Job.Patterns {
		weights = append(weights, p.Weight)
	}
	return weights
}

// setClock sets the cycles of a second: the rate of the plan, or automatic where the plan leaves it
// open.
func (m *workMaker) setClock(automatic float64) {
	if m.clock.CyclesPerSecond = automatic; m.plan.Job.CyclesPerSecond != input.Automatic {
		m.clock.CyclesPerSecond = float64(m.plan.Job.CyclesPerSecond)
	}
}

// meanQuota returns the mean number of messages of a job of a size: the number that the plan gives,
// or that of its iterations.
func meanQuota(q *config.QuotaPlan, p patterns.Config, size int, shape []int) (float64, error) {
	if q.Messages > 0 {
		return q.Messages, nil
	}
	per, err := patterns.MessagesPerIteration(p, size, shape)
	return q.IterationsOf(p) * float64(per), err
}

// Software returns the time that messages cost the processes.
func Software(plan *config.Plan) executor.Software {
	return executor.Software{Send: plan.Job.SendCycles, Receive: plan.Job.ReceiveCycles}
}
