package netsim

import (
	"math"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// portMeter sees, of every flit sent, the input port it left.
type portMeter struct {
	w      *router.Wiring
	path   map[int64][]router.Channel // of each packet, the channels its head was sent on
	flits  map[int64][]int            // of each packet, how many channels each flit was sent on
	cycles map[router.Link][]Cycle    // in which network ports sent, in order
}

func (m *portMeter) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	for int(index) >= len(m.flits[packet]) {
		m.flits[packet] = append(m.flits[packet], 0)
	}
	if index == 0 {
		m.path[packet] = append(m.path[packet], c)
	}
	k := m.flits[packet][index]
	m.flits[packet][index]++
	if k == 0 {
		return // it comes from its node
	}
	if in := m.w.LinkOf(m.path[packet][k-1]); m.w.Kind(in) == router.Network {
		m.cycles[in] = append(m.cycles[in], cycle)
	}
}

// most returns the most flits an input port sent in so many cycles on end.
func (m *portMeter) most(window Cycle) int {
	most := 0
	for _, list := range m.cycles {
		for i := range list {
			n := 1
			for n <= i && list[i-n] > list[i]-window {
				n++
			}
			most = max(most, n)
		}
	}
	return most
}

// overloaded runs a network under more than it accepts and watches its inputs.
func overloaded(t *testing.T, c Config) *portMeter {
	t.Helper()
	n := must.Have(New(c))
	m := &portMeter{w: n.Wiring(), path: map[int64][]router.Channel{}, flits: map[int64][]int{},
		cycles: map[router.Link][]Cycle{}}
	n.Trace(m)
	tr := started(n, Traffic{Load: 0.6, Flits: 4}, 5, 6)
	run(t, n, tr, 1500)
	return m
}

// An input port sends as many flits as its speedup says and no more, on meshes,
// tori and trees; a crossbar without limit has one port send several at once.
func TestInputSpeedup(t *testing.T) {
	for name, machine := range map[string]topology.Topology{
		"mesh": cube(t, false, 4, 4), "torus": cube(t, true, 4, 4), "tree": tree(t, 3, 2),
	} {
		for _, flit := range []int{1, 3} {
			c := Default(machine)
			c.VirtualChannels, c.FlitCycles, c.BufferFlits = 4, flit, 4
			c.InputSpeedup = 0
			free := overloaded(t, c).most(Cycle(flit))
			if free < 2 {
				t.Errorf("%s, F = %d: without limit no input port sends two flits in F cycles", name, flit)
			}
			for c.InputSpeedup = 1; c.InputSpeedup < 4; c.InputSpeedup++ {
				most, want := overloaded(t, c).most(Cycle(flit)), min(free, c.InputSpeedup)
				if most != want {
					t.Errorf("%s, F = %d, S = %d: an input port sends %d flits in F cycles, want %d",
						name, flit, c.InputSpeedup, most, want)
				}
			}
		}
	}
}

// When every node sends to all of 8 in every cycle its port has flits for nearly all of them. Of 8
// nominees that do not know of each other each output gets none with probability (7/8)^8, so 0.656
// of the outputs send at most. Where outputs begin, ports come to be sought by different ones.
func TestISLIPFillsOutputs(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	accepted := func(how router.SwitchAllocator) float64 {
		c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{8}}))
		c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.VirtualChannels = 1, 4, 0, 64
		c.Arbiter, c.SwitchAllocator = router.RoundRobin, how
		n := must.Have(New(c))
		run(t, n, started(n, Traffic{Load: 1, Flits: 1}, 5, 6), 2000)
		return float64(n.Totals().Packets) / (2000 * 8)
	}
	bound := 1 - math.Pow(7./8, 8)
	if got := accepted(router.InputFirst); got > bound || got < 0.9*bound {
		t.Errorf("input first accepts %.3f flits a node and cycle, want at most %.3f, and nearly so", got,
			bound)
	}
	if got := accepted(router.ISLIP); got < 1.2*bound {
		t.Errorf("iSLIP accepts %.3f flits a node and cycle, input first no more than %.3f", got, bound)
	}
}
