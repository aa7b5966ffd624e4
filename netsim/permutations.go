package netsim

import (
	"fmt"
	"math/bits"

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

// onComplement returns traffic by inverted coordinates on a grid, and by inverted bits of node
// numbers on other machines. On a grid whose sides are powers of two both are the same.
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
