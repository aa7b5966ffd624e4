package netsim

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"contend/router/topology"
)

// onLattice returns traffic from each node to one other, by the coordinates of routers. The i-th
// node of a router sends to the i-th node of another router.
func onLattice(p TrafficPattern, s trafficSite) (Destinations, error) {
	t, ok := s.machine.(topology.Lattice)
	if !ok {
		return Destinations{}, fmt.Errorf("%s traffic needs a mesh, torus, hypercube or HyperX; any "+
			"machine takes uniform and hotspot", p.Name)
	}
	dims := t.Dims()
	var move func(x []int, d int) int
	switch p.Name {
	case "transpose":
		for d := range dims {
			if dims[d] != dims[len(dims)-1-d] {
				return Destinations{}, fmt.Errorf("transpose traffic needs dimensions that are the same in "+
					"reverse order, not %v", dims)
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
	return fixed(p, s, to)
}

// onComplement returns traffic to the node with inverted coordinates on a grid, and to the node
// with inverted bits of its number on other machines. Both agree on a grid whose sides are powers
// of two.
func onComplement(p TrafficPattern, s trafficSite) (Destinations, error) {
	if _, ok := s.machine.(topology.Grid); ok {
		return onLattice(p, s)
	}
	return onBits(p, s)
}

// onBits returns traffic from each node to one other, by the bits of node numbers.
func onBits(p TrafficPattern, s trafficSite) (Destinations, error) {
	nodes := uint(s.machine.Nodes())
	if nodes&(nodes-1) != 0 {
		return Destinations{}, fmt.Errorf("%s traffic needs a number of nodes that is a power of two, "+
			"not %d", p.Name, nodes)
	}
	b, to := bits.Len(nodes)-1, make([]topology.Node, nodes)
	if p.Name == "bit-transpose" && b%2 != 0 {
		return Destinations{}, fmt.Errorf("bit-transpose traffic needs a number of nodes that is an "+
			"even power of two, not %d", nodes)
	}
	for n := range nodes {
		var m uint
		switch p.Name {
		case "bit-complement":
			m = nodes - 1 - n
		case "bit-reverse":
			m = bits.Reverse(n) >> (bits.UintSize - b)
		case "bit-transpose":
			m = n<<(b/2)&(nodes-1) | n>>(b/2)
		case "shuffle":
			m = n<<1&(nodes-1) | n>>(b-1)
		}
		to[n] = topology.Node(m)
	}
	return fixed(p, s, to)
}

// onAdversarial returns traffic for which minimal or deterministic routing takes few links: of a
// machine of groups, or of a tree.
func onAdversarial(p TrafficPattern, s trafficSite) (Destinations, error) {
	if t, ok := topology.FatTreeOf(s.machine); ok {
		return throughOnePort(p, t)
	}
	return toNextGroup(p, s.machine)
}

// toNextGroup returns traffic to the nodes of a group further on: the minimal paths of all nodes
// of a group share the links between two groups.
func toNextGroup(p TrafficPattern, machine topology.Topology) (Destinations, error) {
	groups, group := groupsOf(machine)
	if _, grid := machine.(topology.Grid); grid {
		return Destinations{}, fmt.Errorf("adversarial traffic needs groups of routers or a tree, and " +
			"a grid has neither (on a torus take tornado)")
	}
	if groups < 2 {
		return Destinations{}, fmt.Errorf("adversarial traffic needs a machine of several groups, such " +
			"as a dragonfly or a HyperX, or a tree")
	}
	ahead := max(1, p.Ahead)
	if ahead >= groups {
		return Destinations{}, fmt.Errorf("adversarial traffic goes %d groups ahead, and the machine "+
			"has %d: give 1 to %d", ahead, groups, groups-1)
	}
	members, of := make([][]topology.Node, groups), make([]int, machine.Nodes())
	for n := range topology.Node(machine.Nodes()) {
		r, _ := machine.Attach(n)
		of[n] = group(r)
		members[of[n]] = append(members[of[n]], n)
	}
	for i, m := range members {
		if len(m) == 0 {
			return Destinations{}, fmt.Errorf("adversarial traffic needs nodes in every group, and group "+
				"%d has none", i)
		}
	}
	return Destinations{To: func(n topology.Node, rng *rand.Rand) topology.Node {
		next := members[(of[n]+ahead)%len(members)]
		return next[rng.IntN(len(next))]
	}}, nil
}

// groupsOf returns the number of groups of a machine, 0 if it has none, and the group of a router.
// On a HyperX the routers of one coordinate are a group, so that all nodes of a router share its
// links to one other router on minimal routes: along the dimension of the fewest such links, and of
// these the shortest, which has the fewest detours.
func groupsOf(machine topology.Topology) (int, func(topology.Router) int) {
	switch t := machine.(type) {
	case topology.Grouped:
		return t.Groups(), t.Group
	case *topology.HyperX:
		worst := 0
		for d, n := range t.Dims() {
			c := cmp.Or(cmp.Compare(t.Width()[d], t.Width()[worst]), cmp.Compare(n, t.Dims()[worst]))
			if n > 1 && (c < 0 || t.Dims()[worst] == 1) {
				worst = d
			}
		}
		return t.Dims()[worst], func(r topology.Router) int { return t.Coordinate(r, worst) }
	}
	return 0, nil
}

// throughOnePort returns traffic on a tree that leaves each leaf through as few of its ports up
// under d-mod-k as it can while each node receives what it sends: its destinations are congruent
// modulo the number of ports (Rodriguez et al., "Oblivious Routing Schemes in Extended Generalized
// Fat Tree Networks", CLUSTER 2009, find this in phases of CG). The nodes of a leaf send alike to
// as many nodes of other leaves, which no other leaf sends to.
func throughOnePort(p TrafficPattern, t *topology.FatTree) (Destinations, error) {
	size := t.Children(0)
	if 2*size > t.Nodes() {
		return Destinations{}, fmt.Errorf("adversarial traffic needs a tree of two or more leaves, " +
			"none of which has more than half of the nodes")
	}
	if p.Ahead > 1 {
		return Destinations{}, fmt.Errorf("adversarial traffic goes groups ahead only on machines of " +
			"groups, and a tree has none: leave the parameter groups out")
	}
	to := congruentPartition(t.Nodes(), size, t.UpPorts(0))
	return Destinations{To: func(n topology.Node, rng *rand.Rand) topology.Node {
		list := to[int(n)/size]
		return list[rng.IntN(len(list))]
	}}, nil
}

// dealt is a node and the leaf that sends to it.
type dealt struct {
	to     topology.Node
	at, by int     // its leaf, and the leaf that sends to it
	deal   float64 // place in the deal of its class, from 0 to 1
}

// congruentPartition divides the nodes of leaves of a size, of which the last may have fewer, into
// as many lists as leaves, each as long as its leaf and without nodes of it. The nodes of a list
// are congruent modulo ports but for a rest. No leaf has more than half of the nodes.
func congruentPartition(nodes, size, ports int) [][]topology.Node {
	// The leaves take the classes of congruent nodes in turn, one after the other, and those that
	// share a class take its nodes evenly spread.
	all := make([]dealt, 0, nodes)
	var rest []int // nodes that their own leaf would send to
	for class := range min(ports, nodes) {
		first, taken := len(all), map[int]int{}
		for n := class; n < nodes; n += ports {
			by := len(all) / size
			all = append(all, dealt{topology.Node(n), n / size, by, float64(taken[by])})
			taken[by]++
		}
		labels := slices.Clone(all[first:])
		slices.SortStableFunc(labels, func(a, b dealt) int {
			return cmp.Compare((a.deal+0.5)/float64(taken[a.by]), (b.deal+0.5)/float64(taken[b.by]))
		})
		for i := range labels {
			all[first+i].by = labels[i].by
		}
		for i := first; i < len(all); i++ {
			if all[i].at == all[i].by && !exchange(all, i, all[first:]) {
				rest = append(rest, i)
			}
		}
	}
	for k, i := range rest {
		if all[i].at != all[i].by {
			continue
		}
		for _, j := range rest[k+1:] {
			if exchange(all, i, all[j:j+1]) {
				break
			}
		}
		if all[i].at == all[i].by {
			exchange(all, i, all)
		}
	}
	to := make([][]topology.Node, (nodes+size-1)/size)
	for _, d := range all {
		to[d.by] = append(to[d.by], d.to)
	}
	return to
}

// exchange has node i change senders with the first of some others where neither is then sent to by
// its own leaf.
func exchange(all []dealt, i int, others []dealt) bool {
	own := all[i].at
	for j := range others {
		if o := &others[j]; o.by != own && o.at != own {
			all[i].by, o.by = o.by, own
			return true
		}
	}
	return false
}

// Flow is an entry of a Matrix: the messages from one node to another.
type Flow struct {
	// From sends to To. Both are the same node for messages to itself.
	From, To topology.Node
	// Weight is proportional to the number of messages, at least 0.
	Weight float64
}

// Matrix has the weights of messages between nodes. A pair occurs at most once; missing pairs have
// the weight 0.
type Matrix []Flow

// onMatrix returns traffic in the proportions of a matrix. It leaves out weights on the diagonal
// unless nodes send to themselves.
func onMatrix(p TrafficPattern, s trafficSite) (Destinations, error) {
	nodes := s.machine.Nodes()
	to, weights := make([][]topology.Node, nodes), make([][]float64, nodes)
	rates := make([]float64, nodes)
	total := 0.0
	for _, f := range p.Matrix {
		if f.From < 0 || f.To < 0 || int(max(f.From, f.To)) >= nodes {
			return Destinations{}, fmt.Errorf("matrix traffic has a weight from node %d to node %d, and "+
				"the machine has the nodes 0 to %d", f.From, f.To, nodes-1)
		}
		if f.Weight > 0 && (s.self || f.From != f.To) {
			total += f.Weight
			to[f.From], weights[f.From] = append(to[f.From], f.To), append(weights[f.From], f.Weight)
		}
	}
	if !(total > 0) {
		return Destinations{}, fmt.Errorf("matrix traffic has no weight above 0 between two nodes")
	}
	if math.IsInf(total, 1) {
		return Destinations{}, fmt.Errorf("matrix traffic has weights whose sum is no number: divide " +
			"all of them by the greatest")
	}
	for n := range nodes {
		weights[n], rates[n] = cumulated(weights[n])
		rates[n] *= float64(nodes) / total
	}
	return Destinations{Rates: rates, To: func(n topology.Node, rng *rand.Rand) topology.Node {
		return to[n][drawShare(weights[n], rng)]
	}}, nil
}
