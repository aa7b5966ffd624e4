package experiments

import (
	"sync"
	"time"

	"contend/experiments/cosim"
)

// Progress tells how far a study is, the work inside of runs included. A Runner
// keeps it; anybody may ask for its Status at any time. A nil Progress keeps
// nothing.
type Progress struct {
	mu            sync.Mutex
	began         time.Time
	running       map[*cosim.Gauge]float64 // with what their runs cost
	cost          map[string]float64       // of a run, by the hash of its point; 1 where unknown
	speed         float64                  // cost a second, as forecast; 0: unknown
	done, planned int
	worked, total float64 // costs of the runs that ended, and of all
}

// Status is how far a study is.
type Status struct {
	// Done of Planned runs have ended; a later round may plan more.
	Done, Planned int
	// Runs is Done with the parts that are done of the runs under way.
	Runs float64
	// Share is how much of the work is done, from 0 to 1. Runs count by their
	// cost where a forecast knows it.
	Share float64
	// Elapsed is the time since the first run began, Left how long the rest
	// will take; 0 where nothing tells.
	Elapsed, Left time.Duration
}

// trust is how many seconds of the study's own speed weigh as much as the speed
// that was forecast.
const trust = 3

// Status returns how far the study is now.
func (p *Progress) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Status{Done: p.done, Planned: p.planned, Runs: float64(p.done)}
	worked := p.worked
	for g, cost := range p.running {
		f := g.Fraction()
		s.Runs += f
		worked += f * cost
	}
	if p.total > 0 {
		s.Share = min(1, worked/p.total)
	}
	if p.began.IsZero() {
		return s
	}
	s.Elapsed = time.Since(p.began)
	s.Left = left(s.Elapsed.Seconds(), worked, p.total, p.speed)
	return s
}

// left returns how long the rest of the work takes, at the speed there was so
// far and, in the beginning, that of the forecast.
func left(seconds, worked, total, forecast float64) time.Duration {
	if forecast > 0 {
		seconds += trust
		worked, total = worked+trust*forecast, total+trust*forecast
	}
	if worked <= 0 {
		return 0
	}
	return time.Duration(max(0, total-worked) * seconds / worked * float64(time.Second))
}

// expect takes the costs of runs from a forecast.
func (p *Progress) expect(f *Forecast) {
	if p == nil || f.Seconds == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cost = f.cost
	all := 0.0
	for _, t := range f.tasks {
		all += p.costOf(t)
	}
	p.speed = all / f.Seconds
}

// plan adds runs to make.
func (p *Progress) plan(tasks []task) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began.IsZero() {
		p.began, p.running = time.Now(), map[*cosim.Gauge]float64{}
	}
	p.planned += len(tasks)
	for _, t := range tasks {
		p.total += p.costOf(t)
	}
}

func (p *Progress) costOf(t task) float64 {
	if c := p.cost[t.point.Hash]; c > 0 {
		return c
	}
	return 1
}

// begin gives a run a gauge.
func (p *Progress) begin(t task) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.extra.Gauge = cosim.NewGauge()
	p.running[t.extra.Gauge] = p.costOf(t)
}

// end takes a run that has ended, or failed.
func (p *Progress) end(t task, failed bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, t.extra.Gauge)
	p.worked += p.costOf(t)
	if !failed {
		p.done++
	}
}
