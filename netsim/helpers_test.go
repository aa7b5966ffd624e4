package netsim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

func cube(_ testing.TB, wrap bool, dims ...int) *topology.Cube {
	return must.Have(topology.NewCube(topology.CubeConfig{Dims: dims,
		Wrap: slices.Repeat([]bool{wrap}, len(dims))}))
}

func tree(t testing.TB, arity, levels int, up ...int) *topology.Tree {
	return treeOf(t, 0, arity, levels, up...)
}

func treeOf(_ testing.TB, nodes, arity, levels int, up ...int) *topology.Tree {
	return must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels, UpPorts: up,
		Nodes: nodes}))
}

func fatTree(_ testing.TB, c topology.FatTreeConfig) *topology.FatTree {
	return must.Have(topology.NewFatTree(c))
}

// railed is a fat tree of 12 nodes with three rails and bundles of two links.
func railed(t testing.TB) *topology.FatTree {
	return fatTree(t, topology.FatTreeConfig{Children: []int{3, 4}, Parents: []int{2},
		Bundle: []int{2}, Rails: 3})
}

// Sizes of the dragonfly of fly, which has 9 groups and 72 nodes.
const flyRouters, flyGlobal, flyNodes = 4, 2, 2

// fly returns a network of a dragonfly under a routing. Its routers have single-cycle links,
// deep buffers, no routing time and no limit on the crossbar.
func fly(_ testing.TB, routing string) Config {
	c := Default(must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: flyRouters,
		GlobalLinks: flyGlobal, Concentration: flyNodes})))
	c.Routing, c.VirtualChannels, c.NodeVirtualChannels = routing, 4, 0
	c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.InputSpeedup = 4, 32, 0, 0
	return c
}

// hyper returns a network on a HyperX with as many nodes a router as there are routers in the
// first dimension. Otherwise it is like that of fly.
func hyper(t testing.TB, routing string, dims ...int) (*topology.HyperX, Config) {
	c := fly(t, routing)
	m := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: dims, Concentration: dims[0]}))
	c.Topology = m
	return m, c
}

// drain lets all messages arrive.
func drain(t testing.TB, n *Network) (deliveries []Delivery) {
	t.Helper()
	for n.Pending() > 0 {
		deliveries = append(deliveries, advance(t, n, n.Now()+1_000_000)...)
	}
	return deliveries
}

// advance runs a network until a cycle or, if that is sooner, the next arrivals.
func advance(t testing.TB, n *Network, until Cycle) []Delivery {
	t.Helper()
	_, d, err := n.Advance(until)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// advanceTo runs a network until a cycle.
func advanceTo(t testing.TB, n *Network, until Cycle) (deliveries []Delivery) {
	t.Helper()
	for n.Now() < until {
		deliveries = append(deliveries, advance(t, n, until)...)
	}
	return deliveries
}

// started starts traffic on a network, which is uniform if it does not say.
func started(n *Network, traffic Traffic, a, b uint64) *Traffic {
	nodes := n.Config().Topology.Nodes()
	if traffic.Destination == nil {
		traffic.Destination = Uniform(nodes)
	}
	traffic.Start(nodes, rand.New(rand.NewPCG(a, b)))
	return &traffic
}

// run runs traffic on a network until a cycle.
func run(t testing.TB, n *Network, traffic *Traffic, until Cycle) {
	t.Helper()
	if err := traffic.Run(n, until); err != nil {
		t.Fatal(err)
	}
}

// arrivals notes what becomes of each packet from now on.
func arrivals(n *Network) *[]router.Arrival {
	var list []router.Arrival
	n.Watch(func(p *router.Arrival) { list = append(list, *p) })
	return &list
}

// sending is one flit sent.
type sending struct {
	Cycle  Cycle
	On     router.Channel
	Packet int64
	Index  int32
}

// tracer collects what an engine sends. It is a router.Tracer.
type tracer struct{ sent []sending }

// Sent implements router.Tracer.
func (t *tracer) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	t.sent = append(t.sent, sending{cycle, c, packet, index})
}

// sorted returns what was sent, in order of time and channel.
func (t *tracer) sorted() []sending {
	slices.SortFunc(t.sent, func(a, b sending) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.On, b.On))
	})
	return t.sent
}

// flitsOf counts the flits of each channel. It is a router.Tracer.
type flitsOf map[router.Channel]int

// Sent implements router.Tracer.
func (k flitsOf) Sent(_ int64, c router.Channel, _ int64, _ int32, _ int64) { k[c]++ }

// headersWay collects the links that a head passes. It is a router.Tracer.
type headersWay struct {
	n   *Network
	way []router.LinkTiming
}

// Sent implements router.Tracer.
func (p *headersWay) Sent(_ int64, c router.Channel, _ int64, index int32, _ int64) {
	if index == 0 {
		p.way = append(p.way, p.n.LinkTimings()[p.n.Wiring().LinkOf(c)])
	}
}
