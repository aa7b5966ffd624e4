package netsim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// All engines agree packet for packet on machines too large for the reference, under uniform
// traffic below and beyond saturation: on trees with every way up and the same seed, and on graphs,
// where the closed form finds ways in a table of its own.
func TestEnginesAgreeOnTrees(t *testing.T) {
	networks := map[string]Config{"graph": Default(topologytest.DrawnGraph(t, 5, 40, 80))}
	for i, routing := range treeRoutings {
		for _, slim := range []int{4, 2} {
			whole := tree(t, 4, 4, slim).Nodes()
			c := Default(treeOf(t, whole-i*whole/10, 4, 4, slim))
			c.Routing, c.RoutingSeed, c.PacketFlits = routing, 5, 8+24*(i%2)
			if i == 3 {
				c.Arbiter = router.RoundRobin
			}
			networks[fmt.Sprintf("%d up %s", slim, routing)] = c
		}
	}
	cycles := Cycle(400)
	if slow {
		cycles = 60
	}
	for name, c := range networks {
		c.MessageFlits = c.PacketFlits
		for _, load := range []float64{0.05, 0.5} {
			var want []router.Arrival
			for i, engine := range engines {
				n := must.Have(New(engine(c)))
				got := arrivals(n)
				tr := started(n, Traffic{Load: load, Flits: int32(c.MessageFlits)}, 3, 4)
				run(t, n, tr, cycles)
				drain(t, n)
				if i == 0 {
					want = *got
				} else if !slices.Equal(*got, want) {
					t.Errorf("%s, load %v: engine %d differs from the cycle-driven one", name, load, i)
				}
			}
		}
	}
}

// engines are the cycle-driven one, that of worms flit by flit, and the fastest.
var engines = []func(Config) Config{
	func(c Config) Config { c.Engine = "cycle"; return c },
	func(c Config) Config { c.Engine, c.FlitByFlit = "worm", true; return c },
	func(c Config) Config { c.Engine = "worm"; return c },
}

// A ring without datelines gets stuck. All engines describe that alike: packets, channels, times.
func TestStuckNetworksAreAlike(t *testing.T) {
	var want *router.StuckError
	for i, engine := range engines {
		c := Default(cube(t, true, 8))
		c.Routing, c.VirtualChannels, c.MessageFlits = "dimension-order", 1, 8
		n, err := New(engine(c))
		for i := range topology.Node(8) {
			n.Send(Message{From: i, To: (i + 1) % 8, Flits: 8, Job: int32(i)})
			n.Send(Message{From: i, To: (i + 4) % 8, Flits: 8, Job: int32(i)})
		}
		for err == nil && n.Pending() > 0 {
			_, _, err = n.Advance(1 << 40)
		}
		var got *router.StuckError
		switch {
		case !errors.As(err, &got) || !strings.Contains(err.Error(), "waits for router 0->1"):
			t.Fatalf("got %v, want a stuck network", err)
		case i == 0:
			want = got
		case !slices.Equal(got.Channels, want.Channels) || !slices.Equal(got.Packets, want.Packets):
			t.Errorf("engine %d: %v\n%+v\nwant\n%v\n%+v", i, got, got.Packets, want, want.Packets)
		}
	}
	if want.Packets[0].Hops == 0 {
		t.Errorf("no header has moved: %+v", want.Packets)
	}
}
