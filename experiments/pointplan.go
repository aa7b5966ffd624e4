package experiments

import (
	"sync"

	"contend/experiments/spec"
	"contend/experiments/study"
)

// pointPlan is the plan of a point, one for all its replications. It is decoded when it is first
// asked for, and given up when the last run has ended that needs it: the plans of ten thousand
// points take the collector longer than the runs of some.
type pointPlan struct {
	of *spec.Spec

	mu   sync.Mutex
	plan *spec.Plan
	runs int // runs that have not ended
}

// planOf returns the plan of a point for one more run.
func (r *Runner) planOf(p *study.Point) *pointPlan {
	if r.plans == nil {
		r.plans = map[string]*pointPlan{}
	}
	plan := r.plans[p.Hash]
	if plan == nil {
		plan = &pointPlan{of: &p.Spec}
		r.plans[p.Hash] = plan
	}
	plan.runs++
	return plan
}

// decoded returns the plan.
func (p *pointPlan) decoded() (*spec.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plan != nil {
		return p.plan, nil
	}
	plan, err := p.of.Plan()
	p.plan = plan
	return plan, err
}

// release says that a run has ended.
func (p *pointPlan) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runs--; p.runs <= 0 {
		p.plan = nil
	}
}
