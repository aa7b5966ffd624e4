package center

import (
	"fmt"
	"strconv"

	"contend/router/topology"
)

// Lattice is the machine of the center-based and exact allocators: a line, a mesh or a
// torus of up to three dimensions. Any dimension may wrap. Dimensions that the machine lacks
// have length 1. A place of it is a router, and where each has one node, it is that node.
type Lattice struct {
	Dims       [3]int
	Wrap       [3]bool
	Dimensions int      // number of dimensions of the machine, 1 to 3
	at         [][3]int // Coordinates of each place
}

// latticeCube returns a machine whose routers are a lattice, however many nodes they have.
func latticeCube(machine topology.Topology) (*topology.Cube, bool) {
	cube, ok := machine.(*topology.Cube)
	return cube, ok && len(cube.Dims()) <= 3
}

// NewLattice returns the lattice of a machine with one node on every router. For an unsuitable
// machine it returns an error that names the allocator.
func NewLattice(allocator string, machine topology.Topology) (Lattice, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok {
		return Lattice{}, fmt.Errorf("allocator %s counts along coordinates and needs a mesh or "+
			"torus of up to three dimensions; this machine is neither", allocator)
	}
	if n := len(cube.Dims()); n > 3 {
		return Lattice{}, fmt.Errorf("allocator %s counts along coordinates and needs a mesh or "+
			"torus of up to three dimensions; this machine has %d", allocator, n)
	}
	if !cube.OneNodePerRouter() {
		return Lattice{}, fmt.Errorf("allocator %s needs one node on every router; this machine has "+
			"%d nodes on %d routers", allocator, cube.Nodes(), cube.Routers())
	}
	return latticeOf(cube), nil
}

// latticeOf returns the lattice of the routers of a cube of up to three dimensions.
func latticeOf(cube *topology.Cube) Lattice {
	l := Lattice{Dims: [3]int{1, 1, 1}, Dimensions: len(cube.Dims())}
	copy(l.Dims[:], cube.Dims())
	copy(l.Wrap[:], cube.Wrap())
	l.at = make([][3]int, cube.Routers())
	for n := range l.at {
		x, rest := n%l.Dims[0], n/l.Dims[0]
		l.at[n] = [3]int{x, rest % l.Dims[1], rest / l.Dims[1]}
	}
	return l
}

// Nodes returns the number of places.
func (l *Lattice) Nodes() int { return len(l.at) }

// node returns the node at coordinates.
func (l *Lattice) node(x, y, z int) topology.Node {
	return topology.Node(x + l.Dims[0]*(y+l.Dims[1]*z))
}

// Coordinates returns the coordinates of a node.
func (l *Lattice) Coordinates(n topology.Node) [3]int { return l.at[n] }

// Along returns the distance of two coordinates in a dimension. In a dimension that
// wraps it is the shorter way round.
func (l *Lattice) Along(d, a, b int) int {
	gap := max(a-b, b-a)
	if l.Wrap[d] {
		gap = min(gap, l.Dims[d]-gap)
	}
	return gap
}

// Distance returns the L1 distance of two places.
func (l *Lattice) Distance(a, b [3]int) int {
	return l.Along(0, a[0], b[0]) + l.Along(1, a[1], b[1]) + l.Along(2, a[2], b[2])
}

// within clips an interval of dimension d to the machine. It returns the first entry and
// the entry after the last, in a layout that holds dimensions that wrap twice.
func (l *Lattice) within(d, low, high int) (from, to int) {
	n := l.Dims[d]
	switch {
	case !l.Wrap[d]:
		return max(low, 0), min(high, n-1) + 1
	case high-low+1 >= n:
		return 0, n
	case low < 0:
		return low + n, high + n + 1
	}
	return low, high + 1
}

// walls returns the number of walls of the machine that a place borders.
func (l *Lattice) walls(p [3]int) int {
	count := 0
	for d := range l.Dimensions {
		if !l.Wrap[d] && p[d] == 0 {
			count++
		}
		if !l.Wrap[d] && p[d] == l.Dims[d]-1 {
			count++
		}
	}
	return count
}

// String returns the sides and the kind, such as 4x4 mesh.
func (l *Lattice) String() string {
	name, kind := "", " mesh"
	for d := range l.Dimensions {
		if d > 0 {
			name += "x"
		}
		name += strconv.Itoa(l.Dims[d])
		if l.Wrap[d] {
			kind = " torus"
		}
	}
	return name + kind
}
