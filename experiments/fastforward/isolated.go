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

// isolatedSimulation simulates trajectories of components in a network that is empty between two of
// them. So the i-th job of a component has slot i of the executor.
type isolatedSimulation struct {
	net            *netsim.Network
	executor       *executor.Executor
	config         Config
	clearingCycles int64       // cycles after a delivery until nothing of it is left in the network
	stop           func() bool // polled; reports whether to stop
	polls          uint
	delivered      int64   // messages that have arrived in all trajectories and checks
	flitHops       float64 // flits sent over links, also in checks and before components begin

	// The trajectory that is simulated:
	component     *component
	trajectory    *trajectory
	startCycle    int64         // cycle of the network at which the component begins
	links         []router.Link // links of the component, in ascending order
	arrived       []int64       // messages that have arrived, by job
	nextBlockEnds []int64       // values of arrived at which the current blocks end
	limit         int64         // longest time to simulate
	fixedLength   bool          // simulate up to the limit, even if the rates are known earlier
	nextTest      int           // iterations of the slowest job before the next test of the rates
	tests         int           // tests of the rates so far
	untested      bool          // a job has completed a block since the last test
	recurrence    recurrence
}

// newIsolatedSimulation returns a simulation on a network of its own.
func newIsolatedSimulation(n *netsim.Network, p []patterns.Config, clock scheduler.Clock,
	software executor.Software, c Config) *isolatedSimulation {
	s := &isolatedSimulation{net: n, executor: executor.New(n, p, clock), config: c}
	net := n.Config()
	slowest := int32(math.Ceil(net.InjectionFlitCycles * float64(net.PacketFlits)))
	shortest := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, shortest = max(slowest, l.Flit, l.Credit), min(shortest, l.Delay)
	}
	s.clearingCycles = int64(slowest - shortest)
	s.executor.Software = software
	s.executor.Ended = func(scheduler.JobID, netsim.Totals, bool) {}
	return s
}

// regenerates reports whether the network is as it was at first whenever an iteration of a job
// that is alone begins: a regeneration point. Behind a barrier all messages have arrived: the last
// flit was sent LinkCycles before, its channel is free after FlitCycles, and its place is known to
// be free after CreditCycles. The programs of codes have no barriers, and their iterations overlap.
// Pointers of several virtual channels and of round-robin arbiters stay where they are.
func (s *isolatedSimulation) regenerates(k *jobState) bool {
	c := s.net.Config()
	if s.config.DrawsRoute || k.config.Draws() || patterns.OwnSizes(k.config.Name) ||
		c.VirtualChannels > 1 || c.NodeVirtualChannels > 1 || c.Arbiter != router.FirstCome {
		return false
	}
	return k.laterCompute >= s.clearingCycles
}

// follow simulates a component from its start until its rates are known, a job ends, or the limit
// is reached.
func (s *isolatedSimulation) follow(c *component, limit int64) (*trajectory, error) {
	s.startJobs(c, limit)
	err := s.advance()
	s.measureMessages()
	err = cmp.Or(err, s.executor.Drain())
	s.countFlits()
	return s.trajectory, err
}

// followFor simulates a component for a fixed time, or until a job ends.
func (s *isolatedSimulation) followFor(c *component, length int64) (*trajectory, error) {
	s.fixedLength = true
	defer func() { s.fixedLength = false }()
	return s.follow(c, length)
}

// startJobs starts the jobs of a component in the empty network.
func (s *isolatedSimulation) startJobs(c *component, limit int64) {
	s.component, s.trajectory = c, &trajectory{progress: make([]progress, len(c.jobs))}
	s.arrived, s.nextBlockEnds = make([]int64, len(c.jobs)), make([]int64, len(c.jobs))
	s.nextTest, s.tests, s.limit = minIterations, 0, limit
	first := c.start
	for i, k := range c.jobs {
		first = min(first, k.origin)
		s.trajectory.progress[i].endTime = -1
		s.nextBlockEnds[i] = blockEnd(k, 0)
	}
	s.startCycle = s.net.Now() + c.start - first
	s.executor.Delivered = s.countMessage
	s.recurrence.begin(s)
	s.links = s.links[:0]
	for _, k := range c.jobs {
		s.links = append(s.links, k.links...)
		k.rewind(first)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(k.origin - first + k.computeCycles)
		j.Seed = k.streamSeed()
		s.executor.Start(&j, k.nodes)
	}
	slices.Sort(s.links)
	s.links = slices.Compact(s.links)
}

// countFlits adds the flits that the links of the component have sent since the last call.
func (s *isolatedSimulation) countFlits() {
	for _, l := range s.links {
		s.flitHops += float64(s.net.Usage(l).Flits)
	}
	s.net.ResetUsage()
}

// advance simulates the trajectory to its end. What is measured counts from the start of the
// component on.
func (s *isolatedSimulation) advance() error {
	begun, end := false, s.startCycle+s.limit
	var done []scheduler.JobID
	for {
		if s.polls++; s.polls%executor.PollEvery == 0 && s.stop() {
			return scheduler.ErrStopped
		}
		until := end
		if !begun && s.net.Now() < s.startCycle {
			until = s.startCycle
		} else if !begun {
			begun = true
			s.countFlits()
			for i := range s.trajectory.progress {
				s.trajectory.progress[i].totalsBefore = s.executor.Totals(int32(i))
			}
		}
		var now scheduler.Cycle
		var err error
		if now, done, err = s.executor.Step(scheduler.Cycle(until), done[:0]); err != nil {
			return err
		}
		if len(done) > 0 {
			s.recordEnds(done)
			break
		}
		if s.untested && !s.fixedLength && !s.trajectory.steady {
			if s.untested = false; s.ratesKnown() {
				s.trajectory.steady = true
				end = min(end, s.recurrence.measuredUntil(s))
			}
		}
		if int64(now) >= end {
			break
		}
	}
	s.trajectory.simulated = max(0, s.elapsed())
	return nil
}

// recordEnds records the jobs that end now. The trajectory then has no rates.
func (s *isolatedSimulation) recordEnds(done []scheduler.JobID) {
	s.trajectory.discardRates()
	for i, k := range s.component.jobs {
		if slices.Contains(done, k.job.ID) {
			s.trajectory.progress[i].endTime = max(0, s.elapsed())
		}
	}
}

// elapsed returns the time since the start of the component, negative before it.
func (s *isolatedSimulation) elapsed() int64 { return s.net.Now() - s.startCycle }

// countMessage counts a message of the i-th job that has arrived, and records the end of a block
// or iteration.
func (s *isolatedSimulation) countMessage(i int32) {
	s.delivered++
	if s.arrived[i]++; s.arrived[i] < s.nextBlockEnds[i] {
		return
	}
	g, k := &s.trajectory.progress[i], s.component.jobs[i]
	g.blockEnds = append(g.blockEnds, s.elapsed())
	g.blockTotals = append(g.blockTotals, s.executor.Totals(i))
	if s.elapsed() < 0 {
		g.blocksBefore = len(g.blockEnds)
	}
	if len(g.blockEnds)%k.blocks() == 0 {
		g.iterationEnds = append(g.iterationEnds, s.elapsed())
		s.recurrence.iterationEnded = true
	}
	s.untested = true
	s.nextBlockEnds[i] = blockEnd(k, len(g.blockEnds))
}

// measureMessages computes the means over messages and the flits of links of the trajectory.
func (s *isolatedSimulation) measureMessages() {
	for i := range s.trajectory.progress {
		g := &s.trajectory.progress[i]
		g.arrivedAtStop, g.stopTime = float64(s.arrived[i]), s.elapsed()
		totals := s.executor.Totals(int32(i))
		since := totals.Minus(&g.totalsBefore)
		if s.trajectory.steady && len(s.recurrence.startTotals) > 0 && s.net.Now() == s.recurrence.end {
			g.perMessage = meansOf(totals.Minus(&s.recurrence.startTotals[i]))
		} else {
			g.perMessage = meansOf(g.wholeIterations(s.component.jobs[i], since))
		}
		if !s.fixedLength {
			g.blockTotals = nil
		}
		s.trajectory.flits += since.Flits
	}
	for _, l := range s.links {
		if flits := s.net.Usage(l).Flits; flits > 0 {
			s.trajectory.links = append(s.trajectory.links, linkUse{l, flits})
		}
	}
}
