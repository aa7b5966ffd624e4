package netsim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Times in other units give the same run in those units, where all rules are linear: with a place
// for one packet at a time in each FIFO no head comes to the front behind a tail, which takes a
// cycle whatever the unit; a crossbar without limit passes over nobody; and an interface with one
// destination takes no turns.
func TestLawOfUnits(t *testing.T) { lawOfUnits(t, 40) }

func lawOfUnits(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k, unit := drawLinear(r), rapid.IntRange(2, 50).Draw(r, "unit")
		got, want := k.inUnits(unit).run(r), k.run(r)
		for i := range want.packets {
			p := &want.packets[i]
			for _, x := range []*netsim.Cycle{&p.Created, &p.Injected, &p.Delivered, &p.Blocked,
				&p.Foreign} {
				*x *= netsim.Cycle(unit)
			}
			p.Turn, got.packets[i].Turn = 0, 0 // it comes in the cycle after another event
		}
		if !slices.Equal(got.packets, want.packets) {
			r.Fatalf("in units of %d cycles the run is another one: %s", unit,
				firstDifference(&got, &want))
		}
	})
}

// Under a control of congestion two events of one cycle may change places, since a queue pair acts
// a cycle after its head. Then an incast takes as long within 1%, but for one in seven: of 1,100
// drawn ones one in twenty-five differed by more.
func TestLawOfUnitsUnderControls(t *testing.T) {
	laws.AtMost(t, 300)
	trials, off := map[string]int{}, map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		nodes := rapid.IntRange(3, 8).Draw(r, "nodes")
		c := netsim.Default(must.Have(topology.NewTree(topology.TreeConfig{Arity: nodes, Levels: 1})))
		each := 1 // nodes of a host
		if rapid.Bool().Draw(r, "islands") {
			each = rapid.IntRange(1, 3).Draw(r, "nodes of a host")
			c = islands(nodes, each, 2, 2*rapid.IntRange(2, 6).Draw(r, "F of cards"))
		}
		c.Switching, c.PacketFlits, c.FlitCycles = router.VirtualCutThrough, 8, 2
		c.BufferFlits, c.InputSpeedup = 8, 0
		c.SourceQueues, c.Congestion = netsim.QueuePerDestination, drawControl(r)
		k := trial{config: c}
		for i := range topology.Node(nodes * each) {
			k.messages = append(k.messages, reference.Timed{
				At:      rapid.Int64Range(0, 500).Draw(r, "at"),
				Message: netsim.Message{From: i, Flits: int32(8 * rapid.IntRange(10, 60).Draw(r, "packets"))}})
		}
		sortByTime(k.messages)
		unit := rapid.IntRange(2, 50).Draw(r, "unit")
		got, want := k.inUnits(unit).run(r), k.run(r)
		control := fmt.Sprintf("%T", c.Congestion)
		trials[control]++
		if math.Abs(got.latency()/want.latency()/float64(unit)-1) > 0.01 {
			off[control]++
		}
	})
	for control, n := range trials {
		if n < 20 || off[control] > n/7 {
			t.Errorf("%s: %d of %d incasts take another time in other units", control, off[control], n)
		}
	}
}

// latency returns the sum of the latencies of all messages.
func (o *outcome) latency() (sum float64) {
	for _, d := range o.deliveries {
		sum += float64(d.Delivered - d.Created)
	}
	return sum
}

// drawLinear draws a trial with linear rules.
func drawLinear(r *rapid.T) trial {
	s := drawRouted(r)
	c := &s.Config
	c.InputSpeedup, c.SwitchAllocator, c.HeadersYield = 0, router.InputFirst, false
	c.MessageFlits, c.MessageMultiple = 0, 0
	if c.Arbiter == router.Matching { // a head that is not matched tries again a cycle later
		c.Arbiter = router.RoundRobin
	}
	if c.PacketFlits = c.BufferFlits; c.Switching != router.VirtualCutThrough {
		c.Switching, c.BufferFlits = router.Wormhole, 1
	}
	c.Engine, c.OwnLinks, c.InjectionFlitCycles = "cycle", nil, 0
	c.CreditCycles += c.LinkCycles // credits of shorter links take at least a cycle, whatever the unit
	if rapid.Bool().Draw(r, "queue pairs") {
		nodes := topology.Node(c.Topology.Nodes())
		c.SourceQueues = netsim.QueuePerDestination
		for i := range s.Messages {
			m := &s.Messages[i].Message
			m.To = min(m.From%2, nodes-1)
		}
	}
	for i := range s.Messages {
		m := &s.Messages[i].Message
		m.Flits = (m.Flits + int32(c.PacketFlits) - 1) / int32(c.PacketFlits) * int32(c.PacketFlits)
	}
	return trial{config: s.Config, messages: s.Messages}
}

// inUnits returns a trial whose lengths of time are so many times as long.
func (k trial) inUnits(unit int) trial {
	k = k.later(0)
	c := &k.config
	for _, x := range []*int{&c.RoutingCycles, &c.VCAllocCycles, &c.LinkCycles, &c.FlitCycles,
		&c.CreditCycles, &c.NodeLinkCycles, &c.NodeFlitCycles, &c.NodeCreditCycles,
		&c.EjectionCreditCycles} {
		*x *= unit
	}
	for _, list := range []*[]int{&c.ClassLinkCycles, &c.ClassFlitCycles} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] *= unit
		}
	}
	switch x := c.Congestion.(type) {
	case *netsim.DCQCN:
		y := *x
		y.CNPCycles, y.AlphaCycles, y.TimerCycles = unit*y.CNPCycles, unit*y.AlphaCycles,
			unit*y.TimerCycles
		c.Congestion = &y
	case *netsim.IBCCA:
		y := *x
		y.TimerCycles *= unit
		c.Congestion = &y
	}
	for i := range k.messages {
		k.messages[i].At *= netsim.Cycle(unit)
	}
	return k
}

// One flow that nobody meets takes the time that it takes without queue pairs and without a control
// of congestion, over links of any length: no link of its way is slower than the first.
func TestLawOfTheLoneFlow(t *testing.T) { lawOfTheLoneFlow(t, 50) }

func lawOfTheLoneFlow(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k := drawLone(r)
		c := k.config
		c.SourceQueues, c.Congestion = netsim.OneQueue, nil
		want := trial{config: c, messages: k.messages}.run(r)
		got := k.run(r)
		for _, o := range []*outcome{&want, &got} {
			for i := range o.packets {
				o.packets[i].Marked = false
				o.packets[i].Turn = 0 // queue pairs take turns as late as they can
			}
		}
		if !slices.Equal(got.packets, want.packets) {
			r.Fatalf("%T delays a flow that is alone: %s", k.config.Congestion,
				firstDifference(&got, &want))
		}
	})
}

// drawLone draws a flow over one path of equally fast links with a control of congestion, and FIFOs
// that never throttle it.
func drawLone(r *rapid.T) trial {
	m := topologytest.Machine(r, rapid.SampledFrom([]string{"mesh:5", "mesh:3x3", "torus:5", "tree:4x1",
		"tree:2x3", "dragonfly:a2h1", "hyperx:3x2:p2"}).Draw(r, "machine"))
	c := netsim.Default(m)
	c.RoutingCycles = 0
	c.Switching = rapid.SampledFrom([]router.Switching{router.Wormhole,
		router.VirtualCutThrough}).Draw(r, "switching")
	c.PacketFlits = rapid.SampledFrom([]int{1, 4, 9, 64}).Draw(r, "L")
	c.FlitCycles = rapid.SampledFrom([]int{1, 3, 46}).Draw(r, "F")
	c.LinkCycles = rapid.SampledFrom([]int{1, 3, 40, 200, 781}).Draw(r, "D")
	c.CreditCycles = rapid.SampledFrom([]int{1, c.LinkCycles}).Draw(r, "C")
	c.NodeLinkCycles = rapid.SampledFrom([]int{0, 1, 200}).Draw(r, "D of nodes")
	delay := max(c.LinkCycles, c.NodeLinkCycles)
	c.BufferFlits = 3*c.PacketFlits + (2*delay+c.CreditCycles)/c.FlitCycles + 2
	c.VirtualChannels = rapid.IntRange(2, 4).Draw(r, "V")
	c.InputSpeedup = rapid.IntRange(0, 2).Draw(r, "S")
	c.PacketsHoldLinks = c.Switching == router.VirtualCutThrough &&
		rapid.Bool().Draw(r, "packets hold links")
	c.SourceQueues, c.Congestion = netsim.QueuePerDestination, drawControl(r)
	if b, ok := c.Congestion.(*netsim.IBCCA); ok {
		b.Least = 0 // otherwise it holds all back
	}
	k := trial{config: c}
	from := topology.Node(rapid.IntRange(0, m.Nodes()-1).Draw(r, "from"))
	to := topology.Node(rapid.IntRange(0, m.Nodes()-1).Draw(r, "to"))
	for range rapid.IntRange(1, 3).Draw(r, "messages") {
		k.messages = append(k.messages, reference.Timed{
			At: netsim.Cycle(rapid.IntRange(0, 3000).Draw(r, "at")),
			Message: netsim.Message{From: from, To: to,
				Flits: int32(rapid.IntRange(1, 60).Draw(r, "packets") * c.PacketFlits)}})
	}
	sortByTime(k.messages)
	return k
}
