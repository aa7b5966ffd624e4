package netsim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// A program of its own for two flows through a switch, packet by packet and cycle by cycle, written
// from Zhu et al., SIGCOMM 2015, sec. 3, and from InfiniBand Architecture 1.2.1, Annex A10. Nothing
// of it is package netsim's: timers run down each cycle, and the switch queues at its output.

// The network of the comparison, in cycles and flits: a flow is alone, a second one joins it, sends
// what it has and leaves.
const (
	packet    = 16
	delay     = 39 // of a link
	joins     = 20_000
	firstHas  = 100_000
	secondHas = 25_000
	end       = 120_000
)

// source is what a flow knows of its rate.
type source interface {
	tick()
	notified()
	// sent returns the time of a packet that is sent now.
	sent() float64
	rate() float64
}

// crossing is a packet on its way.
type crossing struct {
	flow   int
	at     int // cycle in which its head comes to the switch, then to its node
	marked bool
}

// sender is a node.
type sender struct {
	source
	left int     // flits
	next float64 // cycle from which its next packet may be sent
	busy int     // cycle until which its link is
	// The notification point of its flow.
	windowEnd     int
	markedInside  bool
	notifications []int // cycles in which they come to it
}

// twoFlows is the program.
type twoFlows struct {
	probability func(queue int) float64
	notifyEvery int // cycles of the windows of the notification point; 0: every mark is returned
	draw        *rand.Rand

	now       int
	senders   [2]sender
	wire      []crossing // to the switch, in the order of arrival
	queue     []crossing // at the switch
	serving   crossing   // that is sent on now
	out       []crossing // to the node
	busyUntil int        // of the link to the node
}

// stored returns the flits of a packet that have come to the switch.
func (x *twoFlows) stored(k crossing) int { return min(packet, x.now-k.at+1) }

// queued returns the flits at the switch of all packets that wait.
func (x *twoFlows) queued() (flits int) {
	for _, k := range x.queue {
		flits += x.stored(k)
	}
	return flits
}

// atSwitch returns the flits at the switch before a cycle.
func (x *twoFlows) atSwitch() (flits int) {
	x.now--
	flits = x.queued()
	if unsent := x.busyUntil - x.now - 1; unsent > 0 {
		flits += x.stored(x.serving) - (packet - unsent)
	}
	x.now++
	return flits
}

// step is a cycle.
func (x *twoFlows) step() {
	for len(x.out) > 0 && x.out[0].at <= x.now {
		k := x.out[0]
		x.out = x.out[1:]
		x.arrive(&x.senders[k.flow], k.marked)
	}
	for i := range x.senders {
		s := &x.senders[i]
		if s.markedInside && x.now == s.windowEnd {
			x.notify(s)
		}
		s.tick()
		for len(s.notifications) > 0 && s.notifications[0] <= x.now {
			s.notifications = s.notifications[1:]
			s.notified()
		}
	}
	for len(x.wire) > 0 && x.wire[0].at <= x.now {
		x.queue, x.wire = append(x.queue, x.wire[0]), x.wire[1:]
	}
	if len(x.queue) > 0 && x.now >= x.busyUntil {
		k := x.queue[0]
		x.queue, x.serving = x.queue[1:], k
		k.marked = x.draw.Float64() < x.probability(x.queued())
		k.at = x.now + packet - 1 + delay
		x.out, x.busyUntil = append(x.out, k), x.now+packet
	}
	for i := range x.senders {
		s := &x.senders[i]
		if s.left > 0 && x.now >= s.busy && float64(x.now) >= math.Floor(s.next) {
			s.left -= packet
			s.next = float64(x.now) + s.sent() + s.next - math.Floor(s.next)
			s.busy = x.now + packet
			x.wire = append(x.wire, crossing{flow: i, at: x.now + delay})
		}
	}
	x.now++
}

// arrive is a packet at its node.
func (x *twoFlows) arrive(s *sender, marked bool) {
	switch {
	case !marked:
	case x.now >= s.windowEnd:
		x.notify(s)
	default:
		s.markedInside = true
	}
}

// notify sends a notification.
func (x *twoFlows) notify(s *sender) {
	s.windowEnd, s.markedInside = x.now+x.notifyEvery, false
	s.notifications = append(s.notifications, x.now+2*delay)
}

// reactionPoint is that of DCQCN, Algorithm 1 and Fig. 7, with F steps of fast recovery.
type reactionPoint struct {
	gain, additive, hyper, least float64
	recovery, k, t, b            int

	limited               bool
	current, target       float64
	alpha                 float64
	alphaTimer, rateTimer int
	timers, counters      int
	bytes                 int
}

func (r *reactionPoint) rate() float64 {
	if !r.limited {
		return 1
	}
	return r.current
}

func (r *reactionPoint) notified() {
	if !r.limited {
		r.limited, r.current, r.alpha = true, 1, 1
	}
	r.target = r.current
	r.current = math.Max(r.least, r.current*(1-r.alpha/2))
	r.alpha = (1-r.gain)*r.alpha + r.gain
	r.alphaTimer, r.rateTimer, r.timers, r.counters, r.bytes = r.k, r.t, 0, 0, 0
}

func (r *reactionPoint) tick() {
	if !r.limited {
		return
	}
	if r.alphaTimer--; r.alphaTimer == 0 {
		r.alpha, r.alphaTimer = r.alpha*(1-r.gain), r.k
	}
	if r.rateTimer--; r.rateTimer == 0 {
		r.rateTimer = r.t
		r.raise()
		r.timers++
	}
}

func (r *reactionPoint) sent() float64 {
	time := packet / r.rate()
	if !r.limited {
		return time
	}
	if r.bytes += packet; r.bytes >= r.b {
		r.bytes -= r.b
		r.raise()
		r.counters++
	}
	return time
}

func (r *reactionPoint) raise() {
	switch low, high := min(r.timers, r.counters), max(r.timers, r.counters); {
	case low > r.recovery:
		r.target += float64(low-r.recovery) * r.hyper
	case high >= r.recovery:
		r.target += r.additive
	}
	r.target = math.Min(r.target, 1)
	r.current = (r.current + r.target) / 2
	r.limited = r.current <= 1-r.additive
}

// tableOfDelays is the source of InfiniBand.
type tableOfDelays struct {
	step                   float64
	increase, limit, timer int

	index, left int
}

func (c *tableOfDelays) rate() float64 { return 1 / (1 + float64(c.index)*c.step) }
func (c *tableOfDelays) sent() float64 { return math.Ceil(packet / c.rate()) }

func (c *tableOfDelays) notified() {
	if c.index == 0 {
		c.left = c.timer
	}
	c.index = min(c.limit, c.index+c.increase)
}

func (c *tableOfDelays) tick() {
	if c.index == 0 {
		return
	}
	if c.left--; c.left == 0 {
		c.index, c.left = c.index-1, c.timer
	}
}

// sampled is the number of cycles between two samples.
const sampled = 50

// course is the means over seeds of both rates and of the queue, in windows of some cycles.
type course struct {
	seeds, window int
	means         [3][]float64
}

func newCourse(seeds, window int) *course {
	c := &course{seeds: seeds, window: window}
	for k := range c.means {
		c.means[k] = make([]float64, end/window)
	}
	return c
}

// add adds a sample.
func (c *course) add(cycle int, first, second, queue float64) {
	for k, x := range []float64{first, second, queue} {
		c.means[k][cycle/c.window] += x * sampled / float64(c.seeds*c.window)
	}
}

// byProgram takes the course by the program above.
func (c *course) byProgram(build func() *twoFlows) {
	for seed := range uint64(c.seeds) {
		x := build()
		x.draw = rand.New(rand.NewPCG(seed, 9))
		for x.senders[0].left = firstHas; x.now < end; x.step() {
			if x.now == joins {
				x.senders[1].left, x.senders[1].next = secondHas, joins
			}
			if x.now%sampled == 0 {
				c.add(x.now, x.senders[0].rate(), x.senders[1].rate(), float64(x.atSwitch()))
			}
		}
	}
}

// byNetwork takes the course by package netsim, from a cycle on.
func (c *course) byNetwork(control netsim.CongestionControl, from netsim.Cycle) {
	for seed := range uint64(c.seeds) {
		k := netsim.Default(must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 1})))
		k.SourceQueues, k.Congestion, k.RoutingSeed = netsim.QueuePerDestination, control, seed
		k.PacketFlits, k.BufferFlits, k.VirtualChannels = packet, packet, 64
		k.RoutingCycles, k.LinkCycles, k.CreditCycles = 0, delay, delay
		k.InputSpeedup, k.PacketsHoldLinks, k.Switching = 0, true, router.VirtualCutThrough
		net := must.Have(netsim.New(k))
		advance := func(until netsim.Cycle) {
			for net.Now() < until {
				_, _, err := net.Advance(until)
				must.Do(err)
			}
		}
		advance(from)
		net.Send(netsim.Message{From: 1, To: 0, Flits: firstHas})
		for cycle := 0; cycle < end; cycle += sampled {
			advance(from + netsim.Cycle(cycle))
			if cycle == joins {
				net.Send(netsim.Message{From: 2, To: 0, Flits: secondHas})
			}
			a, _ := net.PairState(1, 0)
			b, _ := net.PairState(2, 0)
			c.add(cycle, a.Rate, b.Rate, float64(a.QueuedFlits))
		}
	}
}

// compare checks that rates are within 10% of each other, and queues within 10% or a packet.
func (c *course) compare(t *testing.T, control netsim.CongestionControl, build func() *twoFlows) {
	t.Helper()
	c.byNetwork(control, 1_000_000)
	other := newCourse(c.seeds, c.window)
	other.byProgram(build)
	for k, of := range []string{"rate of the first flow", "rate of the second flow", "queue"} {
		for w, got := range c.means[k] {
			want := other.means[k][w]
			if d := math.Abs(got - want); d > 0.1*want && !(k == 2 && d < packet) {
				t.Errorf("%T: the %s from cycle %d on is %.4g, by the other program %.4g", control, of,
					w*c.window, got, want)
			}
		}
	}
}

// Rates and the queue while a flow is joined by another, which leaves again, are those of a program
// of its own within 10%. TestLongTransients looks more closely.
func TestTransients(t *testing.T) {
	if netsim.Slow {
		t.Skip("takes minutes with invariants, which other tests of controls check")
	}
	transients(t, 40, 20_000)
}

// transients compares means over some seeds in windows of some cycles.
func transients(t *testing.T, seeds, window int) {
	d := &netsim.DCQCN{MarkFrom: 40, MarkTo: 400, MarkShare: 0.1, CNPCycles: 400, AlphaCycles: 430,
		TimerCycles: 430, CounterFlits: 15_625, Gain: 1. / 16, Recovery: 5, Additive: 0.01, Hyper: 0.1,
		Least: 0.001}
	newCourse(seeds, window).compare(t, d, func() *twoFlows {
		point := func() source {
			return &reactionPoint{gain: 1. / 16, additive: 0.01, hyper: 0.1, least: 0.001, recovery: 5,
				k: 430, t: 430, b: 15_625}
		}
		return &twoFlows{notifyEvery: 400, senders: [2]sender{{source: point()}, {source: point()}},
			probability: func(queue int) float64 {
				switch {
				case queue <= 40:
					return 0
				case queue > 400:
					return 1
				}
				return 0.1 * float64(queue-40) / 360
			}}
	})
	i := &netsim.IBCCA{MarkFrom: 64, MarkingRate: 4, Increase: 1, Limit: 127, TimerCycles: 1000,
		DelayStep: 0.2}
	newCourse(seeds, window).compare(t, i, func() *twoFlows {
		table := func() source { return &tableOfDelays{step: 0.2, increase: 1, limit: 127, timer: 1000} }
		return &twoFlows{senders: [2]sender{{source: table()}, {source: table()}},
			probability: func(queue int) float64 {
				if queue > 64 {
					return 0.2
				}
				return 0
			}}
	})
}
