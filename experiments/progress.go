package experiments

import (
	"sync"

	"contend/experiments/sim"
)

// Progress counts the runs of a study that have ended, and the parts of those under way. A Runner
// updates it; any goroutine may call Status. A nil Progress records nothing.
type Progress struct {
	mu            sync.Mutex
	running       map[*sim.Gauge]bool
	done, planned int
}

// Status returns the number of runs that have ended, plus the fractions of those under way, and the
// number of planned runs, which a later round may increase.
func (p *Progress) Status() (runs float64, planned int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	runs = float64(p.done)
	for g := range p.running {
		runs += g.Fraction()
	}
	return runs, p.planned
}

// update changes the counts under the lock, if there is a Progress.
func (p *Progress) update(change func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// plan adds a number of runs to the planned ones.
func (p *Progress) plan(runs int) { p.update(func() { p.planned += runs }) }

// begin gives a gauge to a run that begins, and follows it.
func (p *Progress) begin(t task) {
	p.update(func() {
		if p.running == nil {
			p.running = map[*sim.Gauge]bool{}
		}
		t.extra.Gauge = sim.NewGauge()
		p.running[t.extra.Gauge] = true
	})
}

// end counts a run that has ended or failed.
func (p *Progress) end(t task, failed bool) {
	p.update(func() {
		delete(p.running, t.extra.Gauge)
		if !failed {
			p.done++
		}
	})
}
