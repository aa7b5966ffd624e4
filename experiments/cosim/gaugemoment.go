package cosim

import (
	"time"

	"contend/experiments/cosim/fastforward"
	"contend/experiments/cosim/run"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// Moment is where a run that sends messages is in its simulation.
type Moment struct {
	// OfLog reports that the jobs come from a log, or from a model of logs.
	OfLog bool
	// Seconds is the simulated time of the log since the begin of the run, 0 without a log.
	Seconds float64
	// Date is that time as a date, in UTC. It is the zero time where the log does not say when it
	// began, or where submissions do not keep its times.
	Date time.Time
	// FlitHops counts the flits that were simulated on their way, once for each channel.
	FlitHops float64
	// Jumps reports that time may be jumped over.
	Jumps bool
	// JobCycles is then the time of jobs so far, in cycles, otherwise 0.
	JobCycles float64
	// Jumped is the part of JobCycles that was jumped over.
	Jumped float64
}

// tellEvery is the time between two moments that a run tells its gauge of. A moment looks at all
// channels.
const tellEvery = 500 * time.Millisecond

// Moment returns where the run was a short time ago. It reports false before the simulation begins,
// and for a run without a network.
func (g *Gauge) Moment() (Moment, bool) {
	if g == nil || g.moment.Load() == nil {
		return Moment{}, false
	}
	return *g.moment.Load(), true
}

// tell updates the moment if the last one is old, or if the run is over.
func (g *Gauge) tell(over bool) {
	if g == nil || g.state == nil {
		return
	}
	if now := g.clock(); over || now.Sub(g.told) >= tellEvery {
		m := g.state()
		g.told = now
		g.moment.Store(&m)
	}
}

// watch has a gauge told of the moments of a simulation.
func (s *Simulator) watch(
	g *Gauge, plan *spec.Plan, replication int, u *Setup, x scheduler.Executor,
) {
	if g == nil {
		return
	}
	fixed := Moment{OfLog: plan.Workload.Source == spec.SourceSWF ||
		plan.Workload.Source == spec.SourceLublin || plan.Workload.Source == spec.SourceCplantStream}
	began := s.logBegin(plan, plan.Workload.Start+replication*plan.Workload.Window)
	at := func(now int64) Moment {
		m := fixed
		if m.OfLog {
			m.Seconds = u.Work.clock.Seconds(scheduler.Cycle(now))
		}
		if !began.IsZero() {
			m.Date = later(began, m.Seconds)
		}
		return m
	}
	switch x := x.(type) {
	case *run.Executor:
		g.state = func() Moment {
			m := at(x.Net.Now())
			m.FlitHops = flitHops(x.Net)
			return m
		}
	case *fastforward.Executor:
		g.state = func() Moment {
			m := at(x.Now())
			m.FlitHops, m.Jumps = x.FlitHops(), true
			m.JobCycles, m.Jumped = x.Jumped()
			return m
		}
	}
}

// logBegin returns the date of the begin of a run that leaves out the first jobs of a log. It is
// the zero time where that is not known.
func (s *Simulator) logBegin(plan *spec.Plan, start int) time.Time {
	w := &plan.Workload
	scaled := w.TargetLoad > 0 || w.Transform.Load != 0 && w.Transform.Load != 1
	if w.Source != spec.SourceSWF || scaled {
		return time.Time{}
	}
	l, err := s.log(w.Trace)
	if err != nil {
		return time.Time{}
	}
	began, ok := l.Began()
	if !ok || start == 0 {
		return began
	}
	var first scheduler.Job
	for range start + 1 {
		if first, err = l.Next(); err != nil {
			return time.Time{}
		}
	}
	return later(began, first.Submit)
}

// later returns the date so many seconds after another. They may be more than a time.Duration has.
func later(began time.Time, seconds float64) time.Time {
	return time.Unix(began.Unix()+int64(seconds), 0).UTC()
}

// flitHops returns the flits that a network has carried, summed over its channels.
func flitHops(n *netsim.Network) (hops float64) {
	for l := range router.Link(n.Wiring().Links()) {
		hops += float64(n.Usage(l).Flits)
	}
	return hops
}
