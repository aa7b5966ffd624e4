package center

import (
	"cmp"
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// LastShell values say which processors a candidate takes from its last shell if it
// does not need all of them. The papers leave this open, and [Johnson et al. 2010, Fig.
// 8] depends on it. Shells are those of the allocator: of equal L-infinity distance for
// mc, mc1x1 and mc1x1-tie, of equal L1 distance for gen-alg, mm and mm-inc.
const (
	// LastShellPrevious takes the processors nearest, in shells, to the center of the
	// previous candidate. Among equals it takes those nearest to the center before that
	// one, and so on, and finally the first in node order. One list of free processors
	// that is sorted, stably, for one center after the other gives this result. It
	// reproduces MC1x1's figures of [Johnson et al. 2010] as printed, so its authors
	// seem to have done it. They share two authors with [Bender et al. 2005].
	LastShellPrevious = "previous"
	// LastShellL1 takes the processors nearest to shell 0 in L1 first, then in node
	// order. It cannot distinguish processors in a shell of equal L1 distance, so
	// gen-alg, mm and mm-inc refuse it.
	LastShellL1 = "l1"
	// LastShellGreedy takes one processor after the other: the one with the least sum
	// of distances to the processors taken so far, and among equals the first in node
	// order.
	LastShellGreedy = "greedy"
	// LastShellNodeOrder takes processors in node order.
	LastShellNodeOrder = "node-order"
)

// LastShells lists the ways to take processors from the last shell. The first is the
// default.
func LastShells() []allocation.Info {
	return []allocation.Info{
		{Name: LastShellPrevious,
			Doc: "those nearest to the center tried before, then to the one before that, " +
				"and so on"},
		{Name: LastShellL1, Doc: "those nearest to the center in L1 first, then in the order of nodes"},
		{Name: LastShellGreedy,
			Doc: "one by one the processor whose distances to those taken so far add up to " +
				"the least"},
		{Name: LastShellNodeOrder, Doc: "in the order of nodes"},
	}
}

// picker builds the set of processors of a candidate.
type picker struct {
	*Lattice
	last  string
	taken []topology.Node
	shell []topology.Node // free nodes of the last shell
	near  distanceSums    // for greedy: distances to all taken nodes
	class divider         // for previous

	// A decision has a candidate around each center for each shape of shell 0.
	centers []topology.Node
	shapes  [][3]int
}

func newPicker(l *Lattice, last string) picker {
	if last == "" {
		last = LastShells()[0].Name
	}
	p := picker{Lattice: l, last: last, taken: make([]topology.Node, 0, l.Nodes()),
		shell: make([]topology.Node, 0, l.Nodes())}
	p.centers, p.shapes = make([]topology.Node, 0, l.Nodes()), make([][3]int, 0, 6)
	p.near = newDistanceSums(l)
	return p
}

// pick returns the processors of a candidate in no particular order. They are valid
// until the next call.
func (p *picker) pick(free *allocation.FreeSet, c *candidate, size int) []topology.Node {
	p.taken, p.shell = p.taken[:0], p.shell[:0]
	p.gather(free, c)
	rest := size - len(p.taken)
	switch {
	case rest == len(p.shell):
	case p.last == LastShellGreedy:
		slices.Sort(p.shell)
		p.near.clear()
		for _, n := range p.taken {
			p.near.add(p.Lattice, p.Coordinates(n), 1)
		}
		p.near.takeGreedily(p.Lattice, p.shell, rest)
	case p.last == LastShellPrevious:
		p.takeBefore(c.index, rest)
	case p.last == LastShellL1:
		slices.SortFunc(p.shell, func(n, o topology.Node) int {
			return cmp.Or(p.away(n, &c.box)-p.away(o, &c.box), int(n-o))
		})
	default:
		slices.Sort(p.shell)
	}
	p.taken = append(p.taken, p.shell[:rest]...)
	return p.taken
}

// away returns the distance of a node from a box.
func (p *picker) away(n topology.Node, k *box) int {
	at := p.Coordinates(n)
	return p.beyond(0, at[0], k) + p.beyond(1, at[1], k) + p.beyond(2, at[2], k)
}

// gather takes the free nodes of all shells but the last, and lists those of the last
// shell.
func (p *picker) gather(free *allocation.FreeSet, c *candidate) {
	var from, length [3]int
	for d, n := range p.Dims {
		low, high := c.low[d]-c.last, c.high[d]+c.last
		switch {
		case !p.Wrap[d]:
			low, high = max(low, 0), min(high, n-1)
		case high-low+1 >= n:
			low, high = 0, n-1
		case low < 0:
			low, high = low+n, high+n
		}
		from[d], length[d] = low, high-low+1
	}
	for k := range length[2] {
		z := (from[2] + k) % p.Dims[2]
		for j := range length[1] {
			y := (from[1] + j) % p.Dims[1]
			far := max(p.beyond(1, y, &c.box), p.beyond(2, z, &c.box))
			for i := range length[0] {
				x := from[0] + i
				if x >= p.Dims[0] {
					x -= p.Dims[0]
				}
				if n := p.node(x, y, z); free.Free(n) {
					p.put(n, c.last, max(far, p.beyond(0, x, &c.box)))
				}
			}
		}
	}
}

// put takes or lists a node of a shell.
func (p *picker) put(n topology.Node, last, shell int) {
	if shell < last {
		p.taken = append(p.taken, n)
	} else {
		p.shell = append(p.shell, n)
	}
}

// beyond returns the distance of a coordinate from a box, or 0 inside it.
func (l *Lattice) beyond(d, x int, k *box) int {
	low, high := k.low[d], k.high[d]
	if !l.Wrap[d] {
		return max(low-x, x-high, 0)
	}
	n := l.Dims[d]
	after := ((x-low)%n + n) % n // steps up from the low end
	length := high - low + 1
	if after < length {
		return 0
	}
	return min(after-length+1, n-after)
}

// shell0 returns shell 0 of a candidate.
func (p *picker) shell0(index int) box {
	center := p.centers[index/len(p.shapes)]
	return around(p.Coordinates(center), &p.shapes[index%len(p.shapes)])
}

// around returns the box of a shape with a place in its middle. If a side is even, the place
// lies before the middle.
func around(at [3]int, shape *[3]int) (k box) {
	for d, side := range shape {
		k.low[d] = at[d] - (side-1)/2
		k.high[d] = k.low[d] + side - 1
	}
	return k
}

// shellOf returns the number of the shell around a box that contains a place.
func (l *Lattice) shellOf(at [3]int, k *box) int {
	return max(l.beyond(0, at[0], k), l.beyond(1, at[1], k), l.beyond(2, at[2], k))
}
