package allocation

import (
	"math"
	"slices"

	"contend/netsim/topology"
)

// median gives a job the processors around a median. A candidate takes the k free
// processors nearest to its center in L1. Its score is the sum of their pairwise L1
// distances. The least score wins, and among equals the first center in node order.
// shellTaker decides among processors equally far from the center.
//
// Gen-Alg [Krumke et al., Theoretical Computer Science 181, 1997] uses the free
// processors as centers. It finds at most 2 - 2/k times the least sum. MM [Bender et
// al., WADS 2005, sec. 2.1] uses all crossings of coordinates of free processors. It
// finds at most 2 - 1/(2d) times the least sum on a mesh of d dimensions (sec. 4.1),
// and the least sum itself for up to three processors (sec. 2.3). Ranks are in node
// order.
//
// Scoring a candidate of radius r takes O(r^(d-1)). segments gives the counts at each
// coordinate of the processors nearer than r. Only the processors at distance r, some
// of which the candidate may not take, are visited one by one. Settling them takes
// several visits: one for each earlier center that distinguishes them. On a mesh of 256x256
// nodes, of which 20% are free, a decision of Gen-Alg takes 36 ms and one of MM 60 ms, on a
// torus of 64x32x32 nodes 1 s and 3 s (see docs/BENCHMARKS.md).
type median struct {
	lattice
	crossings bool // MM
	ties      tieCount

	free    []bool
	lines   segments
	radius  int // radius of the last candidate; the next is about as large
	taken   []topology.Node
	winner  []topology.Node
	centers []topology.Node
	best    []int     // centers of the least score, if ties are counted
	used    [3][]bool // coordinates of free processors
	census  census
	shell   shellTaker
	reach   [3]reach
}

// reach is the extent of the machine from a center along a dimension, each way. A ring
// is cut opposite to the center.
type reach struct{ down, up int }

func newMedian(name string, machine topology.Topology, last string) (*median, error) {
	l, err := newLattice(name, machine)
	if err != nil {
		return nil, err
	}
	n := l.nodes()
	a := &median{lattice: l, crossings: name != "gen-alg", free: make([]bool, n),
		taken:  make([]topology.Node, 0, n),
		winner: make([]topology.Node, 0, n), centers: make([]topology.Node, 0, n), census: newCensus(&l)}
	a.lines = newSegments(&a.lattice)
	a.shell = newShellTaker(&a.lattice, last)
	for d, n := range l.dims {
		a.used[d] = make([]bool, n)
	}
	return a, nil
}

// Check implements Allocator.
func (a *median) Check(req Request) error { return req.check(a.nodes()) }

// CountTies implements TieCounter.
func (a *median) CountTies(on bool) { a.ties.set(on) }

// Ties implements TieCounter.
func (a *median) Ties() int { return a.ties.ties }

// Allocate implements Allocator.
func (a *median) Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.search(free, req.Size)
	return append(dst, a.winner...), true
}

// search sets winner to the best candidate, in the order of nodes, and returns
// its score.
func (a *median) search(free *FreeSet, size int) int64 {
	a.load(free)
	least := int64(math.MaxInt64)
	for i := range a.centers {
		score := a.score(i, size)
		if score < least {
			least = score
			a.best = append(a.best[:0], i)
		} else if score == least && a.ties.on {
			a.best = append(a.best, i)
		}
	}
	a.gather(a.best[0], size)
	a.winner = append(a.winner[:0], a.taken...)
	slices.Sort(a.winner)
	if a.ties.on {
		a.ties.reset()
		for _, i := range a.best {
			a.gather(i, size)
			a.ties.add(a.taken)
		}
		a.ties.count()
	}
	return least
}

// load lists the centers.
func (a *median) load(free *FreeSet) {
	a.loadFree(free)
	if a.crossings {
		a.centers = a.centers[:0]
		for n := range topology.Node(a.nodes()) {
			if p := a.coordinates(n); a.used[0][p[0]] && a.used[1][p[1]] && a.used[2][p[2]] {
				a.centers = append(a.centers, n)
			}
		}
	}
	if a.shell.last == LastShellPrevious {
		a.loadRows()
	}
}

// loadFree records the free processors and their coordinates and makes them centers.
func (a *median) loadFree(free *FreeSet) {
	a.centers = free.AppendTo(a.centers[:0])
	clear(a.free)
	a.lines.load(free)
	for d := range a.used {
		clear(a.used[d])
	}
	for _, n := range a.centers {
		a.free[n] = true
		for d, x := range a.coordinates(n) {
			a.used[d][x] = true
		}
	}
}

// score returns the sum of the pairwise distances of the index-th candidate.
func (a *median) score(index, size int) int64 {
	at := a.coordinates(a.centers[index])
	a.setReach(at)
	found := a.fill(at, a.radius)
	for ; found >= size; found = a.fill(at, a.radius) {
		a.radius--
	}
	return a.grow(index, size, found)
}

// gather collects the processors of the index-th candidate.
func (a *median) gather(index, size int) {
	a.setReach(a.coordinates(a.centers[index]))
	a.radius = 0
	a.census.clear()
	a.grow(index, size, 0)
}

func (a *median) setReach(at [3]int) {
	for d, x := range at {
		n := a.dims[d]
		a.reach[d] = reach{x, n - 1 - x}
		if a.wrap[d] {
			a.reach[d] = reach{(n - 1) / 2, n / 2}
		}
	}
}

// fill sets the census to the free processors nearer to a center than radius and
// returns their number.
func (a *median) fill(at [3]int, radius int) int {
	a.census.clear()
	found, far := 0, radius-1
	for dz := -min(far, a.reach[2].down); dz <= min(far, a.reach[2].up); dz++ {
		z := a.shifted(2, at[2], dz)
		plane, inPlane := far-max(dz, -dz), 0
		for dy := -min(plane, a.reach[1].down); dy <= min(plane, a.reach[1].up); dy++ {
			y := a.shifted(1, at[1], dy)
			n := a.lines.alongX(at[0], y, z, plane-max(dy, -dy))
			a.census[1][y] += n
			inPlane += int(n)
		}
		for dx := -min(plane, a.reach[0].down); dx <= min(plane, a.reach[0].up); dx++ {
			x := a.shifted(0, at[0], dx)
			a.census[0][x] += a.lines.alongY(x, at[1], z, plane-max(dx, -dx))
		}
		a.census[2][z] += int32(inPlane)
		found += inPlane
	}
	return found
}

// grow takes the free processors from radius on until there are enough, in addition to
// those in the census. It returns the sum of their pairwise distances.
func (a *median) grow(index, size, found int) int64 {
	at := a.coordinates(a.centers[index])
	a.taken = a.taken[:0]
	for ; ; a.radius++ {
		inner := len(a.taken)
		a.gatherShell(at, a.radius)
		if found+len(a.taken) < size {
			continue
		}
		if a.wrap != [3]bool{} {
			slices.Sort(a.taken[inner:])
		}
		a.settle(a.taken[inner:], index, size-found-inner)
		a.taken = a.taken[:size-found]
		return a.pairwise(at, size)
	}
}

// pairwise returns the sum of the pairwise distances of the nodes of the census, all of them
// within radius of a center.
func (a *median) pairwise(at [3]int, size int) int64 {
	sum := int64(0)
	for d := range a.dimensions {
		if counts := a.census[d]; a.wrap[d] {
			sum += ringDistances(counts, size)
		} else {
			sum += lineDistances(counts[max(0, at[d]-a.radius):min(len(counts), at[d]+a.radius+1)], size)
		}
	}
	return sum
}

// gatherShell collects all free processors at a distance from a center.
func (a *median) gatherShell(at [3]int, distance int) {
	for dz := -min(distance, a.reach[2].down); dz <= min(distance, a.reach[2].up); dz++ {
		plane := distance - max(dz, -dz)
		z := a.shifted(2, at[2], dz)
		for dy := -min(plane, a.reach[1].down); dy <= min(plane, a.reach[1].up); dy++ {
			dx := plane - max(dy, -dy)
			y := a.shifted(1, at[1], dy)
			if dx <= a.reach[0].down {
				a.take([3]int{a.shifted(0, at[0], -dx), y, z})
			}
			if dx > 0 && dx <= a.reach[0].up {
				a.take([3]int{a.shifted(0, at[0], dx), y, z})
			}
		}
	}
}

// shifted returns the coordinate by steps from x, around the end of a ring.
func (a *median) shifted(d, x, by int) int {
	n := a.dims[d]
	if x += by; x < 0 {
		return x + n
	} else if x >= n {
		return x - n
	}
	return x
}

func (a *median) take(p [3]int) {
	if n := a.node(p[0], p[1], p[2]); a.free[n] {
		a.taken = append(a.taken, n)
		a.census.add(p)
	}
}
