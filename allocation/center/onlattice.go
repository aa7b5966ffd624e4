package center

import (
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// onLattice is the geometry of a lattice: distances are in L1, and add up over dimensions.
// shellTaker decides among processors equally far from the center.
//
// Scoring a candidate of radius r takes O(r^(d-1)). Running counts give those at each
// coordinate of the processors nearer than r. Only the processors at distance r, some
// of which the candidate may not take, are visited one by one. Settling them takes
// several visits: one for each earlier center that distinguishes them. Most centers are
// not scored: see branch.
//
// The search is for places. A place with several free processors stands in lists of the taken
// ones as many times as it has them. They come in node order.
type onLattice struct {
	Lattice
	housing
	crossings bool // MM
	ties      bool // all centers of the least score matter

	free    []int32 // processors of each place
	lines   segments
	radius  int // radius of the last candidate; the next is about as large
	taken   []topology.Node
	centers []topology.Node
	best    []int     // centers of the least score; only the first if ties are not counted
	used    [3][]bool // coordinates of free processors
	census  Census
	shell   shellTaker
	reach   [3]reach
	tiles   tiles
	plane   *plane // on a mesh of one or two dimensions, in place of lines
	branch  branch

	sums   distanceSums // for exchanges: distances to all allocated
	origin [3]int
	across int // the diameter
}

func newOnLattice(cube *topology.Cube, crossings bool, last string) *onLattice {
	l, n := latticeOf(cube), cube.Nodes()
	a := &onLattice{Lattice: l, housing: newHousing(cube), crossings: crossings,
		free: make([]int32, l.Nodes()), taken: make([]topology.Node, 0, n),
		centers: make([]topology.Node, 0, l.Nodes()), census: NewCensus(&l)}
	if hasPlane(&a.Lattice) {
		a.plane, a.tiles = newPlane(&a.Lattice), newTiles(&a.Lattice)
	} else {
		a.lines = newSegments(&a.Lattice)
	}
	a.shell = newShellTaker(&a.Lattice, last)
	a.branch, a.sums = newBranch(&a.Lattice), newDistanceSums(&a.Lattice)
	for d, n := range l.Dims {
		a.used[d] = make([]bool, n)
		if a.across += n - 1; l.Wrap[d] {
			a.across -= n - 1 - n/2
		}
	}
	return a
}

// search implements geometry.
func (a *onLattice) search(dst []topology.Node, free *allocation.FreeSet, size int,
	ties *tieCount) ([]topology.Node, int64) {
	a.ties = ties.on
	a.load(free)
	least := a.branchAndBound(size)
	a.gather(a.best[0], size)
	dst = a.appendNodes(dst, free, a.taken)
	if a.ties {
		for _, i := range a.best {
			a.gather(i, size)
			ties.add(a.taken)
		}
	}
	return dst, least
}

// home returns the coordinates of a node.
func (a *onLattice) home(n topology.Node) [3]int { return a.Coordinates(a.place(n)) }

func (a *onLattice) sumTo(nodes []topology.Node) {
	a.census.Clear()
	for _, n := range nodes {
		a.census.Add(a.home(n))
	}
	a.sums.load(&a.Lattice, &a.census)
}

func (a *onLattice) add(n topology.Node, sign int) { a.sums.add(&a.Lattice, a.home(n), sign) }

func (a *onLattice) total(n topology.Node) int { return a.sums.of(a.home(n)) }

func (a *onLattice) from(n topology.Node) { a.origin = a.home(n) }

func (a *onLattice) to(n topology.Node) int { return a.Distance(a.origin, a.home(n)) }

func (a *onLattice) diameter() int { return a.across }

// load lists the centers.
func (a *onLattice) load(free *allocation.FreeSet) {
	a.loadFree(free)
	if a.crossings {
		a.loadCrossings()
	}
	if a.shell.last == LastShellPrevious {
		a.loadRows()
	}
}

// loadCrossings makes the crossings of coordinates of free processors centers.
func (a *onLattice) loadCrossings() {
	a.centers = a.centers[:0]
	row := topology.Node(0)
	for z := range a.Dims[2] {
		for y := range a.Dims[1] {
			if a.used[2][z] && a.used[1][y] {
				for x, used := range a.used[0] {
					if used {
						a.centers = append(a.centers, row+topology.Node(x))
					}
				}
			}
			row += topology.Node(a.Dims[0])
		}
	}
}

// loadFree records the free processors and their coordinates and makes them centers.
func (a *onLattice) loadFree(free *allocation.FreeSet) {
	a.centers = a.count(a.centers[:0], a.free, free)
	if a.plane != nil {
		a.plane.load(a.free)
	} else {
		a.lines.load(a.free)
	}
	for d := range a.used {
		clear(a.used[d])
	}
	for _, n := range a.centers {
		for d, x := range a.Coordinates(n) {
			a.used[d][x] = true
		}
	}
}

// score returns the sum of the pairwise distances of the index-th candidate.
func (a *onLattice) score(index, size int) int64 {
	at := a.Coordinates(a.centers[index])
	a.setReach(at)
	found := a.fill(at, a.radius)
	for ; found >= size; found = a.fill(at, a.radius) {
		a.radius--
	}
	return a.grow(index, size, found)
}

// gather collects the places of the processors of the index-th candidate.
func (a *onLattice) gather(index, size int) {
	a.setReach(a.Coordinates(a.centers[index]))
	a.radius = 0
	a.census.Clear()
	a.grow(index, size, 0)
}

// grow takes the free processors from radius on until there are enough, in addition to
// those in the census. It returns the sum of their pairwise distances.
func (a *onLattice) grow(index, size, found int) int64 {
	at := a.Coordinates(a.centers[index])
	a.taken = a.taken[:0]
	for ; ; a.radius++ {
		inner := len(a.taken)
		a.gatherShell(at, a.radius)
		if found+len(a.taken) < size {
			continue
		}
		if a.Wrap != [3]bool{} {
			slices.Sort(a.taken[inner:])
		}
		a.settle(a.taken[inner:], index, size-found-inner)
		a.taken = a.taken[:size-found]
		return a.pairwise(at, a.radius, size)
	}
}

// pairwise returns the sum of the pairwise distances of the nodes of the census, all of them
// within radius of a center.
func (a *onLattice) pairwise(at [3]int, radius, nodes int) int64 {
	sum := int64(0)
	for d := range a.Dimensions {
		if counts := a.stretch(d, at[d], radius); counts != nil {
			sum += allocation.LineDistances(counts, nodes)
		} else {
			sum += allocation.RingDistances(a.census[d], nodes)
		}
	}
	return sum
}
