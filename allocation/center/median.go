package center

import (
	"fmt"
	"slices"

	"contend/allocation"
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
// Scoring a candidate of radius r takes O(r^(d-1)). Running counts give those at each
// coordinate of the processors nearer than r. Only the processors at distance r, some
// of which the candidate may not take, are visited one by one. Settling them takes
// several visits: one for each earlier center that distinguishes them. Most centers are
// not scored: see branch.
//
// The search is for places. A place with several free processors stands in lists of the taken
// ones as many times as it has them. They come in node order.
type median struct {
	Lattice
	housing
	crossings bool // MM
	ties      tieCount

	free    []int32 // processors of each place
	lines   segments
	radius  int // radius of the last candidate; the next is about as large
	taken   []topology.Node
	Winner  []topology.Node
	centers []topology.Node
	best    []int     // centers of the least score; only the first if ties are not counted
	used    [3][]bool // coordinates of free processors
	census  Census
	shell   shellTaker
	reach   [3]reach
	tiles   tiles
	plane   *plane // on a mesh of one or two dimensions, in place of lines
	branch  branch
}

func newLatticeMedian(name string, machine topology.Topology, last string) (*median, error) {
	cube, ok := machine.(*topology.Cube)
	if !ok || len(cube.Dims()) > 3 {
		return nil, fmt.Errorf("allocator %s on coordinates needs a mesh or torus of up to three "+
			"dimensions", name)
	}
	l, n := latticeOf(cube), machine.Nodes()
	a := &median{Lattice: l, housing: newHousing(cube), crossings: name != "gen-alg",
		free: make([]int32, l.Nodes()), taken: make([]topology.Node, 0, n),
		Winner: make([]topology.Node, 0, n), centers: make([]topology.Node, 0, l.Nodes()),
		census: NewCensus(&l)}
	if hasPlane(&a.Lattice) {
		a.plane = newPlane(&a.Lattice, a.most)
	} else {
		a.lines = newSegments(&a.Lattice)
	}
	a.shell = newShellTaker(&a.Lattice, n, last)
	a.tiles, a.branch = newTiles(&a.Lattice), newBranch(&a.Lattice)
	for d, n := range l.Dims {
		a.used[d] = make([]bool, n)
	}
	return a, nil
}

// NewMedian returns Gen-Alg or MM for a machine, by coordinates where it has them, else by hops.
func NewMedian(name string, s allocation.Site, last string) (allocation.Allocator, error) {
	if !hasPlaces(s.Machine) {
		return newHopMedian(name, s, last)
	}
	return newLatticeMedian(name, s.Machine, last)
}

// Check implements Allocator.
func (a *median) Check(req allocation.Request) error { return req.Check(a.machineNodes) }

// CountDecides implements Counting.
func (a *median) CountDecides() bool { return true }

// CountTies implements TieCounter.
func (a *median) CountTies(on bool) { a.ties.set(on) }

// Ties implements TieCounter.
func (a *median) Ties() int { return a.ties.ties }

// Allocate implements Allocator.
func (a *median) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.search(free, req.Size)
	return append(dst, a.Winner...), true
}

// search sets winner to the best candidate, in the order of nodes, and returns
// its score.
func (a *median) search(free *allocation.FreeSet, size int) int64 {
	a.load(free)
	least := a.branchAndBound(size)
	a.gather(a.best[0], size)
	a.Winner = a.appendNodes(a.Winner[:0], free, a.taken)
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
func (a *median) load(free *allocation.FreeSet) {
	a.loadFree(free)
	if a.crossings {
		a.loadCrossings()
	}
	if a.shell.last == LastShellPrevious {
		a.loadRows()
	}
}

// loadCrossings makes the crossings of coordinates of free processors centers.
func (a *median) loadCrossings() {
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
func (a *median) loadFree(free *allocation.FreeSet) {
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
func (a *median) score(index, size int) int64 {
	at := a.Coordinates(a.centers[index])
	a.setReach(at)
	found := a.fill(at, a.radius)
	for ; found >= size; found = a.fill(at, a.radius) {
		a.radius--
	}
	return a.grow(index, size, found)
}

// gather collects the places of the processors of the index-th candidate.
func (a *median) gather(index, size int) {
	a.setReach(a.Coordinates(a.centers[index]))
	a.radius = 0
	a.census.Clear()
	a.grow(index, size, 0)
}

// grow takes the free processors from radius on until there are enough, in addition to
// those in the census. It returns the sum of their pairwise distances.
func (a *median) grow(index, size, found int) int64 {
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
func (a *median) pairwise(at [3]int, radius, nodes int) int64 {
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
