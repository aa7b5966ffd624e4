package fastforward

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// stage is where trajectories are simulated: a network that is empty between two trajectories. The
// i-th job of a component has slot i of the executor, since all slots are free then.
type stage struct {
	net      *netsim.Network
	x        *executor.Executor
	config   Config
	rest     int64       // cycles after a delivery until nothing of it is left in the network
	stop     func() bool // polled; reports whether to stop
	polls    uint
	messages int64 // that have arrived in all trajectories and checks

	part       *component
	trajectory *trajectory
	zero       int64         // cycle of the network at which the component begins
	counts     []int64       // messages of the jobs that have arrived
	bounds     []int64       // counts at which the blocks end that the jobs are in
	limit      int64         // time to follow the trajectory for
	nextTest   int           // iterations of the slowest job at the next test
	looks      int           // tests of the trajectory
	watching   bool          // the whole time is simulated
	tested     bool          // a job has completed an iteration since the last test
	hops       float64       // flits sent over links, simulated in all: checks and lead-ins too
	links      []router.Link // of the component, in order of number
	recurrence recurrence
}

func newStage(n *netsim.Network, p []patterns.Config, clock scheduler.Clock,
	software executor.Software, c Config) *stage {
	s := &stage{net: n, x: executor.New(n, p, clock), config: c}
	net := n.Config()
	slowest := int32(math.Ceil(net.InjectionFlitCycles * float64(net.PacketFlits)))
	least := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, least = max(slowest, l.Flit, l.Credit), min(least, l.Delay)
	}
	s.rest = int64(slowest - least)
	s.x.Software = software
	s.x.Ended = func(scheduler.JobID, netsim.Totals, bool) {}
	return s
}

// follow simulates a component from its beginning until its rates are known, a job ends, or a time
// is reached.
func (s *stage) follow(p *component, limit int64) (*trajectory, error) {
	s.part, s.trajectory = p, &trajectory{legs: make([]leg, len(p.jobs))}
	s.counts, s.bounds = make([]int64, len(p.jobs)), make([]int64, len(p.jobs))
	s.nextTest, s.looks, s.limit = leastIterations, 0, limit
	first := p.began
	for i, k := range p.jobs {
		first = min(first, k.origin)
		s.trajectory.legs[i].end = -1
		s.bounds[i] = blockEnd(k, 0)
	}
	s.zero = s.net.Now() + p.began - first
	s.x.Heard = s.heard
	s.recurrence.begin(s)
	s.links = s.links[:0]
	for _, k := range p.jobs {
		s.links = append(s.links, k.links...)
		k.rewind(first)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(k.origin - first + k.lead)
		j.Seed += k.entered * 0x9e3779b97f4a7c15
		s.x.Start(&j, k.nodes)
	}
	slices.Sort(s.links)
	s.links = slices.Compact(s.links)
	err := s.simulate()
	s.measure()
	err = cmp.Or(err, s.x.Drain())
	s.countFlits()
	return s.trajectory, err
}

// countFlits adds the flits that the links of the component have sent since it last did, and
// forgets them.
func (s *stage) countFlits() {
	for _, l := range s.links {
		s.hops += float64(s.net.Usage(l).Flits)
	}
	s.net.ResetUsage()
}

// simulate moves the network on.
func (s *stage) simulate() error {
	reset, end := false, s.zero+s.limit
	var done []scheduler.JobID
	for {
		if s.polls++; s.polls%executor.PollEvery == 0 && s.stop() {
			return scheduler.ErrStopped
		}
		until := end
		if !reset {
			if s.net.Now() >= s.zero {
				reset = true
				s.countFlits()
				for i := range s.trajectory.legs {
					s.trajectory.legs[i].earlier = s.x.Totals(int32(i))
				}
			} else {
				until = s.zero
			}
		}
		var now scheduler.Cycle
		var err error
		now, done, err = s.x.Step(scheduler.Cycle(until), done[:0])
		if err != nil {
			return err
		}
		if len(done) > 0 {
			s.trajectory.forget()
			for i, k := range s.part.jobs {
				if slices.Contains(done, k.job.ID) {
					s.trajectory.legs[i].end = max(0, s.local())
				}
			}
			break
		}
		if s.tested && !s.watching && !s.trajectory.steady {
			if s.tested = false; s.ratesKnown() {
				s.trajectory.steady = true
				end = min(end, s.recurrence.measured(s))
			}
		}
		if int64(now) >= end {
			break
		}
	}
	s.trajectory.until = max(0, s.local())
	return nil
}

// local returns the time since the beginning of the component.
func (s *stage) local() int64 { return s.net.Now() - s.zero }

// heard counts a message of the i-th job that has arrived.
func (s *stage) heard(i int32) {
	s.messages++
	if s.counts[i]++; s.counts[i] < s.bounds[i] {
		return
	}
	g, k := &s.trajectory.legs[i], s.part.jobs[i]
	g.blocks = append(g.blocks, s.local())
	g.sums = append(g.sums, s.x.Totals(i))
	if s.local() < 0 {
		g.before = len(g.blocks)
	}
	if len(g.blocks)%k.blocks() == 0 {
		g.marks = append(g.marks, s.local())
		s.recurrence.marked = true
	}
	s.tested = true
	s.bounds[i] = blockEnd(k, len(g.blocks))
}

// measure takes from the network what the trajectory needs to know.
func (s *stage) measure() {
	for i := range s.trajectory.legs {
		g := &s.trajectory.legs[i]
		g.reached, g.stopped = float64(s.counts[i]), s.local()
		totals := s.x.Totals(int32(i))
		since := totals.Minus(&g.earlier)
		if s.trajectory.steady && len(s.recurrence.sums) > 0 && s.net.Now() == s.recurrence.end {
			g.each = eachOf(totals.Minus(&s.recurrence.sums[i]))
		} else {
			g.each = eachOf(g.whole(s.part.jobs[i], since))
		}
		if !s.watching {
			g.sums = nil
		}
		s.trajectory.flits += since.Flits
	}
	for _, l := range s.links {
		if flits := s.net.Usage(l).Flits; flits > 0 {
			s.trajectory.use = append(s.trajectory.use, linkUse{l, flits})
		}
	}
}
