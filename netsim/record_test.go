package netsim_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/topology"
)

// linkCycle is a cycle of a physical channel.
type linkCycle struct {
	link  router.Link
	cycle int64
}

// busyCycles counts the flits by channel and cycle. It is a router.Recorder.
type busyCycles map[linkCycle]int

// Carried implements router.Recorder.
func (b busyCycles) Carried(l router.Link, from, cycles int64) {
	for t := range cycles {
		b[linkCycle{l, from + t}]++
	}
}

// simulate runs a scenario, with a Recorder if there is one, and returns the network and the
// packets.
func simulate(s reference.Scenario, to router.Recorder) (n *netsim.Network,
	packets []router.Arrival) {
	n = must.Have(netsim.New(s.Config))
	if to != nil {
		n.Record(to)
	}
	n.Watch(func(p *router.Arrival) { packets = append(packets, *p) })
	advance := func(until int64) {
		if _, _, err := n.Advance(until); err != nil {
			panic(err)
		}
	}
	for _, m := range s.Messages {
		for n.Now() < m.At {
			advance(m.At)
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		advance(n.Now() + 1_000_000)
	}
	return n, packets
}

// usages returns what each channel was used for.
func usages(n *netsim.Network) (list []router.Usage) {
	for l := range router.Link(n.Wiring().Links()) {
		list = append(list, n.Usage(l))
	}
	return list
}

// All engines tell a Recorder of the flits that the reference sends, cycle for cycle. They count
// these flits for each channel, and agree on all else that they measure of channels and packets, as
// does the closed form.
func TestRecordedFlitsAreThoseOfTheReference(t *testing.T) { recordedFlits(t, 20) }

func recordedFlits(t *testing.T, checks int) {
	closed := 0
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		s := drawScenario(r)
		if rapid.Bool().Draw(r, "deep buffers") {
			s = deepBuffers(r, s)
			if rapid.Bool().Draw(r, "equal links") {
				s.Config.OwnLinks = nil
			}
		}
		want, flits := busyCycles{}, map[router.Link]int64{}
		var used []router.Usage
		var arrived []router.Arrival
		for i, e := range must.Have(s.Engines()) {
			got := busyCycles{}
			n, _ := simulate(e, got)
			if i == 0 {
				timings := n.LinkTimings()
				for _, k := range must.Have(s.Plainly()).Sent {
					l := n.Wiring().LinkOf(k.On)
					want.Carried(l, k.Cycle, int64(timings[l].Flit))
					flits[l]++
				}
			}
			if !maps.Equal(got, want) {
				r.Fatalf("%+v: flits by link and cycle (-reference +recorded)\n%s", e.Config,
					cmp.Diff(want, got, cmp.AllowUnexported(linkCycle{})))
			}
			n, packets := simulate(e, nil)
			of := usages(n)
			if i == 0 {
				used, arrived = of, packets
			}
			if !slices.Equal(of, used) || !slices.Equal(packets, arrived) {
				r.Fatalf("%+v: channels %+v, packets %+v; the cycle-driven engine has %+v, %+v",
					e.Config, of, packets, used, arrived)
			}
			for l, k := range of {
				if k.Flits != flits[router.Link(l)] {
					r.Fatalf("%+v: channel %d carries %d flits, want %d", e.Config, l, k.Flits,
						flits[router.Link(l)])
				}
			}
			if must.Have(e.Simulate()).Untraced {
				closed++
			}
		}
	})
	if closed == 0 {
		t.Error("no scenario had a closed form")
	}
}

// deepBuffers returns a scenario in which links differ in delay, and buffers and messages are
// such that the closed form is exact.
func deepBuffers(r *rapid.T, s reference.Scenario) reference.Scenario {
	c := &s.Config
	c.Switching, c.VirtualChannels, c.NodeVirtualChannels, c.InjectionPorts = router.Wormhole, 1, 1, 1
	c.LinkCycles, c.CreditCycles, c.PacketsHoldLinks = 1, 1, false
	if c.Routing = ""; topology.Wraps(c.Topology) {
		c.Routing = "dimension-order"
	}
	seed := rapid.Uint64Range(0, 99).Draw(r, "delays")
	c.OwnLinks = func(_ *router.Wiring, l router.Link) (delay, flit int) {
		return 1 + rand.New(rand.NewPCG(seed, uint64(l))).IntN(3), 0
	}
	c.BufferFlits = (6+c.FlitCycles-1)/c.FlitCycles + rapid.IntRange(0, 1).Draw(r, "more")
	c.PacketFlits = c.BufferFlits * rapid.IntRange(1, 5).Draw(r, "buffers")
	c.MessageFlits, c.MessageMultiple = 0, c.BufferFlits
	for i := range s.Messages {
		m, k := &s.Messages[i], int32(c.BufferFlits)
		m.Flits = (m.Flits + k - 1) / k * k
		if topology.Wraps(c.Topology) { // without datelines no ring may be closed
			m.To = m.From
		}
	}
	return s
}
