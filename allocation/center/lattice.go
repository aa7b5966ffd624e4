package center

import (
	"fmt"
	"strconv"

	"contend/allocation"
	"contend/router/topology"
)

// Lattice is the machine of the center-based and exact allocators: a line, a mesh or a torus of up
// to three dimensions. Any dimension may wrap. Dimensions that the machine lacks have length 1. A
// place is a router, and also its node if each router has one node.
type Lattice struct {
	Dims       [3]int
	Wrap       [3]bool
	Dimensions int      // number of dimensions of the machine, 1 to 3
	at         [][3]int // Coordinates of each place
}

// latticeCube returns a machine whose routers are a lattice, with any number of nodes on each.
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

// Along returns the distance of two coordinates in a dimension. In a dimension that wraps it is
// that of the shorter direction.
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

// boxes counts the free nodes of any box of a lattice in constant time with a
// summed-area table: sums[i,j,k] is the number of free nodes below (i, j, k). The table
// holds dimensions that wrap twice, so that a box across the ends is one box of the
// table.
type boxes struct {
	*Lattice
	long  [3]int // sides of the table
	row   int    // entries from one row to the next, and
	plane int    // from one plane to the next
	sums  []int32
}

// newBoxes returns memory for the table of a lattice.
func newBoxes(l *Lattice) boxes {
	b := boxes{Lattice: l, long: l.Dims}
	for d := range b.long {
		if l.Wrap[d] {
			b.long[d] *= 2
		}
	}
	b.row = b.long[0] + 1
	b.plane = b.row * (b.long[1] + 1)
	b.sums = make([]int32, b.plane*(b.long[2]+1))
	return b
}

// load computes the table of a free set. The first row and plane stay 0. An entry beyond the end of
// a dimension that wraps is the sum of two entries within.
func (b *boxes) load(free *allocation.FreeSet) {
	for z := range b.long[2] {
		below, plane := b.sums[z*b.plane:][:b.plane], b.sums[(z+1)*b.plane:][:b.plane]
		if z >= b.Dims[2] {
			addRows(plane, b.sums[b.Dims[2]*b.plane:][:b.plane],
				b.sums[(z+1-b.Dims[2])*b.plane:][:b.plane])
			continue
		}
		for y := range b.long[1] {
			row := plane[(y+1)*b.row:][:b.row]
			if y >= b.Dims[1] {
				addRows(row, plane[b.Dims[1]*b.row:][:b.row], plane[(y+1-b.Dims[1])*b.row:][:b.row])
				continue
			}
			b.loadRow(row, plane[y*b.row:], below[(y+1)*b.row:], below[y*b.row:], free, b.node(0, y, z))
		}
	}
}

// addRows sets each entry of sum to the sum of the entries of x and y there.
func addRows(sum, x, y []int32) {
	x, y = x[:len(sum)], y[:len(sum)]
	for i := range sum {
		sum[i] = x[i] + y[i]
	}
}

// loadRow sets a row of the table, whose first node is first, from the row before it, the same row
// of the plane below, and the row before that one.
func (b *boxes) loadRow(row, before, below, both []int32, free *allocation.FreeSet,
	first topology.Node) {
	before, below, both = before[:len(row)], below[:len(row)], both[:len(row)]
	count, n, words := int32(0), first, free.Words()
	for x := 1; x <= b.Dims[0]; x++ {
		count += int32(words[n>>6] >> (n & 63) & 1)
		row[x] = count + before[x] + below[x] - both[x]
		n++
	}
	whole := row[b.Dims[0]]
	for x := b.Dims[0] + 1; x < len(row); x++ {
		row[x] = whole + row[x-b.Dims[0]]
	}
}

// box is the set of nodes with low[d] <= coordinate <= high[d] for each d. It may extend beyond the
// machine, where no nodes are, or across the end of a dimension that wraps.
type box struct{ low, high [3]int }

// grown returns the box extended by a number of shells.
func (k box) grown(shells int) box {
	for d := range k.low {
		k.low[d] -= shells
		k.high[d] += shells
	}
	return k
}

// volume returns the number of nodes in a box, free or not.
func (b *boxes) volume(k *box) int {
	volume := 1
	for d := range b.Dims {
		from, to := b.within(d, k.low[d], k.high[d])
		volume *= to - from
	}
	return volume
}

// count returns the number of free nodes in k extended by a number of shells.
func (b *boxes) count(k *box, shells int) int {
	x0, x1 := b.within(0, k.low[0]-shells, k.high[0]+shells)
	y0, y1 := b.within(1, k.low[1]-shells, k.high[1]+shells)
	y0, y1 = y0*b.row, y1*b.row
	if b.Dims[2] == 1 {
		s := b.sums[b.plane:]
		return int(s[y1+x1] - s[y1+x0] - s[y0+x1] + s[y0+x0])
	}
	z0, z1 := b.within(2, k.low[2]-shells, k.high[2]+shells)
	s, t := b.sums[z0*b.plane:], b.sums[z1*b.plane:]
	return int(t[y1+x1] - t[y1+x0] - t[y0+x1] + t[y0+x0] - s[y1+x1] + s[y1+x0] + s[y0+x1] - s[y0+x0])
}
