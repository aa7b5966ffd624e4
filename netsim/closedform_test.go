package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

// The closed form in all small settings in which it is exact, those among them in
// which it just about is and in which it just about needs no earlier header times:
// the cycle-driven engine has the same packets and the same use of every channel.
func TestClosedFormInAllSettings(t *testing.T) {
	cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 3}})
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for i := range 4 * 3 * 2 * 3 * 4 {
		c := Default(cube)
		c.RoutingCycles, i = i%4, i/4
		c.LinkCycles, i = 1+i%3, i/3
		c.FlitCycles, i = 1+i%2, i/2
		c.CreditCycles, i = 1+i%3, i/3
		c.BufferFlits = 1 + i
		c.PacketFlits, c.MessageFlits = 4*c.BufferFlits, 3*c.BufferFlits
		if c.BufferFlits*c.FlitCycles < c.LinkCycles+c.CreditCycles {
			continue
		}
		tried++
		c.Engine = "cycle"
		want := playedOut(t, c)
		c.Engine = "worm"
		if got := playedOut(t, c); !slices.Equal(got, want) {
			t.Errorf("R %d, D %d, F %d, C %d, B %d: the closed form differs",
				c.RoutingCycles, c.LinkCycles, c.FlitCycles, c.CreditCycles, c.BufferFlits)
		}
	}
	if tried < 50 {
		t.Errorf("%d settings", tried)
	}
}

// playedOut returns what becomes of some messages in a network, packet by packet
// and then channel by channel.
func playedOut(t *testing.T, c Config) (lines []string) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	n.Watch(func(p *router.Arrival) { lines = append(lines, fmt.Sprintf("%+v", *p)) })
	rng := rand.New(rand.NewPCG(3, uint64(c.MessageFlits)))
	for range 60 {
		until := n.Now() + Cycle(rng.IntN(4*c.FlitCycles))
		for n.Now() < until {
			if _, _, err := n.Advance(until); err != nil {
				t.Fatal(err)
			}
		}
		n.Send(Message{From: topology.Node(rng.IntN(12)), To: topology.Node(rng.IntN(12)),
			Flits: int32(c.MessageFlits), Job: int32(rng.IntN(2))})
	}
	drain(t, n)
	for l := range router.Link(n.Wiring().Links()) {
		lines = append(lines, fmt.Sprintf("%d %+v", l, n.Usage(l)))
	}
	return lines
}

// drain lets all messages arrive.
func drain(t *testing.T, n *Network) (deliveries []Delivery) {
	t.Helper()
	for n.Pending() > 0 {
		_, d, err := n.Advance(n.Now() + 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		deliveries = append(deliveries, d...)
	}
	return deliveries
}
