package topology

import (
	"fmt"
	"slices"
	"strconv"
)

// MaxNodes is the maximum number of nodes of a machine. A larger one would not fit in memory.
const MaxNodes = 1 << 24

// MaxPorts is the maximum number of ports of a router, and MaxAllPorts the maximum of all routers
// together.
const (
	MaxPorts    = 1 << 12
	MaxAllPorts = 1 << 28
)

// Cube is a mesh, a torus or a hypercube of any number of dimensions: routers
// on an integer grid, neighbours along each dimension joined, the ends of a
// dimension joined too where it wraps.
//
// Router number: x + X·(y + Y·z), x fastest. Ports of a router: 2d leads to
// the lower, 2d+1 to the higher neighbour along dimension d; the ports from
// 2·len(Dims) on carry nodes. Nodes are numbered in the order of their
// routers, so with one node a router node and router numbers agree.
type Cube struct {
	dims     []int   // numbers of routers along each dimension
	wrap     []bool  // whether the ends of each dimension are joined
	stride   []int   // distance between the numbers of neighbours along each dimension
	routers  int     // number of routers
	maxNodes int     // maximum number of nodes of a router
	first    []int32 // first[r] is the first node of router r; nil with one node a router
	home     []int32 // home[n] is the router of node n; nil with one node a router
}

// CubeConfig describes a Cube.
type CubeConfig struct {
	// Dims are the numbers of routers along each dimension, each at least 1.
	Dims []int
	// Wrap says for each dimension whether its ends are joined; nil for a mesh. A dimension of fewer
	// than three routers never wraps, since its ends are neighbours.
	Wrap []bool
	// Concentration is the number of nodes a router carries; 0 means 1.
	Concentration int
	// ServiceRows are the coordinates along the last dimension of routers
	// that carry no nodes (the service rows of the Cplant torus).
	ServiceRows []int
}

// NewCube returns the grid of a configuration.
func NewCube(c CubeConfig) (*Cube, error) {
	if len(c.Dims) == 0 {
		return nil, bad("Dims", "give the number of routers along each dimension, such as [16, 16]",
			"is empty")
	}
	if c.Wrap != nil && len(c.Wrap) != len(c.Dims) {
		return nil, bad("Wrap", fmt.Sprintf("give %d", len(c.Dims)), "has %d entries for %d dimensions",
			len(c.Wrap), len(c.Dims))
	}
	if c.Concentration < 0 {
		return nil, bad("Concentration", "it must be at least 1", "is %d", c.Concentration)
	}
	per := max(1, c.Concentration)
	t := &Cube{dims: slices.Clone(c.Dims), wrap: make([]bool, len(c.Dims)),
		stride: make([]int, len(c.Dims)), routers: 1, maxNodes: per}
	for d, n := range c.Dims {
		if n < 1 {
			return nil, bad("Dims", "every entry must be at least 1", "is %v", c.Dims)
		}
		if n > MaxNodes || per > MaxNodes || t.routers > MaxNodes/(n*per) {
			return nil, bad("Dims", fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
				"is %v with a concentration of %d", c.Dims, per)
		}
		t.stride[d] = t.routers
		t.routers *= n
		t.wrap[d] = c.Wrap != nil && c.Wrap[d] && n > 2
	}
	if per == 1 && len(c.ServiceRows) == 0 {
		return t, nil
	}
	last := len(c.Dims) - 1
	for _, s := range c.ServiceRows {
		if s < 0 || s >= c.Dims[last] {
			return nil, bad("ServiceRows", fmt.Sprintf("rows are 0 to %d", c.Dims[last]-1),
				"names row %d", s)
		}
	}
	t.first = make([]int32, t.routers+1)
	for r := range t.routers {
		t.first[r] = int32(len(t.home))
		if slices.Contains(c.ServiceRows, r/t.stride[last]) {
			continue
		}
		for range per {
			t.home = append(t.home, int32(r))
		}
	}
	t.first[t.routers] = int32(len(t.home))
	if len(t.home) == 0 {
		return nil, bad("ServiceRows", "leave out a row", "leaves no router with a node")
	}
	return t, nil
}

// Hypercube returns the hypercube of 2^n routers, a mesh of n twos.
func Hypercube(n int) (*Cube, error) {
	if n < 1 || n > 24 {
		return nil, fmt.Errorf("a hypercube has 1 to 24 dimensions, not %d", n)
	}
	return NewCube(CubeConfig{Dims: slices.Repeat([]int{2}, n)})
}

// Nodes implements Topology.
func (t *Cube) Nodes() int {
	if t.home == nil {
		return t.routers
	}
	return len(t.home)
}

// Routers implements Topology.
func (t *Cube) Routers() int { return t.routers }

// Ports implements Topology.
func (t *Cube) Ports() int { return 2*len(t.dims) + t.maxNodes }

// Dims returns the numbers of routers along each dimension; do not change it.
func (t *Cube) Dims() []int { return t.dims }

// Wrap returns for each dimension whether its ends are joined; do not change it.
func (t *Cube) Wrap() []bool { return t.wrap }

// OneNodePerRouter reports whether node n is linked to router n, for all n.
func (t *Cube) OneNodePerRouter() bool { return t.home == nil }

// RouterOf returns the router of node n.
func (t *Cube) RouterOf(n Node) Router {
	if t.home == nil {
		return Router(n)
	}
	return Router(t.home[n])
}

// NodesAt returns the first node of router r and the number of its nodes.
func (t *Cube) NodesAt(r Router) (Node, int) {
	if t.home == nil {
		return Node(r), 1
	}
	return Node(t.first[r]), int(t.first[r+1] - t.first[r])
}

// Coordinate returns the coordinate of router r along dimension d.
func (t *Cube) Coordinate(r Router, d int) int { return int(r) / t.stride[d] % t.dims[d] }

// At returns the router with the given coordinates.
func (t *Cube) At(coordinates ...int) Router {
	r := 0
	for d, x := range coordinates {
		r += x * t.stride[d]
	}
	return Router(r)
}

// Beside returns the router at a distance, which has a sign, from router r along dimension d, past
// the end if the dimension wraps. It reports false for a place outside of the machine.
func (t *Cube) Beside(r Router, d, by int) (Router, bool) {
	x, n := t.Coordinate(r, d), t.dims[d]
	to := x + by
	if t.wrap[d] {
		to = (to%n + n) % n
	}
	return r + Router((to-x)*t.stride[d]), to >= 0 && to < n
}

// Peer implements Topology.
func (t *Cube) Peer(r Router, p Port) (Router, Port, bool) {
	if p < 0 || int(p) >= 2*len(t.dims) {
		return 0, 0, false
	}
	far, ok := t.Beside(r, int(p)/2, 2*int(p&1)-1)
	if !ok {
		return 0, 0, false
	}
	return far, p ^ 1, true
}

// Attach implements Topology.
func (t *Cube) Attach(n Node) (Router, Port) {
	p := Port(2 * len(t.dims))
	if t.home == nil {
		return Router(n), p
	}
	r := t.home[n]
	return Router(r), p + Port(int32(n)-t.first[r])
}

// Distance implements Metric: the L1 distance, in the shorter direction round a dimension that
// wraps.
func (t *Cube) Distance(a, b Node) int {
	ra, rb := t.RouterOf(a), t.RouterOf(b)
	sum := 0
	for d := range t.dims {
		sum += t.along(d, t.Coordinate(ra, d), t.Coordinate(rb, d))
	}
	return sum
}

// along returns the hops between two coordinates of dimension d.
func (t *Cube) along(d, x, y int) int {
	gap := max(x-y, y-x)
	if t.wrap[d] {
		gap = min(gap, t.dims[d]-gap)
	}
	return gap
}

// Family implements Routed.
func (t *Cube) Family() string {
	switch {
	case slices.Contains(t.wrap, true):
		return "a torus"
	case slices.Max(t.dims) == 2 && slices.Min(t.dims) == 2:
		return "a hypercube"
	}
	return "a mesh"
}

// DefaultRouting implements Routed: dimension order, with balanced datelines if a dimension wraps
// and there are enough virtual channels. Plain datelines use one of two virtual channels on most
// links, and saturate at half the load or less.
func (t *Cube) DefaultRouting(virtualChannels int) string {
	if Wraps(t) && virtualChannels != 1 {
		return "balanced-dateline"
	}
	return "dimension-order"
}

// LinkClasses implements Classed: the dimensions.
func (t *Cube) LinkClasses() (names []string) {
	for d := range t.dims {
		names = append(names, fmt.Sprintf("dimension%d", d))
	}
	return names
}

// LinkClass implements Classed.
func (t *Cube) LinkClass(_ Router, p Port) int {
	if d := int(p) / 2; p >= 0 && d < len(t.dims) {
		return d
	}
	return 0
}

// Label implements Labelled: the coordinates, where there are several.
func (t *Cube) Label(r Router) string {
	if len(t.dims) < 2 {
		return strconv.Itoa(int(r))
	}
	s := "("
	for d := range t.dims {
		if d > 0 {
			s += ","
		}
		s += strconv.Itoa(t.Coordinate(r, d))
	}
	return s + ")"
}
