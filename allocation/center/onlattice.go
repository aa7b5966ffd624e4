package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// onLattice is the geometry of a lattice: distances are in L1, and add up over dimensions.
//
// Scoring a candidate of radius r takes O(r^(d-1)): the census counts the processors nearer than r
// at each coordinate, and only the processors at distance r, some of which the candidate may not
// take, are visited one by one. Most centers are not scored: see scoreCenter.
//
// The search works on places. A list has a place once for each processor taken from the place.
type onLattice struct {
	census
	cube      *topology.Cube
	crossings bool // MM
	last      string

	taken   []topology.Node
	centers []topology.Node
	index   []int32         // of each center in the list of centers
	used    [3][]bool       // by dimension: coordinates of free processors, for crossings
	shell   []topology.Node // places at the radius
	keys    keys            // for LastShellPrevious
	sums    []int           // by place of shell: sum of its distances to the inner processors

	size     int   // of the job
	ties     bool  // all centers of the lowest score matter
	minScore int64 // the lowest score so far
	best     []int // centers of the lowest score; only the first if ties are not counted
	points   points

	totals distanceSums // for exchanges: of the distances to all allocated
	across int          // the diameter
}

// points is the metric of places.
type points struct {
	*Lattice
	origin [3]int
}

// From sets the origin of To.
func (p *points) From(n topology.Node) { p.origin = p.Coordinates(n) }

// To returns the distance of a place from the origin.
func (p *points) To(n topology.Node) int { return p.Distance(p.origin, p.Coordinates(n)) }

// newOnLattice returns the geometry of a mesh or torus. With crossings the centers are those of MM,
// which need not have free processors.
func newOnLattice(cube *topology.Cube, crossings bool, last string) *onLattice {
	l := latticeOf(cube)
	a := &onLattice{census: newCensus(&l), cube: cube, crossings: crossings, last: last,
		taken: make([]topology.Node, 0, cube.Nodes()), index: make([]int32, l.Nodes()),
		centers: make([]topology.Node, 0, l.Nodes()), totals: newDistanceSums(&l)}
	a.points.Lattice = &l
	for d, n := range l.Dims {
		a.used[d] = make([]bool, n)
		down, up := l.extents(d, 0)
		a.across += max(down, up)
	}
	return a
}

// search implements geometry.
func (a *onLattice) search(dst []topology.Node, free *allocation.FreeSet, size int,
	ties *tieCounter) ([]topology.Node, int64) {
	a.load(free)
	a.size, a.ties, a.minScore, a.best = size, ties.countsTies, math.MaxInt64, a.best[:0]
	a.findBest()
	a.collect(a.best[0])
	dst = a.appendNodes(dst, free)
	if a.ties {
		for _, i := range a.best {
			a.collect(i)
			ties.addSet(a.taken)
		}
	}
	return dst, a.minScore
}

// load counts the free processors and lists the centers.
func (a *onLattice) load(free *allocation.FreeSet) {
	a.centers = a.centers[:0]
	clear(a.free)
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		p := a.place(n)
		if a.free[p]++; a.free[p] == 1 {
			a.centers = append(a.centers, p)
		}
	}
	a.lines.load(a.free)
	if a.crossings {
		a.loadCrossings()
	}
	for i, n := range a.centers {
		a.index[n] = int32(i)
	}
}

// loadCrossings replaces the centers by the crossings of coordinates of free processors.
func (a *onLattice) loadCrossings() {
	for d := range a.used {
		clear(a.used[d])
	}
	for _, n := range a.centers {
		for d, x := range a.Coordinates(n) {
			a.used[d][x] = true
		}
	}
	a.centers = a.centers[:0]
	for n, at := range a.at {
		if a.used[0][at[0]] && a.used[1][at[1]] && a.used[2][at[2]] {
			a.centers = append(a.centers, topology.Node(n))
		}
	}
}

// chooseFromShell moves the places that the index-th candidate takes to the front of the shell.
func (a *onLattice) chooseFromShell(index, take int) {
	if take == len(a.shell) {
		return
	}
	slices.Sort(a.shell)
	switch a.last {
	case LastShellPrevious:
		a.keys.takePrevious(a.shell, index, take, func(i int, n topology.Node) int {
			return a.Distance(a.Coordinates(n), a.Coordinates(a.centers[i]))
		}, a.before)
	case LastShellGreedy:
		a.sumShellDistances()
		takeGreedily(a.shell, a.sums, take, &a.points)
	}
}

// before returns the last center before the index-th that may order the nodes of a shell
// differently. It skips centers of a row whose distances to all nodes of the shell differ by one
// constant from those of the next center.
func (a *onLattice) before(index int, shell []topology.Node) int {
	center := a.centers[index]
	x, column := a.Coordinates(center)[0], a.Coordinates(shell[0])[0]
	nearer, minSteps, same := 0, a.Dims[0], true
	for _, n := range shell {
		at := a.Coordinates(n)[0]
		steps, falls := a.stepsAlike(x - at)
		if falls {
			nearer++
		}
		minSteps, same = min(minSteps, steps), same && at == column
	}
	switch {
	case same:
		minSteps = a.Dims[0] // the whole row is as far from all
	case nearer > 0 && nearer < len(shell):
		return index - 1
	}
	row := center - topology.Node(x)
	for index--; index >= 0 && a.centers[index] >= row && int(center-a.centers[index]) <= minSteps; {
		index--
	}
	return index
}

// stepsAlike returns the number of steps back along the first dimension over which the distance to
// a coordinate changes by one in the same direction, and whether it falls. behind is the distance
// by which the coordinate is behind the first one.
func (a *onLattice) stepsAlike(behind int) (steps int, falls bool) {
	n := a.Dims[0]
	switch {
	case !a.Wrap[0] && behind <= 0:
		return n, false
	case behind < 0:
		behind += n
	}
	if behind > 0 && (behind <= n/2 || !a.Wrap[0]) {
		return behind, true
	}
	return n/2 - (n-behind)%n, false
}

// sumShellDistances sets sums.
func (a *onLattice) sumShellDistances() {
	a.sums = a.sums[:0]
	for _, n := range a.shell {
		a.sums = append(a.sums, a.distancesTo(n))
	}
}

// collect sets taken to the places of the index-th candidate.
func (a *onLattice) collect(index int) {
	a.findShell(a.Coordinates(a.centers[index]), math.MaxInt64)
	others := a.size - a.inner
	a.chooseFromShell(index, others)
	a.taken = append(a.taken[:0], a.shell[:others]...)
	for distance := range a.radius {
		a.taken = a.appendShell(a.taken, distance)
	}
}

// place returns the place of a node.
func (a *onLattice) place(n topology.Node) topology.Node {
	return topology.Node(a.cube.RouterOf(n))
}

// appendNodes appends the first free nodes of the taken places, in node order: from each place as
// many as taken has entries of it.
func (a *onLattice) appendNodes(dst []topology.Node, free *allocation.FreeSet) []topology.Node {
	slices.Sort(a.taken)
	n := topology.Node(0)
	for i, p := range a.taken {
		if n++; i == 0 || p != a.taken[i-1] {
			n, _ = a.cube.NodesAt(topology.Router(p))
		}
		n, _ = free.Next(n)
		dst = append(dst, n)
	}
	return dst
}

// sumTo implements geometry.
func (a *onLattice) sumTo(nodes []topology.Node) {
	a.totals.clear()
	for _, n := range nodes {
		a.add(n, 1)
	}
}

// add implements geometry.
func (a *onLattice) add(n topology.Node, sign int) {
	a.totals.add(a.Lattice, a.Coordinates(a.place(n)), sign)
}

// total implements geometry.
func (a *onLattice) total(n topology.Node) int { return a.totals.of(a.Coordinates(a.place(n))) }

// From sets the origin of To.
func (a *onLattice) From(n topology.Node) { a.points.From(a.place(n)) }

// To returns the distance from the origin to a node.
func (a *onLattice) To(n topology.Node) int { return a.points.To(a.place(n)) }

// diameter returns the maximum distance between two nodes.
func (a *onLattice) diameter() int { return a.across }

// The search for the best center is branch and bound. A candidate takes all free processors nearer
// to its center than its radius, the inner ones, and others at the radius. Its score is at least
// the sum of the pairwise distances of the inner ones plus, for each other one, the lowest possible
// sum of its distances to the inner ones.
//
// BenchmarkLarge (package allocation), 65,536 nodes, shows the value of the shell in the bound:
// without it a decision on a torus takes 1.4 times as long.

// findBest sets best to the centers of the lowest score, in their order.
func (a *onLattice) findBest() {
	bottom := a.bottom(int64(a.size))
	ball := 0 // the least radius that may hold the job
	for a.ballNodes(ball) < a.size {
		ball++
	}
	if !a.ties {
		a.scoreCenter(a.promising(ball))
	}
	for i := range a.centers {
		if a.scoreCenter(i); a.minScore <= bottom && !a.ties && a.best[0] <= i {
			return // no later center has less
		}
	}
}

// promising returns a center whose score is likely to be low: of some hundred centers the first
// with the most free processors in the ball that may hold the job.
func (a *onLattice) promising(radius int) (best int) {
	maxInner := -1
	for i := 0; i < len(a.centers); i += 1 + len(a.centers)/256 {
		if a.count(a.Coordinates(a.centers[i]), radius+1); a.inner > maxInner {
			best, maxInner = i, a.inner
		}
	}
	return best
}

// bottom returns a lower bound of the sum of the pairwise distances of size processors. Without
// rings of odd length places are black and white as on a chessboard: two of one color are the same
// or 2 apart at least.
func (a *onLattice) bottom(size int64) int64 {
	if !a.cube.OneNodePerRouter() {
		return 0
	}
	for d, n := range a.Dims {
		if a.Wrap[d] && n%2 == 1 {
			return size * (size - 1) / 2
		}
	}
	return size*(size-1) - size*size/4
}

// ballNodes returns the number of nodes of a ball on an unbounded lattice with the machine's
// dimensions, but at least two.
func (a *onLattice) ballNodes(radius int) int {
	perPlace := (a.cube.Nodes()-1)/a.Nodes() + 1
	plane := 2*radius*(radius+1) + 1
	if a.Dims[2] == 1 {
		return plane * perPlace
	}
	return (2*radius + 1) * (plane + 2) / 3 * perPlace
}

// scoreCenter scores the index-th center if its score may be the lowest. Among equals it keeps the
// first, or all if ties are counted.
func (a *onLattice) scoreCenter(index int) {
	limit := a.minScore
	if len(a.best) > 0 && index > a.best[0] && !a.ties {
		limit-- // the first of equals wins
	}
	if !a.findShell(a.Coordinates(a.centers[index]), limit) {
		return
	}
	others := a.size - a.inner
	a.chooseFromShell(index, others)
	for _, n := range a.shell[:others] {
		a.include(n)
	}
	score := a.pairs(a.size)
	switch {
	case score < a.minScore || score == a.minScore && !a.ties && index < a.best[0]:
		a.minScore, a.best = score, append(a.best[:0], index)
	case score == a.minScore && a.ties:
		a.best = append(a.best, index)
	}
}

// findShell sets radius and shell for a center. It reports false if a bound shows that the score of
// the center exceeds a limit.
func (a *onLattice) findShell(at [3]int, limit int64) bool {
	for a.count(at, a.radius); a.inner >= a.size; a.count(at, a.radius-1) {
	}
	for {
		within := a.minAround(limit)
		if within > limit {
			return false
		}
		a.shell = a.appendShell(a.shell[:0], a.radius)
		if a.inner+len(a.shell) >= a.size {
			return limit == math.MaxInt64 || a.minWithShell() <= limit
		}
		a.count(at, a.radius+1)
	}
}

// minAround returns a lower bound of the score of a candidate that takes all inner processors. If
// the sum of the inner ones exceeds the limit, the bound may omit the part of the others.
func (a *onLattice) minAround(limit int64) int64 {
	a.countColumns()
	sum, others := a.pairs(a.inner), a.size-a.inner
	if sum > limit {
		return sum
	}
	a.sumDistances()
	return sum + int64(others)*int64(a.nearestBeyond())
}

// minWithShell returns a lower bound of the score of a center whose inner processors and shell are
// counted: the processors that it takes from the shell have at least the lowest sums of distances.
func (a *onLattice) minWithShell() int64 {
	a.sumShellDistances()
	slices.Sort(a.sums)
	sum := a.pairs(a.inner)
	for _, s := range a.sums[:a.size-a.inner] {
		sum += int64(s)
	}
	return sum
}
