package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/netsim/topology"
)

// Traffic is a synthetic open-loop load on a bare network: every node creates
// messages independently of what becomes of them, the time between two of a
// node drawn from the geometric distribution (a Bernoulli trial a cycle).
type Traffic struct {
	// Destination returns where a message of node n goes; a destination
	// of n itself means that the node is silent.
	Destination func(n topology.Node, rng *rand.Rand) topology.Node
	// Load is the offered load in flits per node and cycle.
	Load float64
	// Flits is the length of a message.
	Flits int32

	// Count, if set, counts the messages created in its cycles.
	Count Window

	rng  *rand.Rand
	heap []due // the nodes' next messages, earliest first
}

// Window counts what happens from From to before Until.
type Window struct {
	From, Until Cycle
	N           int64
}

type due struct {
	cycle Cycle
	node  topology.Node
}

func (d due) before(e due) bool {
	return d.cycle < e.cycle || d.cycle == e.cycle && d.node < e.node
}

// Start prepares the first message of every node.
func (t *Traffic) Start(nodes int, rng *rand.Rand) {
	t.rng, t.heap = rng, t.heap[:0]
	for n := range topology.Node(nodes) {
		if t.Load > 0 {
			t.heap = append(t.heap, due{t.gap() - 1, n})
		}
	}
	for i := len(t.heap)/2 - 1; i >= 0; i-- {
		t.sift(i)
	}
}

// gap draws the time between two messages of a node.
func (t *Traffic) gap() Cycle {
	p := t.Load / float64(t.Flits)
	if p >= 1 {
		return 1
	}
	return 1 + Cycle(math.Log1p(-t.rng.Float64())/math.Log1p(-p))
}

func (t *Traffic) sift(i int) {
	h := t.heap
	for {
		j := 2*i + 1
		if j >= len(h) {
			return
		}
		if j+1 < len(h) && h[j+1].before(h[j]) {
			j++
		}
		if !h[j].before(h[i]) {
			return
		}
		h[i], h[j] = h[j], h[i]
		i = j
	}
}

// Run drives n until a cycle, counted from the start of the traffic at cycle 0.
func (t *Traffic) Run(n *Network, until Cycle) error {
	for {
		next := until
		if len(t.heap) > 0 {
			next = min(until, t.heap[0].cycle)
		}
		for n.Now() < next {
			if _, _, err := n.Advance(next); err != nil {
				return err
			}
		}
		if next >= until {
			return nil
		}
		for t.heap[0].cycle == next {
			from := t.heap[0].node
			if to := t.Destination(from, t.rng); to != from {
				n.Send(Message{From: from, To: to, Flits: t.Flits})
				if next >= t.Count.From && next < t.Count.Until {
					t.Count.N++
				}
			}
			t.heap[0].cycle += t.gap()
			t.sift(0)
		}
	}
}

// Uniform sends to all other nodes alike.
func Uniform(nodes int) func(topology.Node, *rand.Rand) topology.Node {
	return func(n topology.Node, rng *rand.Rand) topology.Node {
		to := topology.Node(rng.IntN(nodes - 1))
		if to >= n {
			to++
		}
		return to
	}
}

// TrafficNames lists the traffic patterns of ByName.
func TrafficNames() []string {
	return []string{"uniform", "transpose", "bit-complement", "neighbour", "tornado", "hotspot"}
}

// HotspotShare is the share of messages that go to the hot node, the middle one,
// under hotspot traffic; the others are uniform (Pfister and Norton 1985).
const HotspotShare = 0.05

// TrafficByName returns the destinations of the usual patterns (Dally and
// Towles 2004, sec. 3.2): uniform and hotspot on any machine, and on a grid
// transpose (the coordinates in reverse order, on a machine that looks the same
// so), bit-complement (x to X-1-x in every dimension), neighbour (x to x+1,
// round) and tornado (half-way round less one in every dimension).
func TrafficByName(name string, machine topology.Topology) (func(topology.Node, *rand.Rand) topology.Node, error) {
	if machine.Nodes() < 2 {
		return nil, fmt.Errorf("traffic needs at least two nodes")
	}
	t, grid := machine.(*topology.Cube)
	switch name {
	case "uniform":
		return Uniform(machine.Nodes()), nil
	case "hotspot":
		return hotspot(machine), nil
	}
	if !slices.Contains(TrafficNames(), name) {
		return nil, fmt.Errorf("unknown traffic %q: there are %v", name, TrafficNames())
	}
	if !grid {
		return nil, fmt.Errorf("%s traffic needs a mesh, torus or hypercube; any machine takes uniform and hotspot", name)
	}
	return permutation(name, t)
}

// hotspot is uniform traffic, of which HotspotShare goes to the middle node.
func hotspot(machine topology.Topology) func(topology.Node, *rand.Rand) topology.Node {
	hot, uniform := topology.Node(machine.Nodes()/2), Uniform(machine.Nodes())
	if t, ok := machine.(*topology.Cube); ok && t.OneNodePerRouter() {
		middle := make([]int, len(t.Dims()))
		for d, n := range t.Dims() {
			middle[d] = n / 2
		}
		hot = topology.Node(t.At(middle...))
	}
	return func(n topology.Node, rng *rand.Rand) topology.Node {
		if rng.Float64() < HotspotShare && n != hot {
			return hot
		}
		return uniform(n, rng)
	}
}

// permutation is traffic in which each node sends to one other.
func permutation(name string, t *topology.Cube) (func(topology.Node, *rand.Rand) topology.Node, error) {
	dims := t.Dims()
	var move func(x []int, d int) int
	switch name {
	case "transpose":
		for d := range dims {
			if dims[d] != dims[len(dims)-1-d] {
				return nil, fmt.Errorf("transpose traffic needs dimensions that are the same in reverse order, not %v", dims)
			}
		}
		move = func(x []int, d int) int { return x[len(x)-1-d] }
	case "bit-complement":
		move = func(x []int, d int) int { return dims[d] - 1 - x[d] }
	case "neighbour":
		move = func(x []int, d int) int { return (x[d] + 1) % dims[d] }
	case "tornado":
		move = func(x []int, d int) int { return (x[d] + (dims[d]+1)/2 - 1) % dims[d] }
	}
	to := make([]topology.Node, t.Nodes())
	x, y := make([]int, len(dims)), make([]int, len(dims))
	for r := range topology.Router(t.Routers()) {
		for d := range dims {
			x[d] = t.Coordinate(r, d)
		}
		for d := range dims {
			y[d] = move(x, d)
		}
		a, k := t.NodesAt(r)
		b, l := t.NodesAt(t.At(y...))
		for i := range topology.Node(k) {
			to[a+i] = a + i
			if int(i) < l {
				to[a+i] = b + i
			}
		}
	}
	return func(n topology.Node, _ *rand.Rand) topology.Node { return to[n] }, nil
}
