package netsim_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/netsim/topology"
	"contend/router"
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

// record runs the scenario of an engine and records its flits.
func record(s reference.Scenario) (busyCycles, *netsim.Network, error) {
	n, err := netsim.New(s.Config)
	if err != nil {
		return nil, nil, err
	}
	busy := busyCycles{}
	n.Record(busy)
	for _, m := range s.Messages {
		for n.Now() < m.At {
			if _, _, err := n.Advance(m.At); err != nil {
				return nil, nil, err
			}
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(n.Now() + 1_000_000); err != nil {
			return nil, nil, err
		}
	}
	return busy, n, nil
}

// All engines tell a Recorder of the flits that the reference sends, cycle for cycle. The closed
// form, which moves no body flits, does so too.
func TestRecordedFlitsAreThoseOfTheReference(t *testing.T) {
	closed := 0
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
		engines := must.Have(s.Engines())
		for _, e := range engines {
			got, n, err := record(e)
			if err != nil {
				r.Fatal(err)
			}
			want, own := busyCycles{}, n.LinkTimings()
			for _, k := range plain.Sent {
				l := n.Wiring().LinkOf(k.On)
				want.Carried(l, k.Cycle, int64(own[l].Flit))
			}
			for k, flits := range want {
				if got[k] != flits {
					r.Fatalf("%+v: %d flits on link %d in cycle %d, the reference has %d", e.Config,
						got[k], k.link, k.cycle, flits)
				}
			}
			if len(got) != len(want) {
				r.Fatalf("%+v: %d busy cycles, the reference has %d", e.Config, len(got), len(want))
			}
			checkCut(r, e, want)
			if run, err := e.Simulate(); err == nil && run.ClosedForm {
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

// checkCut stops a scenario at a drawn cycle. After RecordRest, the flits before it are known.
func checkCut(r *rapid.T, s reference.Scenario, want busyCycles) {
	cut := rapid.Int64Range(1, 400).Draw(r, "cut")
	n := must.Have(netsim.New(s.Config))
	got := busyCycles{}
	n.Record(got)
	for _, m := range s.Messages {
		for n.Now() < min(m.At, cut) {
			if _, _, err := n.Advance(min(m.At, cut)); err != nil {
				r.Fatal(err)
			}
		}
		if n.Now() < cut {
			n.Send(m.Message)
		}
	}
	for n.Now() < cut {
		if _, _, err := n.Advance(cut); err != nil {
			r.Fatal(err)
		}
	}
	n.RecordRest()
	for k, flits := range want {
		if k.cycle < cut && got[k] != flits {
			r.Fatalf("%+v, cut at %d: %d flits on link %d in cycle %d, the reference has %d", s.Config,
				cut, got[k], k.link, k.cycle, flits)
		}
	}
	for k, flits := range got {
		if k.cycle < cut && want[k] != flits {
			r.Fatalf("%+v, cut at %d: %d flits on link %d in cycle %d, the reference has %d", s.Config,
				cut, flits, k.link, k.cycle, want[k])
		}
	}
}
