package netsim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

// A message of n full packets from a node at G cycles a flit: packet i begins
// i·ceil(L·G) cycles after the first, and all travel as on an empty network.
func TestSlowNodeBeginsPacketsAtItsOwnRate(t *testing.T) {
	for _, g := range []float64{1, 1.25, 2.0588, 3, 11.6667, 1000} {
		for _, length := range []int{1, 8, 64} {
			for _, engine := range []string{"cycle", "worm", "closed"} {
				c := Default(cube(t, false, 6))
				c.PacketFlits, c.InjectionFlitCycles, c.BufferFlits, c.CreditCycles, c.RoutingCycles = length,
					g, 4, 3, 0
				if c.Engine = engine; engine == "closed" {
					c.Engine, c.MessageFlits = "worm", 5*length
				}
				n := must.Have(New(c))
				n.Send(Message{From: 0, To: 4, Flits: int32(5 * length)})
				d := drain(t, n)
				want := 4*Cycle(math.Ceil(float64(length)*g)) + c.ZeroLoadLatency(4, length)
				if d[0].Delivered != want {
					t.Errorf("G = %v, L = %d, %s: %d cycles, want %d", g, length, engine, d[0].Delivered, want)
				}
			}
		}
	}
}

// Nodes that send at a third of the link's rate share a link: it carries all
// that up to three of them can send, and no more than its own rate.
func TestSlowNodesShareALink(t *testing.T) {
	const packets, length = 400, 16
	for _, engine := range []string{"cycle", "worm"} {
		for pairs := 1; pairs <= 6; pairs++ {
			c := Default(cube(t, false, 12))
			c.PacketFlits, c.InjectionFlitCycles, c.Engine = length, 3, engine
			c.RoutingCycles = 0 // or it would take from the link's rate, a packet
			n := must.Have(New(c))
			for i := range pairs {
				n.Send(Message{From: topology.Node(5 - i), To: topology.Node(6 + i), Flits: packets * length})
			}
			const until = 3 * packets * length
			carried := 0.0
			advanceTo(t, n, until)
			for l := range router.Link(n.Wiring().Links()) {
				carried = max(carried, float64(n.Usage(l).Flits))
			}
			if got, want := carried/until, min(1, float64(pairs)/3); math.Abs(got-want) > 0.01 {
				t.Errorf("%s: %d pairs, %.3f flits a cycle, want %.3f", engine, pairs, got, want)
			}
		}
	}
}

func TestRateOfANodeIsChecked(t *testing.T) {
	for _, g := range []float64{-1, 0.5, 2.9, 1e9, math.NaN(), math.Inf(1)} {
		c := ProcSimity(cube(t, false, 4))
		c.InjectionFlitCycles = g
		if _, err := New(c); err == nil || !strings.Contains(err.Error(),
			fmt.Sprintf("InjectionFlitCycles is %v: it must be 0, or from 3", g)) {
			t.Errorf("%v: %v", g, err)
		}
	}
}
