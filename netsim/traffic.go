package netsim

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"contend/netsim/topology"
)

// Traffic is a synthetic open-loop load on a bare network: every node creates
// messages independently of what becomes of them, the time between two of a
// node drawn from the geometric distribution (a Bernoulli trial a cycle).
type Traffic struct {
	// Destination returns where a message of node n goes; a destination
	// of n itself means that the node is silent, unless Self is set.
	Destination func(n topology.Node, rng *rand.Rand) topology.Node
	// Load is the offered load in flits per node and cycle.
	Load float64
	// Flits is the length of a message.
	Flits int32
	// Self has messages of a node to itself sent, through its router.
	Self bool

	// Count, if set, counts the messages created in its cycles.
	Count Window

	rng   *rand.Rand
	heap  []due   // the nodes' next messages, earliest first
	bits  int     // of a node's number
	scale float64 // ln(1 - p) for a message with probability p a cycle; 0 where p is 1
}

// Window counts what happens from From to before Until.
type Window struct {
	From, Until Cycle // the first cycle that counts, and the first that does not any more
	N           int64 // messages sent
}

// due is a node's next message: its cycle, and below Traffic.bits the node.
type due int64

// Start prepares the first message of every node.
func (t *Traffic) Start(nodes int, rng *rand.Rand) {
	t.rng, t.heap, t.bits, t.scale = rng, t.heap[:0], bits.Len(uint(nodes)), 0
	if p := t.Load / float64(t.Flits); p < 1 {
		t.scale = math.Log1p(-p)
	}
	for n := range nodes {
		if t.Load > 0 {
			t.heap = append(t.heap, due((t.gap()-1)<<t.bits+Cycle(n)))
		}
	}
	for i := len(t.heap)/2 - 1; i >= 0; i-- {
		t.sift(i)
	}
}

// next returns the cycle and node of the message that is due first.
func (t *Traffic) next() (Cycle, topology.Node) {
	d := t.heap[0]
	return Cycle(d >> t.bits), topology.Node(d & (1<<t.bits - 1))
}

// gap draws the time between two messages of a node, which is cut where no run
// gets to.
func (t *Traffic) gap() Cycle {
	if t.scale == 0 {
		return 1
	}
	return 1 + Cycle(min(1<<40, math.Log1p(-t.rng.Float64())/t.scale))
}

// sift moves entry i of the heap to its place. Which of two entries is the earlier
// is nothing that jumps could be predicted for.
func (t *Traffic) sift(i int) {
	h := t.heap
	d := h[i]
	for {
		j := 2*i + 1
		if j >= len(h) {
			break
		}
		first := h[j]
		if j+1 < len(h) {
			second := h[j+1]
			j += int(uint64(second-first) >> 63)
			first = min(first, second)
		}
		if first >= d {
			break
		}
		h[i], i = first, j
	}
	h[i] = d
}

// Run drives n until a cycle, counted from the start of the traffic at cycle 0.
func (t *Traffic) Run(n *Network, until Cycle) error {
	for {
		next := until
		if len(t.heap) > 0 {
			cycle, _ := t.next()
			next = min(until, cycle)
		}
		for n.Now() < next {
			if _, _, err := n.Advance(next); err != nil {
				return err
			}
		}
		if next >= until {
			return nil
		}
		for {
			cycle, from := t.next()
			if cycle != next {
				break
			}
			if to := t.Destination(from, t.rng); to != from || t.Self {
				n.Send(Message{From: from, To: to, Flits: t.Flits})
				if next >= t.Count.From && next < t.Count.Until {
					t.Count.N++
				}
			}
			t.heap[0] += due(t.gap() << t.bits)
			t.sift(0)
		}
	}
}

// Uniform sends to all other nodes alike, of at least two.
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
func TrafficByName(name string, machine topology.Topology) (func(topology.Node,
	*rand.Rand) topology.Node, error) {
	if machine.Nodes() < 2 {
		return nil, fmt.Errorf("traffic needs at least two nodes")
	}
	t, grid := machine.(topology.Grid)
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
		return nil, fmt.Errorf("%s traffic needs a mesh, torus or hypercube; any machine takes uniform "+
			"and hotspot", name)
	}
	return permutation(name, t)
}

// hotspot is uniform traffic, of which HotspotShare goes to the middle node.
func hotspot(machine topology.Topology) func(topology.Node, *rand.Rand) topology.Node {
	hot, uniform := topology.Node(machine.Nodes()/2), Uniform(machine.Nodes())
	if t, ok := machine.(topology.Grid); ok && t.OneNodePerRouter() {
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
func permutation(name string, t topology.Grid) (func(topology.Node, *rand.Rand) topology.Node,
	error) {
	dims := t.Dims()
	var move func(x []int, d int) int
	switch name {
	case "transpose":
		for d := range dims {
			if dims[d] != dims[len(dims)-1-d] {
				return nil, fmt.Errorf("transpose traffic needs dimensions that are the same in reverse "+
					"order, not %v", dims)
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
