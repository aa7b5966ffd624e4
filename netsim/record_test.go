package netsim_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// record runs the scenario of an engine until a cycle, and returns the flits before it and the
// packets that have arrived.
func record(s reference.Scenario, until int64) (busyCycles, []router.Arrival, *netsim.Network) {
	n, busy, packets := must.Have(netsim.New(s.Config)), busyCycles{}, []router.Arrival(nil)
	n.Record(busy)
	n.Watch(func(p *router.Arrival) { packets = append(packets, *p) })
	to := func(cycle int64) {
		if _, _, err := n.Advance(cycle); err != nil {
			panic(err)
		}
	}
	for _, m := range s.Messages {
		for n.Now() < min(m.At, until) {
			to(min(m.At, until))
		}
		if n.Now() < until {
			n.Send(m.Message)
		}
	}
	for n.Pending() > 0 && n.Now() < until {
		to(min(until, n.Now()+1_000_000))
	}
	if n.Pending() > 0 {
		n.RecordRest()
	}
	maps.DeleteFunc(busy, func(k linkCycle, _ int) bool { return k.cycle >= until })
	return busy, packets, n
}

// usages returns what each channel was used for.
func usages(n *netsim.Network) (list []router.Usage) {
	for l := range router.Link(n.Wiring().Links()) {
		list = append(list, n.Usage(l))
	}
	return list
}

// All engines tell a Recorder of the flits that the reference sends, cycle for cycle. The closed
// form, which moves no body flits, does so too. They count these flits for each channel, and agree
// on all else that they measure of channels and packets.
func TestRecordedFlitsAreThoseOfTheReference(t *testing.T) {
	closed := 0
	drawAtMost(t, 40)
	rapid.Check(t, func(r *rapid.T) {
		s := drawScenario(r)
		delays := []string{"as drawn", "differ", "are alike", "are alike"}
		switch rapid.SampledFrom(delays).Draw(r, "delays") {
		case "differ":
			s = deepBuffers(r, s)
		case "are alike":
			s = deepBuffers(r, s)
			s.Config.OwnLinks = nil
		}
		plain := must.Have(s.Plainly())
		var used []router.Usage
		var arrived []router.Arrival
		for i, e := range must.Have(s.Engines()) {
			for _, until := range []int64{math.MaxInt64, rapid.Int64Range(1, 400).Draw(r, "cut")} {
				got, packets, n := record(e, until)
				want, own := busyCycles{}, n.LinkTimings()
				flits := make([]int64, len(own))
				for _, k := range plain.Sent {
					l := n.Wiring().LinkOf(k.On)
					want.Carried(l, k.Cycle, int64(own[l].Flit))
					flits[l]++
				}
				if of := usages(n); until == math.MaxInt64 {
					if i == 0 {
						used, arrived = of, packets
					}
					if !slices.Equal(of, used) || !slices.Equal(packets, arrived) {
						r.Fatalf("%+v: channels %+v, packets %+v; the cycle-driven engine has %+v, %+v",
							e.Config, of, packets, used, arrived)
					}
					for l, k := range of {
						if k.Flits != flits[l] {
							r.Fatalf("%+v: channel %d carries %d flits, want %d", e.Config, l, k.Flits, flits[l])
						}
					}
				}
				maps.DeleteFunc(want, func(k linkCycle, _ int) bool { return k.cycle >= until })
				if !maps.Equal(got, want) {
					r.Fatalf("%+v, until %d: flits by link and cycle (-reference +recorded)\n%s", e.Config, until,
						cmp.Diff(want, got, cmp.AllowUnexported(linkCycle{})))
				}
			}
			if closed == 0 && must.Have(e.Simulate()).ClosedForm {
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
	c.LinkCycles, c.CreditCycles = 1, 1
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
