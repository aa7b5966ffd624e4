package experiments

import (
	"sync"
	"time"

	"contend/experiments/cosim"
)

// Progress follows the progress of a study, including the work inside runs. A
// Runner updates it; any goroutine may ask for its Status. A nil Progress records
// nothing.
type Progress struct {
	mu            sync.Mutex
	began         time.Time
	running       map[*cosim.Gauge]float64 // cost of the runs under way
	cost          map[string]float64       // cost of a run by hash; 1 if unknown
	speed         float64                  // forecast cost per second, 0 if unknown
	done, planned int
	worked, total float64 // cost of the runs that ended, and of all
}

// Status is the progress of a study at one time.
type Status struct {
	// Done of Planned runs have ended; a later round may plan more.
	Done, Planned int
	// Runs is Done plus the finished fractions of the runs under way.
	Runs float64
	// Share is the finished fraction of the work, from 0 to 1. Runs count by
	// their cost if a forecast knows it.
	Share float64
	// Elapsed is the time since the first run began.
	Elapsed time.Duration
	// Left is the expected remaining time, 0 if unknown.
	Left time.Duration
}

// trust is the time in seconds after which the actual speed of the study has the
// same weight as the forecast speed.
const trust = 3

// Status returns the progress of the study now.
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

// left returns the time of the remaining work. It uses the speed so far and, in
// the beginning, that of the forecast.
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

// expect takes the cost of runs from a forecast.
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

// costOf returns the cost of a run, 1 if it is unknown.
func (p *Progress) costOf(t task) float64 {
	if c := p.cost[t.point.Hash]; c > 0 {
		return c
	}
	return 1
}

// begin gives a gauge to a run that begins.
func (p *Progress) begin(t task) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.extra.Gauge = cosim.NewGauge()
	p.running[t.extra.Gauge] = p.costOf(t)
}

// end counts a run that has ended or failed.
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
