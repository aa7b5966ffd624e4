package fastforward

import (
	"cmp"
	"math"

	"contend/experiments/cosim/run"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// stage is where courses are simulated: a network that is empty between two courses.
type stage struct {
	net    *netsim.Network
	x      *run.Executor
	settle Settling
	rest   int64       // cycles after a delivery until nothing of it is left in the network
	stop   func() bool // polled; reports whether to stop
	polls  uint

	part     *component
	course   *course
	zero     int64 // cycle of the network at which the component begins
	index    map[scheduler.JobID]int
	slots    []int32 // of the jobs
	job      []int32 // by slot: index of its job
	counts   []int64 // messages of the jobs that have arrived
	bounds   []int64 // counts at which the blocks end that the jobs are in
	limit    int64   // time to follow the course for
	asked    int     // iterations of the slowest job at the next test
	looks    int     // tests of the course
	watching bool    // the whole time is simulated
	tested   bool    // a job has completed an iteration since the last test
	cycles   int64   // simulated in all
	hops     float64 // flits sent over links, simulated in all: checks and lead-ins too
	listed   []int64 // by link: the last visit of it
	visits   int64   // of the links of components
	again    recurrence
	mover    router.Movable // nil if nothing can be moved
}

func newStage(n *netsim.Network, p []patterns.Config, clock scheduler.Clock,
	software run.Software, settle Settling) *stage {
	s := &stage{net: n, x: run.New(n, p, clock), settle: settle,
		mover: n.Mover(), index: map[scheduler.JobID]int{}, listed: make([]int64, n.Wiring().Links())}
	c := n.Config()
	slowest := int32(math.Ceil(c.InjectionFlitCycles * float64(c.PacketFlits)))
	least := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, least = max(slowest, l.Flit, l.Credit), min(least, l.Delay)
	}
	s.rest = int64(slowest - least)
	s.x.Software = software
	s.x.Ended = func(scheduler.JobID, netsim.Totals, bool) {}
	s.x.Began = func(slot int32, id scheduler.JobID) {
		i := s.index[id]
		s.slots[i] = slot
		for int(slot) >= len(s.job) {
			s.job = append(s.job, 0)
		}
		s.job[slot] = int32(i)
	}
	return s
}

// follow simulates a component from its beginning until its rates are known, a job ends, or a time
// is reached.
func (s *stage) follow(p *component, limit int64) (*course, error) {
	s.part, s.course = p, &course{legs: make([]leg, len(p.jobs))}
	s.counts, s.bounds = make([]int64, len(p.jobs)), make([]int64, len(p.jobs))
	s.slots = make([]int32, len(p.jobs))
	s.asked, s.looks, s.limit = leastIterations, 0, limit
	clear(s.index)
	first := p.began
	for i, k := range p.jobs {
		s.index[k.job.ID] = i
		first = min(first, k.origin)
		s.course.legs[i].end = -1
		s.bounds[i] = blockEnd(k, 0)
	}
	s.zero = s.net.Now() + p.began - first
	s.x.Heard = s.heard
	s.again.begin(s)
	for _, k := range p.jobs {
		k.goBack(first)
		for r := range k.rails {
			s.net.SetRail(k.rails[r].node, int(k.rails[r].after(k.base, k.perIteration)))
		}
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(k.origin - first + k.lead)
		j.Seed += k.entered * 0x9e3779b97f4a7c15
		s.x.Start(&j, k.nodes)
	}
	err := s.simulate()
	s.measure()
	err = cmp.Or(err, s.x.Drain(s.slots))
	s.countFlits()
	return s.course, err
}

// countFlits adds the flits that the links of the component have sent since it last did, and forgets
// them.
func (s *stage) countFlits() {
	s.visit(s.part, func(_ int, l router.Link) { s.hops += float64(s.net.Usage(l).Flits) })
	s.net.ResetUsage()
}

// simulate moves the network on.
func (s *stage) simulate() error {
	from := s.net.Now()
	defer func() { s.cycles += s.net.Now() - from }()
	reset, end := false, s.zero+s.limit
	var done []scheduler.JobID
	for {
		if s.polls++; s.polls%run.PollEvery == 0 && s.stop() {
			return scheduler.ErrStopped
		}
		until := end
		if !reset {
			if s.net.Now() >= s.zero {
				reset = true
				s.countFlits()
				for i, slot := range s.slots {
					s.course.legs[i].earlier = s.x.Totals(slot)
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
			s.course.forget()
			for _, id := range done {
				s.course.legs[s.index[id]].end = max(0, s.local())
			}
			break
		}
		if s.tested && !s.watching && !s.course.settled {
			if s.tested = false; s.known() {
				s.course.settled = true
				end = min(end, s.again.measured(s))
			}
		}
		if int64(now) >= end {
			break
		}
	}
	s.course.until = max(0, s.local())
	return nil
}

// local returns the time since the beginning of the component.
func (s *stage) local() int64 { return s.net.Now() - s.zero }

// heard counts a message that has arrived.
func (s *stage) heard(slot int32) {
	i := s.job[slot]
	if s.counts[i]++; s.counts[i] < s.bounds[i] {
		return
	}
	g, k := &s.course.legs[i], s.part.jobs[i]
	g.blocks = append(g.blocks, s.local())
	g.sums = append(g.sums, s.x.Totals(slot))
	if s.local() < 0 {
		g.before = len(g.blocks)
	}
	if len(g.blocks)%k.blocks() == 0 {
		g.marks = append(g.marks, s.local())
		s.again.marked = true
	}
	s.tested = true
	s.bounds[i] = blockEnd(k, len(g.blocks))
}

// measure takes from the network what the course needs to know.
func (s *stage) measure() {
	for i := range s.course.legs {
		g := &s.course.legs[i]
		g.reached, g.stopped = float64(s.counts[i]), s.local()
		since := s.x.Totals(s.slots[i]).Minus(&g.earlier)
		if s.course.settled && len(s.again.sums) > 0 && s.net.Now() == s.again.end {
			g.each = eachOf(s.x.Totals(s.slots[i]).Minus(&s.again.sums[i]))
		} else {
			g.each = eachOf(g.whole(s.part.jobs[i], since))
		}
		if !s.watching {
			g.sums = nil
		}
		s.course.flits += since.Flits
	}
	s.visit(s.part, func(_ int, l router.Link) {
		if flits := s.net.Usage(l).Flits; flits > 0 {
			s.course.use = append(s.course.use, linkUse{l, flits})
		}
	})
}

// visit calls f with the links of a component, each once, in the order of its jobs and of the ways
// between their processes.
func (s *stage) visit(c *component, f func(place int, l router.Link)) {
	s.visits++
	place := 0
	for _, k := range c.jobs {
		for _, l := range k.links {
			if s.listed[l] != s.visits {
				s.listed[l] = s.visits
				f(place, l)
				place++
			}
		}
	}
}
