package cosim

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/stats"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// stage is where courses are simulated: a network that is empty between two courses.
type stage struct {
	net    *netsim.Network
	x      *netExecutor
	settle settling
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
	hops     float64 // flits sent over links, simulated in all
	listed   []int64 // by link: the last course that listed it
	follows  int64   // courses
	again    recurrence
	mover    router.Movable // nil if nothing can be moved
}

func newStage(n *netsim.Network, p []patterns.Config, clock scheduler.Clock,
	software softwareCycles, settle settling) *stage {
	s := &stage{net: n, x: newNetExecutor(n, p, clock), settle: settle,
		mover: n.Mover(), index: map[scheduler.JobID]int{}, listed: make([]int64, n.Wiring().Links())}
	c := n.Config()
	slowest := int32(math.Ceil(c.InjectionFlitCycles * float64(c.PacketFlits)))
	least := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, least = max(slowest, l.Flit, l.Credit), min(least, l.Delay)
	}
	s.rest = int64(slowest - least)
	s.x.software = software
	s.x.ended = func(scheduler.JobID, netsim.Totals) {}
	s.x.began = func(slot int32, id scheduler.JobID) {
		i := s.index[id]
		s.slots[i] = slot
		for int(slot) >= len(s.job) {
			s.job = append(s.job, 0)
		}
		s.job[slot] = int32(i)
	}
	return s
}

const (
	// Iterations of the slowest job of a component.
	leastIterations = 2    // for a first test of the rates, from any block on
	testGrowth      = 1.25 // from one test to the next

	confidence  = 0.95 // of the intervals of all tests of a course together
	mostBlocks  = 8    // of an iteration
	mostBatches = 16   // of an interval
	// From so many iterations on, an interval is made of iterations and not of their blocks.
	fewIterations = 4
)

// follow simulates a component from its beginning until its rates are known, a job ends, or a time
// is reached.
func (s *stage) follow(p *component, limit int64) (*course, error) {
	s.part, s.course = p, &course{legs: make([]leg, len(p.jobs))}
	s.counts, s.bounds = make([]int64, len(p.jobs)), make([]int64, len(p.jobs))
	s.slots = make([]int32, len(p.jobs))
	s.asked, s.looks, s.limit = leastIterations, 0, limit
	s.follows++
	clear(s.index)
	first := p.began
	for i, k := range p.jobs {
		s.index[k.job.ID] = i
		first = min(first, k.origin)
		s.course.legs[i].end = -1
		s.bounds[i] = blockEnd(k, 0)
	}
	s.zero = s.net.Now() + p.began - first
	s.x.heard = s.heard
	s.again.begin(s)
	for _, k := range p.jobs {
		k.goBack(first)
		j := k.job
		j.Quota = k.total - k.base
		j.Lead = scheduler.Cycle(k.origin - first + k.lead)
		j.Seed += k.entered * 0x9e3779b97f4a7c15
		s.x.Start(&j, k.nodes)
	}
	err := s.simulate()
	s.measure()
	return s.course, cmp.Or(err, s.clearAway())
}

// simulate moves the network on.
func (s *stage) simulate() error {
	from := s.net.Now()
	defer func() { s.cycles += s.net.Now() - from }()
	reset, end := false, s.zero+s.limit
	var done []scheduler.JobID
	for {
		if s.polls++; s.polls%pollEvery == 0 && s.stop != nil && s.stop() {
			return scheduler.ErrStopped
		}
		until := end
		if !reset {
			if s.net.Now() >= s.zero {
				reset = true
				s.net.ResetUsage()
				for _, slot := range s.slots {
					s.x.jobs[slot].totals = netsim.Totals{}
				}
			} else {
				until = s.zero
			}
		}
		var now scheduler.Cycle
		var err error
		now, done, err = s.x.step(scheduler.Cycle(until), done[:0])
		if err != nil {
			return err
		}
		if len(done) > 0 {
			for _, id := range done {
				s.course.legs[s.index[id]].end = max(0, s.local())
			}
			break
		}
		if s.tested && !s.watching {
			if s.tested = false; s.known() {
				s.course.settled = true
				break
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
	g.sums = append(g.sums, s.x.jobs[slot].totals)
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

// blocks returns the number of blocks of an iteration of a job.
func (k *epochJob) blocks() int { return int(min(mostBlocks, k.perIteration)) }

// blockEnd returns the number of messages with which a block ends, counted from the first.
func blockEnd(k *epochJob, block int) int64 {
	n := k.blocks()
	return int64(block/n)*k.perIteration + int64(block%n+1)*k.perIteration/int64(n)
}

// turns returns how many times a job has gone through all blocks of an iteration since the
// component began, from whichever of them on.
func (g *leg) turns(k *epochJob) int {
	return max(0, len(g.blocks)-1-g.before) / k.blocks()
}

// times returns when each of the last n turns of a job began, and when the last ended.
func (g *leg) times(k *epochJob, n int) []int64 {
	list := make([]int64, n+1)
	for i, last := 0, len(g.blocks)-1; i <= n; i++ {
		list[n-i] = g.blocks[last-i*k.blocks()]
	}
	return list
}

// known tests whether the rates of all jobs are known for as long as they are needed, and sets
// them if so.
func (s *stage) known() bool {
	if s.recurs() {
		return true
	}
	slowest := math.MaxInt
	for i := range s.course.legs {
		slowest = min(slowest, s.course.legs[i].turns(s.part.jobs[i]))
		if slowest < leastIterations {
			return false
		}
	}
	if alone := s.part.jobs[0]; len(s.part.jobs) == 1 && s.forgets(alone) {
		if len(s.course.legs[0].blocks)%alone.blocks() > 0 { // whole iterations have whole sums
			return false
		}
		if s.repeats() {
			return true
		}
	}
	if slowest < s.asked {
		return false
	}
	s.asked = max(s.asked+1, int(float64(s.asked)*testGrowth))
	s.looks++
	for i := range s.course.legs {
		s.course.legs[i].estimate(s.part.jobs[i], slowest, stats.LookConfidence(s.looks, confidence))
	}
	c := s.course
	c.until, c.watched = s.local(), s.watched()
	if c.suffices(s.part, s.settle, s.limit) {
		return true
	}
	for i := range c.legs {
		c.legs[i].rate = 0
	}
	return false
}

// watched returns for how long all jobs have been watched, in whole turns of each.
func (s *stage) watched() float64 {
	least := s.local()
	for i := range s.course.legs {
		g, k := &s.course.legs[i], s.part.jobs[i]
		w := g.times(k, g.turns(k))
		least = min(least, w[len(w)-1]-w[0])
	}
	return float64(least)
}

// repeats reports whether all iterations of a job that is alone are the same. That is so if an
// iteration begins in a network that nothing is left in of the one before.
func (s *stage) repeats() bool {
	g, k := &s.course.legs[0], s.part.jobs[0]
	w := g.times(k, 2)
	if w[2]-w[1] != w[1]-w[0] {
		return false
	}
	g.rate = float64(k.perIteration) / float64(w[2]-w[1])
	g.settleAt(k)
	s.course.exact = true
	return true
}

// forgets reports whether the network is as it was at first whenever an iteration of a job that
// is alone begins. The programs of codes have no barriers, and their iterations overlap. Behind a
// barrier all messages have arrived: the last flit was sent LinkCycles before, its channel is
// free after FlitCycles, and its place is known to be free after CreditCycles. Several virtual
// channels have pointers that stay where they are, and so have a round-robin arbiter and rails that
// messages take in turn.
func (s *stage) forgets(k *epochJob) bool {
	c := s.net.Config()
	turns := topology.Rails(c.Topology) > 1 && c.Rail == netsim.RailInTurn
	if s.settle.drawsRoute || k.config.Draws() || patterns.OwnSizes(k.config.Name) || turns ||
		c.VirtualChannels > 1 || c.NodeVirtualChannels > 1 || c.Arbiter != router.FirstCome {
		return false
	}
	return k.pause >= s.rest
}

// estimate sets the rate of a job and its interval. The slowest job of the component has done so
// many iterations. Few iterations cannot be compared as a whole: each part of an iteration is then
// compared with the same part of the others.
func (g *leg) estimate(k *epochJob, slowest int, confidence float64) {
	n := g.turns(k)
	batches := min(n, mostBatches)
	if slowest >= fewIterations { // batches are no shorter than the slowest beat
		batches = min(slowest, mostBatches)
	}
	each := n / batches
	w := g.times(k, each*batches)
	mean := float64(w[len(w)-1]-w[0]) / float64(each*batches)
	var e stats.Estimate
	if n < fewIterations {
		e = stats.EstimateStrata(g.strata(k.blocks(), n), confidence)
	} else {
		means := make([]float64, batches)
		for b := range means {
			means[b] = float64(w[(b+1)*each]-w[b*each]) / float64(each)
		}
		e = stats.EstimateOf(means, confidence)
	}
	if g.half = e.Half / mean; math.IsNaN(e.Half) {
		g.half = 0
	}
	g.rate = float64(k.perIteration) / mean
	g.settleAt(k)
}

// whole returns what the messages of whole turns sum up to, or those of all if there is none.
func (g *leg) whole(k *epochJob, all netsim.Totals) netsim.Totals {
	n := g.turns(k)
	if n == 0 {
		return all
	}
	if g.period > 0 {
		n = len(g.beats)
	}
	last := len(g.sums) - 1
	return g.sums[last].Minus(&g.sums[last-n*k.blocks()])
}

// strata returns the times that each block of an iteration took in the last n iterations.
func (g *leg) strata(blocks, n int) [][]float64 {
	last := g.blocks[len(g.blocks)-1-n*blocks:]
	list := make([][]float64, blocks)
	for i := range n * blocks {
		list[i%blocks] = append(list[i%blocks], float64(last[i+1]-last[i]))
	}
	return list
}

// settleAt has the rate hold from the last mark on. Between two marks an iteration does not go on
// evenly: it may begin with computing.
func (g *leg) settleAt(k *epochJob) {
	g.anchor = g.marks[len(g.marks)-1]
	g.anchored = float64(int64(len(g.marks)) * k.perIteration)
}

// measure takes from the network what the course needs to know.
func (s *stage) measure() {
	for i := range s.course.legs {
		g := &s.course.legs[i]
		g.reached, g.stopped = float64(s.counts[i]), s.local()
		g.each = eachOf(g.whole(s.part.jobs[i], s.x.jobs[s.slots[i]].totals))
		g.sums = nil
	}
	for i, k := range s.part.jobs {
		s.course.flits += s.x.jobs[s.slots[i]].totals.Flits
		for _, l := range k.links {
			if s.listed[l] != s.follows {
				s.listed[l] = s.follows
				if flits := s.net.Usage(l).Flits; flits > 0 {
					s.hops += float64(flits)
					s.course.use = append(s.course.use, linkUse{l, flits})
				}
			}
		}
	}
}

// clearAway lets the network run empty.
func (s *stage) clearAway() error {
	s.x.heard = nil
	for _, slot := range s.slots {
		if k := &s.x.jobs[slot]; k.program != nil {
			k.program = silent{}
		}
	}
	s.x.timers.reset()
	for s.net.Pending() > 0 {
		if _, _, err := s.x.step(scheduler.MaxCycle, nil); err != nil {
			return err
		}
	}
	s.x.timers.reset()
	for i, slot := range s.slots {
		if k := &s.x.jobs[slot]; k.program != nil {
			k.program = nil
			s.x.free = append(s.x.free, slot)
		}
		for _, n := range s.part.jobs[i].nodes {
			s.x.busy[n] = 0
		}
	}
	slices.Sort(s.x.free)
	slices.Reverse(s.x.free)
	return nil
}

// silent is a program that has nothing more to say.
type silent struct{}

// Start implements patterns.Program.
func (silent) Start(dst []patterns.Message) []patterns.Message { return dst }

// Delivered implements patterns.Program.
func (silent) Delivered(dst []patterns.Message, _ patterns.Message) []patterns.Message {
	return dst
}

// Done implements patterns.Program.
func (silent) Done() bool { return false }
