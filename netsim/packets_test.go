package netsim_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
)

// measured is all that a run measures, as text: packets, uses of channels halfway and at the end,
// waits, queues for a node.
type measured struct {
	packets []router.Arrival
	used    []router.Usage
	waits   []string
	queues  []int64
	marked  int
}

// Waited implements router.WaitRecorder. Numbers of packets are not compared.
func (m *measured) Waited(list []router.Wait) {
	for _, k := range list {
		k.Packet, k.For = 0, min(k.For, 0)
		m.waits = append(m.waits, fmt.Sprint(k))
	}
}

// measure runs a scenario and resets the uses of channels in a cycle.
func measure(s reference.Scenario, reset netsim.Cycle, waits bool) (m measured) {
	n := must.Have(netsim.New(s.Config))
	if waits {
		n.RecordWaits(&m)
	}
	n.Watch(func(p *router.Arrival) {
		m.packets = append(m.packets, *p)
		if p.Marked {
			m.marked++
		}
	})
	to := func(until netsim.Cycle) {
		for n.Now() < until {
			must.Do(second(n.Advance(until)))
		}
	}
	halfway := func(until netsim.Cycle) {
		if n.Now() <= reset && reset < until {
			to(reset)
			m.used = append(m.used, usages(n)...)
			n.ResetUsage()
			if k, ok := n.PairState(0, 0); ok {
				m.queues = append(m.queues, k.QueuedFlits)
			}
		}
	}
	for _, k := range s.Messages {
		halfway(k.At)
		to(k.At)
		n.Send(k.Message)
	}
	halfway(1 << 40)
	for n.Pending() > 0 {
		to(n.Now() + 100)
	}
	n.ReportWaits()
	m.used = append(m.used, usages(n)...)
	slices.Sort(m.waits)
	slices.SortFunc(m.packets,
		func(a, b router.Arrival) int { return cmp.Compare(a.Number, b.Number) })
	return m
}

// second returns the error of Advance.
func second(_ netsim.Cycle, _ []netsim.Delivery, err error) error { return err }

// only returns the strings of a list that another one lacks.
func only(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list),
		func(k string) bool { return slices.Contains(other, k) })
}

// The packet engine and the cycle-driven one agree on all that they measure: every field of every
// packet, marks included, the uses of channels up to any cycle and from it on, waits with those for
// whom, and queues. So they do with sources that react to marks, and with messages in any unit.
func TestPacketEngineAgreesOnMeasures(t *testing.T) {
	laws.AtMost(t, 60)
	packets, marked, waits := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		s := drawWholePackets(r)
		c := &s.Config
		crowd(r, &s)
		if rapid.Bool().Draw(r, "queue pairs") {
			c.SourceQueues, c.Congestion = netsim.QueuePerDestination, drawControl(r)
			c.CountsQueues = true
		}
		reset := rapid.Int64Range(0, 300).Draw(r, "reset")
		recorded := rapid.Bool().Draw(r, "waits")
		c.Engine = "packet"
		got := measure(s, reset, recorded)
		c.Engine = "cycle"
		want := measure(s, reset, recorded)
		packets, marked, waits = packets+len(want.packets), marked+want.marked, waits+len(want.waits)
		for _, k := range []struct {
			what string
			same bool
			a, b any
		}{
			{"packets", slices.Equal(got.packets, want.packets), got.packets, want.packets},
			{"uses", slices.Equal(got.used, want.used), got.used, want.used},
			{"waits", slices.Equal(got.waits, want.waits), only(got.waits, want.waits),
				only(want.waits, got.waits)},
			{"queues", slices.Equal(got.queues, want.queues), got.queues, want.queues},
		} {
			if !k.same {
				r.Fatalf("%+v: %s: the packet engine has\n%+v, the cycle-driven one\n%+v", *c, k.what, k.a, k.b)
			}
		}
	})
	if packets < 1000 || marked == 0 || waits == 0 {
		t.Errorf("only %d packets, %d marked, %d waits", packets, marked, waits)
	}
}

// Auto takes the packet engine where it is exact and links have several virtual channels, and the
// engine is refused elsewhere.
func TestPacketEngineIsRefused(t *testing.T) {
	whole := netsim.Default(meshOf(4, 4))
	whole.Switching, whole.PacketsHoldLinks, whole.InputSpeedup = router.VirtualCutThrough, true, 0
	whole.PacketFlits, whole.BufferFlits, whole.Engine = 8, 16, "packet"
	giveVirtualChannels(&whole, 2)
	must.Have(netsim.New(whole))
	whole.InputSpeedup, whole.NodeFlitCycles = 2, 3
	must.Have(netsim.New(whole))
	giveVirtualChannels(&whole, 31)
	whole.LinksFail = true // each link has a channel more
	must.Have(netsim.New(whole))
	whole.LinksFail = false
	for name, change := range map[string]func(c *netsim.Config){
		"links are shared":  func(c *netsim.Config) { c.PacketsHoldLinks = false },
		"links slow down":   func(c *netsim.Config) { c.SlowestBandwidth = 0.5 },
		"credits of nodes":  func(c *netsim.Config) { c.EjectionCreditCycles = 3 },
		"atomic VCs":        func(c *netsim.Config) { c.AtomicVCs = true },
		"too many channels": func(c *netsim.Config) { giveVirtualChannels(c, 33) },
		"one more":          func(c *netsim.Config) { giveVirtualChannels(c, 32); c.LinksFail = true },
	} {
		c := whole
		change(&c)
		if _, err := netsim.New(c); err == nil {
			t.Errorf("%s: the packet engine is not refused", name)
		}
		c.Engine = "cycle"
		if _, err := netsim.New(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
