package center

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// picker builds the set of processors of a candidate.
type picker struct {
	*Lattice
	points points
	last   string
	taken  []topology.Node
	shell  []topology.Node // free nodes of the last shell
	keys   keys            // for previous
	sums   []int           // for greedy: of the distances of each to all taken nodes

	// A decision has a candidate around each center for each shape of shell 0.
	centers []topology.Node
	shapes  [][3]int
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
			return p.away(n, &c.box) - p.away(o, &c.box)
		})
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
