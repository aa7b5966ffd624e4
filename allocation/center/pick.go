package center

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// picker finds the processors of a candidate.
type picker struct {
	*Lattice
	points points
	last   string
	taken  []topology.Node
	shell  []topology.Node // free nodes of the last shell
	keys   keys            // for LastShellPrevious
	sums   []int           // for LastShellGreedy: the distances of each to all taken nodes, added up

	centers []topology.Node // of candidates
	shapes  [][3]int        // of shell 0: each center has a candidate for each of them
}

// newPicker returns a picker of candidates by the rule last for the last shell.
func newPicker(l *Lattice, last string) picker {
	if last == "" {
		last = LastShells()[0].Name
	}
	p := picker{Lattice: l, points: points{Lattice: l}, last: last,
		taken: make([]topology.Node, 0, l.Nodes()),
		shell: make([]topology.Node, 0, l.Nodes())}
	p.centers, p.shapes = make([]topology.Node, 0, l.Nodes()), make([][3]int, 0, 6)
	return p
}

// pick returns the processors of a candidate in no particular order. They are valid
// until the next call.
func (p *picker) pick(free *allocation.FreeSet, c *candidate, size int) []topology.Node {
	p.taken, p.shell = p.taken[:0], p.shell[:0]
	p.gather(free, c)
	rest := size - len(p.taken)
	slices.Sort(p.shell)
	switch {
	case rest == len(p.shell):
	case p.last == LastShellGreedy:
		m := &p.points
		p.sums = append(p.sums[:0], make([]int, len(p.shell))...)
		for _, n := range p.taken {
			m.From(n)
			for j, o := range p.shell {
				p.sums[j] += m.To(o)
			}
		}
		takeGreedily(p.shell, p.sums, rest, m)
	case p.last == LastShellPrevious:
		p.keys.takePrevious(p.shell, c.index, rest, func(i int, n topology.Node) int {
			k := p.shell0(i)
			return p.shellOf(p.Coordinates(n), &k)
		}, func(i int, _ []topology.Node) int { return i - 1 })
	case p.last == LastShellL1:
		slices.SortStableFunc(p.shell, func(n, o topology.Node) int {
			return p.distanceFrom(n, &c.box) - p.distanceFrom(o, &c.box)
		})
	}
	p.taken = append(p.taken, p.shell[:rest]...)
	return p.taken
}

// distanceFrom returns the L1 distance of a node from a box.
func (p *picker) distanceFrom(n topology.Node, k *box) int {
	at := p.Coordinates(n)
	return p.beyond(0, at[0], k) + p.beyond(1, at[1], k) + p.beyond(2, at[2], k)
}

// gather sets taken to the free nodes of all shells but the last, and shell to those of the last.
func (p *picker) gather(free *allocation.FreeSet, c *candidate) {
	var from, length [3]int
	for d := range p.Dims {
		first, end := p.within(d, c.low[d]-c.last, c.high[d]+c.last)
		from[d], length[d] = first, end-first
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
				n := p.node(x, y, z)
				switch {
				case !free.Free(n):
				case max(far, p.beyond(0, x, &c.box)) < c.last:
					p.taken = append(p.taken, n)
				default:
					p.shell = append(p.shell, n)
				}
			}
		}
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
