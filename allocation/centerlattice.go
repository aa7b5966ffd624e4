package allocation

import (
	"fmt"
	"strconv"

	"contend/netsim/topology"
)

// lattice is the machine of the center-based and exact allocators: a line, a mesh or a
// torus of up to three dimensions. Any dimension may wrap. Dimensions that the machine lacks
// have length 1. A place of it is a router, and where each has one node, it is that node.
type lattice struct {
	dims       [3]int
	wrap       [3]bool
	dimensions int      // number of dimensions of the machine, 1 to 3
	at         [][3]int // coordinates of each place
}

// isLattice reports whether a machine has a lattice, with one node at each place.
func isLattice(machine topology.Topology) bool {
	cube, ok := machine.(*topology.Cube)
	return ok && len(cube.Dims()) <= 3 && cube.OneNodePerRouter()
}

// hasPlaces reports whether the routers of a machine are a lattice, however many nodes they have.
func hasPlaces(machine topology.Topology) bool {
	cube, ok := machine.(*topology.Cube)
	return ok && len(cube.Dims()) <= 3
}

// newLattice returns the lattice of a machine with one node on every router. For an unsuitable
// machine it returns an error that names the allocator.
func newLattice(allocator string, machine topology.Topology) (lattice, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok {
		return lattice{}, fmt.Errorf("allocator %s counts along coordinates and needs a mesh or "+
			"torus of up to three dimensions; this machine is neither", allocator)
	}
	if n := len(cube.Dims()); n > 3 {
		return lattice{}, fmt.Errorf("allocator %s counts along coordinates and needs a mesh or "+
			"torus of up to three dimensions; this machine has %d", allocator, n)
	}
	if !cube.OneNodePerRouter() {
		return lattice{}, fmt.Errorf("allocator %s needs one node on every router; this machine has "+
			"%d nodes on %d routers", allocator, cube.Nodes(), cube.Routers())
	}
	return latticeOf(cube), nil
}

// latticeOf returns the lattice of the routers of a cube of up to three dimensions.
func latticeOf(cube *topology.Cube) lattice {
	l := lattice{dims: [3]int{1, 1, 1}, dimensions: len(cube.Dims())}
	copy(l.dims[:], cube.Dims())
	copy(l.wrap[:], cube.Wrap())
	l.at = make([][3]int, cube.Routers())
	for n := range l.at {
		x, rest := n%l.dims[0], n/l.dims[0]
		l.at[n] = [3]int{x, rest % l.dims[1], rest / l.dims[1]}
	}
	return l
}

func (l *lattice) nodes() int { return len(l.at) }

func (l *lattice) node(x, y, z int) topology.Node {
	return topology.Node(x + l.dims[0]*(y+l.dims[1]*z))
}

// coordinates returns the coordinates of a node.
func (l *lattice) coordinates(n topology.Node) [3]int { return l.at[n] }

// latticeRow gives the coordinates of nodes in ascending order without the table of them, which
// is larger than the caches of a processor.
type latticeRow struct {
	*lattice
	first, end topology.Node // of the row that the last node was in
	y, z       int
}

// coordinates returns the coordinates of a node.
func (r *latticeRow) coordinates(n topology.Node) [3]int {
	if n < r.first || n >= r.end {
		at := r.lattice.coordinates(n)
		r.first = n - topology.Node(at[0])
		r.end, r.y, r.z = r.first+topology.Node(r.dims[0]), at[1], at[2]
	}
	return [3]int{int(n - r.first), r.y, r.z}
}

// along returns the distance of two coordinates in a dimension. In a dimension that
// wraps it is the shorter way round.
func (l *lattice) along(d, a, b int) int {
	gap := max(a-b, b-a)
	if l.wrap[d] {
		gap = min(gap, l.dims[d]-gap)
	}
	return gap
}

// distance returns the L1 distance of two places.
func (l *lattice) distance(a, b [3]int) int {
	return l.along(0, a[0], b[0]) + l.along(1, a[1], b[1]) + l.along(2, a[2], b[2])
}

// within clips a stretch of dimension d to the machine. It returns the first entry and
// the entry after the last, in a layout that holds dimensions that wrap twice.
func (l *lattice) within(d, low, high int) (from, to int) {
	n := l.dims[d]
	switch {
	case !l.wrap[d]:
		return max(low, 0), min(high, n-1) + 1
	case high-low+1 >= n:
		return 0, n
	case low < 0:
		return low + n, high + n + 1
	}
	return low, high + 1
}

// bordersWall reports whether a place borders a wall of the machine. A dimension that
// wraps has no walls.
func (l *lattice) bordersWall(p [3]int) bool {
	for d := range l.dimensions {
		if !l.wrap[d] && (p[d] == 0 || p[d] == l.dims[d]-1) {
			return true
		}
	}
	return false
}

// walls returns the number of walls of the machine that a place borders.
func (l *lattice) walls(p [3]int) int {
	count := 0
	for d := range l.dimensions {
		if !l.wrap[d] && p[d] == 0 {
			count++
		}
		if !l.wrap[d] && p[d] == l.dims[d]-1 {
			count++
		}
	}
	return count
}

func (l *lattice) String() string {
	name, kind := "", " mesh"
	for d := range l.dimensions {
		if d > 0 {
			name += "x"
		}
		name += strconv.Itoa(l.dims[d])
		if l.wrap[d] {
			kind = " torus"
		}
	}
	return name + kind
}

// census counts the nodes of an allocation at each coordinate. L1 distances add up over
// dimensions, so the sum of pairwise distances is the sum over these three lines or
// rings.
type census [3][]int32

func newCensus(l *lattice) census {
	var c census
	for d, n := range l.dims {
		c[d] = make([]int32, n)
	}
	return c
}

func (c *census) clear() {
	for _, counts := range c {
		clear(counts)
	}
}

func (c *census) add(p [3]int) {
	c[0][p[0]]++
	c[1][p[1]]++
	c[2][p[2]]++
}

func (c *census) remove(p [3]int) {
	c[0][p[0]]--
	c[1][p[1]]--
	c[2][p[2]]--
}

// pairwise returns the sum of the L1 distances of all pairs of the given number of
// nodes.
func (c *census) pairwise(l *lattice, nodes int) int64 {
	sum := int64(0)
	for d := range l.dimensions {
		if l.wrap[d] {
			sum += ringDistances(c[d], nodes)
		} else {
			sum += lineDistances(c[d], nodes)
		}
	}
	return sum
}
