package doctor

import (
	"context"
	"fmt"

	"contend/netsim"
	"contend/netsim/reference"
	"contend/netsim/topology"
	"contend/router"
)

// machine is a topology that counts hops.
type machine interface {
	topology.Topology
	topology.Metric
}

// namedMachine is a small machine.
type namedMachine struct {
	name string
	machine
}

// made returns a machine that can be built.
func made[T machine](m T, err error) machine {
	if err != nil {
		panic(fmt.Sprintf("doctor: %v", err))
	}
	return m
}

func cube(wrap bool, dims ...int) machine {
	c := topology.CubeConfig{Dims: dims}
	for range dims {
		c.Wrap = append(c.Wrap, wrap)
	}
	return made(topology.NewCube(c))
}

func tree(arity, levels int) machine {
	return made(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels}))
}

// dragonfly returns a dragonfly of as many groups as fit, with two nodes a router.
func dragonfly(routers, links int) machine {
	return made(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: routers,
		GlobalLinks: links, Concentration: 2}))
}

func hyperX(nodes int, dims ...int) machine {
	return made(topology.NewHyperX(topology.HyperXConfig{Dims: dims, Concentration: nodes}))
}

// smallMachines returns machines of each kind but graphs, whose default routes are shortest
// paths. On dragonflies of one global link a router no path has two global links.
func smallMachines() []namedMachine {
	return []namedMachine{
		{"4x4 mesh", cube(false, 4, 4)}, {"4x4 torus", cube(true, 4, 4)},
		{"3x3x3 mesh", cube(false, 3, 3, 3)}, {"4-cube", cube(false, 2, 2, 2, 2)},
		{"2-ary 3-tree", tree(2, 3)}, {"dragonfly of 4 groups", dragonfly(3, 1)},
		{"3x3 HyperX", hyperX(2, 3, 3)},
	}
}

// timings has packet length, buffer size and delays: L, B, R, D, F, C of
// netsim.Config.
var timings = []struct{ l, b, r, d, f, c int }{
	{8, 2, 2, 1, 1, 1}, // the defaults
	{8, 1, 4, 1, 3, 1}, // the preset procsimity
	{16, 2, 3, 3, 1, 1},
	{5, 3, 0, 2, 1, 1},
	{8, 8, 0, 3, 1, 2},
	{7, 9, 1, 2, 2, 4},
}

var switchings = []router.Switching{
	router.Wormhole, router.VirtualCutThrough, router.StoreAndForward}

// zeroLoad sends a packet from every node to every other, each alone.
func (p Parts) zeroLoad(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "packets", Compared: "latency against the closed form, all pairs of " +
		"a mesh, torus, 3D mesh, hypercube, tree, dragonfly and HyperX, 3 switchings, all engines"}
	var worst netsim.Cycle
	for _, m := range smallMachines() {
		for _, k := range timings {
			for _, s := range switchings {
				if s != router.Wormhole && k.b < k.l {
					continue // a packet has to fit
				}
				c := netsim.Default(m.machine)
				c.PacketFlits, c.BufferFlits, c.RoutingCycles = k.l, k.b, k.r
				c.LinkCycles, c.FlitCycles, c.CreditCycles = k.d, k.f, k.c
				c.Switching, c.MessageFlits = s, k.l
				engines, err := reference.Scenario{Config: c}.Engines()
				if err != nil {
					return f, err
				}
				for _, e := range engines {
					if err := p.allPairs(ctx, &f, &worst, m, e.Config); err != nil {
						return f, err
					}
				}
			}
		}
	}
	f.Worst = fmt.Sprintf("worst difference %d cycles", worst)
	return f, nil
}

// allPairs checks one network.
func (p Parts) allPairs(ctx context.Context, f *Finding, worst *netsim.Cycle, m namedMachine,
	c netsim.Config) error {
	n, err := netsim.New(c)
	if err != nil {
		return err
	}
	flits := c.PacketFlits
	for a := range topology.Node(m.Nodes()) {
		for b := range topology.Node(m.Nodes()) {
			n.Send(netsim.Message{From: a, To: b, Flits: int32(flits)})
			_, d, err := n.Advance(n.Now() + 1_000_000)
			if err != nil {
				return err
			}
			if len(d) != 1 {
				return fmt.Errorf("%s, from %d to %d: the packet does not arrive", m.name, a, b)
			}
			hops := m.Distance(a, b)
			want := p.ZeroLoad(c, hops, flits)
			got := d[0].Latency
			*worst = max(*worst, got-want, want-got)
			f.Cases++
			if got != want || d[0].NetworkLatency != want || d[0].Hops != netsim.Cycle(hops) {
				f.blame("%s, engine %s, from %d to %d: %d cycles over %d hops, closed form %d "+
					"over %d",
					m.name, c.Engine, a, b, got, d[0].Hops, want, hops)
			}
			// Wait until the credits have returned before the next packet.
			if _, _, err := n.Advance(n.Now() + 1000); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
