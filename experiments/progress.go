package experiments

import (
	"sync"

	"contend/experiments/sim"
)

// Progress follows the runs of a study, including the work inside of them. A
// Runner updates it; any goroutine may ask for its Status. A nil Progress records
// nothing.
type Progress struct {
	mu            sync.Mutex
	running       map[*sim.Gauge]bool
	done, planned int
}

// Status returns how many runs have ended, with the finished fractions of those under way, and
// how many are planned; a later round may plan more.
func (p *Progress) Status() (runs float64, planned int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	runs = float64(p.done)
	for g := range p.running {
		runs += g.Fraction()
	}
	return runs, p.planned
}

// plan adds runs to make.
func (p *Progress) plan(runs int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.planned += runs
}

// begin gives a gauge to a run that begins.
func (p *Progress) begin(t task) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[*sim.Gauge]bool{}
	}
	t.extra.Gauge = sim.NewGauge()
	p.running[t.extra.Gauge] = true
}

// end counts a run that has ended or failed.
func (p *Progress) end(t task, failed bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, t.extra.Gauge)
	if !failed {
		p.done++
	}
}
