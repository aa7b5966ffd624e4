package topology

import (
	"fmt"
	"slices"
)

// HyperX is a grid of routers in which links join each router with all others of its row in every
// dimension (Ahn et al., "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale
// Networks", SC 2009, sec. 3). The flattened butterfly (Kim, Dally and Abts, ISCA 2007) and the
// Hamming graph are HyperX networks of width 1.
//
// Router number: x + X·(y + Y·z), x fastest. Ports of a router: dimension by dimension,
// for each other coordinate in ascending order the parallel links to the router there;
// after them the nodes. Nodes are numbered in the order of their routers.
type HyperX struct {
	grid  *Cube  // its routers, their coordinates and their nodes
	width []int  // parallel links along each dimension
	first []Port // first port of each dimension, then the first port to a node
}

// HyperXConfig describes a HyperX.
type HyperXConfig struct {
	// Dims are the numbers of routers along each dimension, each at least 1.
	Dims []int
	// Width is the number of parallel links between two routers that are joined along each dimension,
	// at least 1. A single number applies to every dimension; an empty list means 1.
	Width []int
	// Concentration is the number of nodes a router carries; 0 means 1.
	Concentration int
}

// NewHyperX returns the network of a configuration.
func NewHyperX(c HyperXConfig) (*HyperX, error) {
	grid, err := NewCube(CubeConfig{Dims: c.Dims, Concentration: c.Concentration})
	if err != nil {
		return nil, err
	}
	t := &HyperX{grid: grid}
	if t.width, err = perDimension(c.Width, len(c.Dims)); err != nil {
		return nil, err
	}
	links := 0 // of a router
	for d, n := range grid.dims {
		if t.width[d] > MaxPorts || n > MaxPorts {
			return nil, bad("Dims", fmt.Sprintf("a router has at most %d ports", MaxPorts),
				"is %v with widths of %v", grid.dims, t.width)
		}
		t.first = append(t.first, Port(links))
		links += (n - 1) * t.width[d]
	}
	t.first = append(t.first, Port(links))
	if err := tooLarge("Dims", grid.routers, links+grid.maxNodes, grid.maxNodes); err != nil {
		return nil, err
	}
	return t, nil
}

// perDimension returns the width along each dimension.
func perDimension(width []int, dims int) ([]int, error) {
	switch len(width) {
	case 0:
		return slices.Repeat([]int{1}, dims), nil
	case dims:
		width = slices.Clone(width)
	case 1:
		width = slices.Repeat(width, dims)
	default:
		return nil, bad("Width", fmt.Sprintf("give one for all dimensions, or %d", dims),
			"has %d entries", len(width))
	}
	if slices.Min(width) < 1 {
		return nil, bad("Width", "every entry must be at least 1", "is %v", width)
	}
	return width, nil
}

// Nodes implements Topology.
func (t *HyperX) Nodes() int { return t.grid.Nodes() }

// Routers implements Topology.
func (t *HyperX) Routers() int { return t.grid.routers }

// Ports implements Topology.
func (t *HyperX) Ports() int { return int(t.nodePort()) + t.grid.maxNodes }

// nodePort returns the first port that leads to a node.
func (t *HyperX) nodePort() Port { return t.first[len(t.width)] }

// Dims returns the numbers of routers along each dimension; do not change it.
func (t *HyperX) Dims() []int { return t.grid.dims }

// Width returns the number of parallel links along each dimension; do not change it.
func (t *HyperX) Width() []int { return t.width }

// Coordinate returns the coordinate of router r along dimension d.
func (t *HyperX) Coordinate(r Router, d int) int { return t.grid.Coordinate(r, d) }

// At returns the router with the given coordinates.
func (t *HyperX) At(coordinates ...int) Router { return t.grid.At(coordinates...) }

// RouterOf returns the router of node n.
func (t *HyperX) RouterOf(n Node) Router { return t.grid.RouterOf(n) }

// NodesAt returns the first node of router r and the number of its nodes.
func (t *HyperX) NodesAt(r Router) (Node, int) { return t.grid.NodesAt(r) }

// Attach implements Topology.
func (t *HyperX) Attach(n Node) (Router, Port) {
	return t.RouterOf(n), t.nodePort() + Port(int(n)%t.grid.maxNodes)
}

// PortTo returns the first of the parallel ports of router r to another coordinate x of dimension
// d. The other Width-1 ports follow it.
func (t *HyperX) PortTo(r Router, d, x int) Port { return t.PortBetween(d, t.Coordinate(r, d), x) }

// PortBetween is PortTo for a router at coordinate from of dimension d.
func (t *HyperX) PortBetween(d, from, to int) Port {
	if to > from {
		to--
	}
	return t.first[d] + Port(to*t.width[d])
}

// Peer implements Topology.
func (t *HyperX) Peer(r Router, p Port) (Router, Port, bool) {
	if p < 0 || p >= t.nodePort() {
		return 0, 0, false
	}
	d := t.dimension(p)
	k := int(p - t.first[d])
	from, to := t.Coordinate(r, d), k/t.width[d]
	if to >= from {
		to++
	}
	far := r + Router((to-from)*t.grid.stride[d])
	return far, t.PortTo(far, d, from) + Port(k%t.width[d]), true
}

// dimension returns the dimension of a port that leads to a router.
func (t *HyperX) dimension(p Port) int {
	d := 0
	for p >= t.first[d+1] {
		d++
	}
	return d
}

// Distance implements Metric.
func (t *HyperX) Distance(a, b Node) int { return int(t.Hops(t.RouterOf(a), t.RouterOf(b))) }

// Hops returns the number of coordinates in which two routers differ.
func (t *HyperX) Hops(from, to Router) (differ int32) {
	for d := range t.grid.dims {
		differ += int32(t.along(d, t.Coordinate(from, d), t.Coordinate(to, d)))
	}
	return differ
}

// along returns the hops between two coordinates of a dimension.
func (t *HyperX) along(_, x, y int) int { return min(1, max(x-y, y-x)) }

// LinkClasses implements Classed: the dimensions.
func (t *HyperX) LinkClasses() []string { return t.grid.LinkClasses() }

// LinkClass implements Classed.
func (t *HyperX) LinkClass(_ Router, p Port) int {
	if p < 0 || p >= t.nodePort() {
		return 0
	}
	return t.dimension(p)
}

// Label implements Labelled: the coordinates, where there are several.
func (t *HyperX) Label(r Router) string { return t.grid.Label(r) }

// Family implements Routed.
func (t *HyperX) Family() string { return "a HyperX" }

// DefaultRouting implements Routed.
func (t *HyperX) DefaultRouting(int) string { return "dimension-order" }
