// Package center has the allocators that give a job the processors around a center: MC and MC1x1 by
// shells, Gen-Alg, MM and MM+Inc by the sum of pairwise distances.
//
// Example: three nodes of a mesh of 5x4 are busy (*), and a job asks for four processors. For mc1x1
// the candidate around the lower left node has that node in shell 0 and three free nodes in shell
// 1: its score is 3, the lowest possible. The candidates of Gen-Alg are the four free nodes nearest
// to each free node. The lowest sum of pairwise distances among them is 8, that of the square at
// the upper left (testdata/package.txt):
//
//	mc1x1        gen-alg
//	. . . . .    2 3 . . .
//	. . * * .    0 1 * * .
//	2 3 * . .    . . * . .
//	0 1 . . .    . . . . .
package center

import (
	"fmt"
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// center gives a job the free processors around one free processor. It implements MC of J. Mache,
// V. Lo and K. Windisch (PDCS 1997), as in [Bender et al., WADS 2005, sec. 1], its variant MC1x1
// (also there), and MC1x1 with the tie-breaking of [Johnson, Bunde and Leung, 2010, sec. II].
//
// Each free processor is the center of a candidate. Shell 0 is the submesh of the job's shape
// around it, or for MC1x1 the processor alone. Each further shell is one processor wide on each
// side. A candidate takes the free processors of shells 0, 1, ... until it has enough. Its score is
// the sum of their shell numbers. The candidate with the lowest score wins, and among equals the
// first in node order. lastShell decides which processors a candidate takes from its last shell.
// Ranks are in node order.
//
// A decision on n nodes takes O(n) for the table of boxes. Each center takes O(1) for each shell
// until its score must exceed the lowest so far.
type center struct {
	Lattice
	tieCounter
	boxes  boxes
	picker picker
	shaped bool // MC
	breaks *TieFactors
	// volumes are the volumes of shell 0 extended by 0, 1, ... shells on a machine without borders, up
	// to the first that holds the size. rest[i] is the amount that the shells from i on add to the
	// score of a candidate there. Turned shapes have equal volumes.
	volumes []int
	rest    []int64

	best []finalist // candidates of the lowest score; only the first if ties do not matter
}

// candidate is an allocation around a center.
type candidate struct {
	box       // shell 0
	last  int // the shell that completes the candidate
	found int // free nodes in the shells up to it
	index int // position among the candidates
}

// finalist is a best candidate without its box, which saves memory: a small job may have as many as
// there are free processors.
type finalist struct{ index, last, found int32 }

// candidate returns the candidate of a finalist.
func (a *center) candidate(f finalist) candidate {
	return candidate{box: a.picker.shell0(int(f.index)), last: int(f.last), found: int(f.found),
		index: int(f.index)}
}

// New returns mc or mc1x1 [Bender et al. 2005, sec. 1] with one of LastShells.
func New(name string, machine topology.Topology, last string) (*center, error) {
	l, err := NewLattice(name, machine)
	if err != nil {
		return nil, err
	}
	a := &center{Lattice: l, shaped: name == "mc", best: make([]finalist, 0, l.Nodes())}
	a.boxes = newBoxes(&a.Lattice)
	a.picker = newPicker(&a.Lattice, last)
	return a, nil
}

// NewTieBreaking returns mc1x1-tie [Johnson, Bunde and Leung 2010, sec. II].
func NewTieBreaking(machine topology.Topology, last string, factors TieFactors) (*center, error) {
	a, err := New("mc1x1-tie", machine, last)
	if err == nil {
		a.breaks = &factors
	}
	return a, err
}

// Check implements Allocator.
func (a *center) Check(req allocation.Request) error {
	if err := req.Check(a.Nodes()); err != nil {
		return err
	}
	if a.shaped && len(req.Shape) > a.Dimensions {
		return fmt.Errorf("asks for %s processors; the %s has only %s", req.ShapeName(), &a.Lattice,
			dimensionsName(a.Dimensions))
	}
	return nil
}

// CountDecides implements Counting. Shells grow as far as needed.
func (a *center) CountDecides() bool { return true }

// dimensionsName returns a number of dimensions in words.
func dimensionsName(n int) string {
	return [...]string{1: "one dimension", 2: "two dimensions", 3: "three dimensions"}[n]
}

// Allocate implements Allocator.
func (a *center) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() || a.shaped && len(req.Shape) > a.Dimensions {
		return dst, false
	}
	a.boxes.load(free)
	a.picker.centers = free.AppendTo(a.picker.centers[:0])
	a.setShapes(req)
	a.search(req.Size)
	if a.countsTies {
		a.countBestSets(free, req.Size)
	}
	winner := a.best[0]
	if a.breaks != nil {
		winner = a.breakTies(free, req.Size)
	}
	start, c := len(dst), a.candidate(winner)
	dst = append(dst, a.picker.pick(free, &c, req.Size)...)
	slices.Sort(dst[start:])
	return dst, true
}

// search finds the best candidates.
func (a *center) search(size int) {
	a.best = a.best[:0]
	a.loadVolumes(size)
	first := a.breaks == nil && !a.countsTies // only the first of equals matters
	// A score above limit does not matter.
	limit := int64(math.MaxInt64)
	promising := a.promising()
	limit, _ = a.score(&promising, size, limit)
	for i, n := range a.picker.centers {
		at := a.Coordinates(n)
		for j := range a.picker.shapes {
			c := candidate{box: around(at, &a.picker.shapes[j]), index: i*len(a.picker.shapes) + j}
			score, ok := a.score(&c, size, limit)
			if !ok {
				continue
			}
			if score < limit || first {
				limit, a.best = score, a.best[:0]
			}
			a.best = append(a.best, finalist{int32(c.index), int32(c.last), int32(c.found)})
			if first {
				if limit--; limit < a.rest[0] {
					return // no candidate has less
				}
			}
		}
	}
}

// loadVolumes sets volumes and rest.
func (a *center) loadVolumes(size int) {
	a.volumes, a.rest = a.volumes[:0], a.rest[:0]
	for volume := 0; volume < size; {
		volume = 1
		for d := range a.Dimensions {
			volume *= a.picker.shapes[0][d] + 2*len(a.volumes)
		}
		a.volumes, a.rest = append(a.volumes, volume), append(a.rest, 0)
	}
	for i := len(a.rest) - 2; i >= 0; i-- {
		a.rest[i] = a.rest[i+1] + int64(size-a.volumes[i])
	}
}

// promising returns a candidate whose score is likely to be low. Of about a thousand candidates it
// returns the one with the most free processors in the box that would hold the job on an empty
// machine, or the first whose box is entirely free.
func (a *center) promising() (best candidate) {
	maxCount, candidates, full := -1, len(a.picker.centers)*len(a.picker.shapes), len(a.volumes)-1
	for index := 0; index < candidates; index += 1 + candidates/1024 {
		c := candidate{index: index, box: a.picker.shell0(index)}
		if n := a.boxes.count(&c.box, full); n > maxCount {
			if best, maxCount = c, n; maxCount == a.volumes[full] {
				break
			}
		}
	}
	return best
}

// score sets the last shell of a candidate and returns the sum of its shell numbers.
// The sum adds, for each of the shells 0, 1, ..., the number of processors found
// further out. score stops and reports false if the sum must exceed limit.
func (a *center) score(c *candidate, size int, limit int64) (score int64, ok bool) {
	for ; ; c.last++ {
		if c.found = a.boxes.count(&c.box, c.last); c.found >= size {
			return score, score <= limit
		}
		score += int64(size - c.found)
		if rest := a.rest[min(c.last+1, len(a.rest)-1)]; score+rest > limit {
			return 0, false
		}
	}
}

// setShapes lists the shapes of shell 0, first as requested and then turned. A job
// without a shape gets the most nearly square shape that holds it.
func (a *center) setShapes(req allocation.Request) {
	shape := [3]int{1, 1, 1}
	switch {
	case a.shaped && len(req.Shape) > 0:
		copy(shape[:], req.Shape)
	case a.shaped:
		allocation.NearCube(shape[:0], req.Size, a.Dims[:a.Dimensions])
	}
	shapes := append(a.picker.shapes[:0], shape)
	for _, turn := range [...][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		turned := [3]int{shape[turn[0]], shape[turn[1]], shape[turn[2]]}
		if a.hasDimensions(turned) && !slices.Contains(shapes, turned) {
			shapes = append(shapes, turned)
		}
	}
	a.picker.shapes = shapes
}

// hasDimensions reports whether a shape has side 1 in the dimensions that the machine lacks.
func (a *center) hasDimensions(shape [3]int) bool {
	for d := a.Dimensions; d < len(shape); d++ {
		if shape[d] > 1 {
			return false
		}
	}
	return true
}

// picker finds the processors of a candidate.
type picker struct {
	*Lattice
	points points
	last   string
	taken  []topology.Node
	shell  []topology.Node // free nodes of the last shell
	keys   keys            // for LastShellPrevious
	sums   []int           // for LastShellGreedy: distances of each to all taken nodes, added up

	centers []topology.Node // of candidates
	shapes  [][3]int        // shapes of shell 0: each center has a candidate for each shape
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

// gather sets taken to the free nodes of all shells but the last, and shell to the free nodes of
// the last.
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
