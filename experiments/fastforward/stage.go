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
	settling int64       // cycles after a delivery until nothing of it is left in the network
	stop     func() bool // polled; reports whether to stop
	polls    uint
	messages int64   // that have arrived in all trajectories and checks
	hops     float64 // flits sent over links, in checks and before components begin too

	// Of the trajectory that is simulated:
	component   *component
	trajectory  *trajectory
	zero        int64         // cycle of the network at which the component begins
	links       []router.Link // of the component, in order of number
	counts      []int64       // messages of the jobs that have arrived
	bounds      []int64       // counts at which the current blocks of the jobs end
	limit       int64         // time to follow the trajectory for
	fixedLength bool          // up to the limit, however soon the rates are known
	nextTest    int           // iterations of the slowest job at the next test of the rates
	tests       int           // so far
	untested    bool          // a job has completed a block since the last test
	recurrence  recurrence
}

// newStage returns a stage on a network.
func newStage(n *netsim.Network, p []patterns.Config, clock scheduler.Clock,
	software executor.Software, c Config) *stage {
	s := &stage{net: n, x: executor.New(n, p, clock), config: c}
	net := n.Config()
	slowest := int32(math.Ceil(net.InjectionFlitCycles * float64(net.PacketFlits)))
	shortest := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, shortest = max(slowest, l.Flit, l.Credit), min(shortest, l.Delay)
	}
	s.settling = int64(slowest - shortest)
	s.x.Software = software
	s.x.Ended = func(scheduler.JobID, netsim.Totals, bool) {}
	return s
}

// regenerates reports whether the network is as it was at first whenever an iteration of a job
// that is alone begins: a regeneration point. Behind a barrier all messages have arrived: the last
// flit was sent LinkCycles before, its channel is free after FlitCycles, and its place is known to
// be free after CreditCycles. The programs of codes have no barriers, and their iterations overlap.
// Pointers of several virtual channels and of round-robin arbiters stay where they are.
func (s *stage) regenerates(k *jobState) bool {
	c := s.net.Config()
	if s.config.DrawsRoute || k.config.Draws() || patterns.OwnSizes(k.config.Name) ||
		c.VirtualChannels > 1 || c.NodeVirtualChannels > 1 || c.Arbiter != router.FirstCome {
		return false
	}
	return k.laterCompute >= s.settling
}

// follow simulates a component from its beginning until its rates are known, a job ends, or a time
// is reached.
func (s *stage) follow(c *component, limit int64) (*trajectory, error) {
	s.begin(c, limit)
	err := s.simulate()
	s.measure()
	err = cmp.Or(err, s.x.Drain())
	s.countFlits()
	return s.trajectory, err
}

// followFor simulates a component for a time, or until a job ends.
func (s *stage) followFor(c *component, length int64) (*trajectory, error) {
	s.fixedLength = true
	defer func() { s.fixedLength = false }()
	return s.follow(c, length)
}

// begin starts the jobs of a component in the empty network.
func (s *stage) begin(c *component, limit int64) {
	s.component, s.trajectory = c, &trajectory{progress: make([]progress, len(c.jobs))}
	s.counts, s.bounds = make([]int64, len(c.jobs)), make([]int64, len(c.jobs))
	s.nextTest, s.tests, s.limit = minIterations, 0, limit
	first := c.began
	for i, k := range c.jobs {
		first = min(first, k.origin)
		s.trajectory.progress[i].end = -1
		s.bounds[i] = blockEnd(k, 0)
	}
	s.zero = s.net.Now() + c.began - first
	s.x.Delivered = s.delivered
	s.recurrence.begin(s)
	s.links = s.links[:0]
	for _, k := range c.jobs {
		s.links = append(s.links, k.links...)
		k.rewind(first)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(k.origin - first + k.computeCycles)
		j.Seed = k.nextDraws()
		s.x.Start(&j, k.nodes)
	}
	slices.Sort(s.links)
	s.links = slices.Compact(s.links)
}

// countFlits adds the flits that the links of the component have sent since it last did, and resets
// them.
func (s *stage) countFlits() {
	for _, l := range s.links {
		s.hops += float64(s.net.Usage(l).Flits)
	}
	s.net.ResetUsage()
}

// simulate simulates the trajectory, which counts from the beginning of the component on.
func (s *stage) simulate() error {
	begun, end := false, s.zero+s.limit
	var done []scheduler.JobID
	for {
		if s.polls++; s.polls%executor.PollEvery == 0 && s.stop() {
			return scheduler.ErrStopped
		}
		until := end
		if !begun && s.net.Now() < s.zero {
			until = s.zero
		} else if !begun {
			begun = true
			s.countFlits()
			for i := range s.trajectory.progress {
				s.trajectory.progress[i].earlier = s.x.Totals(int32(i))
			}
		}
		var now scheduler.Cycle
		var err error
		if now, done, err = s.x.Step(scheduler.Cycle(until), done[:0]); err != nil {
			return err
		}
		if len(done) > 0 {
			s.end(done)
			break
		}
		if s.untested && !s.fixedLength && !s.trajectory.steady {
			if s.untested = false; s.ratesKnown() {
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

// end notes the jobs that end now, so that the trajectory is not steady.
func (s *stage) end(done []scheduler.JobID) {
	s.trajectory.notSteady()
	for i, k := range s.component.jobs {
		if slices.Contains(done, k.job.ID) {
			s.trajectory.progress[i].end = max(0, s.local())
		}
	}
}

// local returns the time since the beginning of the component.
func (s *stage) local() int64 { return s.net.Now() - s.zero }

// delivered counts a message of the i-th job that has arrived.
func (s *stage) delivered(i int32) {
	s.messages++
	if s.counts[i]++; s.counts[i] < s.bounds[i] {
		return
	}
	g, k := &s.trajectory.progress[i], s.component.jobs[i]
	g.blocks = append(g.blocks, s.local())
	g.sums = append(g.sums, s.x.Totals(i))
	if s.local() < 0 {
		g.before = len(g.blocks)
	}
	if len(g.blocks)%k.blocks() == 0 {
		g.marks = append(g.marks, s.local())
		s.recurrence.marked = true
	}
	s.untested = true
	s.bounds[i] = blockEnd(k, len(g.blocks))
}

// measure takes the sums over messages and links from the network.
func (s *stage) measure() {
	for i := range s.trajectory.progress {
		g := &s.trajectory.progress[i]
		g.reached, g.stopped = float64(s.counts[i]), s.local()
		totals := s.x.Totals(int32(i))
		since := totals.Minus(&g.earlier)
		if s.trajectory.steady && len(s.recurrence.sums) > 0 && s.net.Now() == s.recurrence.end {
			g.each = eachOf(totals.Minus(&s.recurrence.sums[i]))
		} else {
			g.each = eachOf(g.whole(s.component.jobs[i], since))
		}
		if !s.fixedLength {
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
