package center

import (
	"cmp"
	"math"
	"slices"

	"contend/netsim/topology"
)

// branch is the search of a decision for the best center by branch and bound. On a plane tiles of
// centers are visited from the least bound on, and divided, as long as a center of theirs may win.
// Elsewhere, and for small jobs, a bound of a tile shows little, so all centers are visited. Each
// is scored only if its own bound does not refuse it.
//
// BenchmarkLarge in byname, 65,536 nodes: a mesh takes 1.5 times as long without tiles, and 1.7 to
// 2 times without the counts of a plane; a torus 1.4 times without leastWithShell.
type branch struct {
	size    int
	least   int64   // the least score so far
	bottom  int64   // no score is less
	index   []int32 // of each center in the list of centers
	open    [len(tileSides)][]openTile
	sums    distanceSums
	outward [3][]int
	line    []int32 // part of a ring

	// Of the last center that was bounded: the inner processors, the sum of their pairwise
	// distances, where in sums its coordinates are, and for each free processor at the radius
	// the sum of its distances to the inner ones.
	inner  int
	within int64
	middle [3]int
	shell  []int
}

// openTile is a tile that may have the best center.
type openTile struct {
	bound int64
	tile  int32
}

// tileShare is how many times larger than a tile a job on free ground must be for a bound of the
// tile to show enough.
const tileShare = 4

func newBranch(l *Lattice) branch {
	b := branch{index: make([]int32, l.Nodes()), sums: newDistanceSums(l)}
	for d, n := range l.Dims {
		b.outward[d] = make([]int, n)
	}
	b.line = make([]int32, max(l.Dims[0], l.Dims[1], l.Dims[2]))
	return b
}

// branchAndBound sets best to the centers of the least score, in their order, and returns it.
func (a *onLattice) branchAndBound(size int) int64 {
	b := &a.branch
	b.size, b.least, a.best = size, math.MaxInt64, a.best[:0]
	b.bottom = a.bottom(int64(size))
	for i, n := range a.centers {
		b.index[n] = int32(i)
	}
	ball := 0 // the least radius that may hold the job
	for a.ballNodes(ball) < size {
		ball++
	}
	for level, radius := range a.tiles.radius {
		if ball >= tileShare*radius {
			a.visitTiles(level, 0, int32(len(a.tiles.levels[level])))
			slices.Sort(a.best)
			return b.least
		}
	}
	if a.plane == nil && !a.ties {
		a.visit(a.promising(ball))
	}
	for i := range a.centers {
		if a.visit(i); b.least <= b.bottom && !a.ties && a.best[0] <= i {
			break // no later center has less
		}
	}
	return b.least
}

// promising returns a center whose score is likely to be low: of some hundreds the first with the
// most free processors in the ball that may hold the job.
func (a *onLattice) promising(radius int) (best int) {
	most := -1
	for i := 0; i < len(a.centers); i += 1 + len(a.centers)/256 {
		at := a.Coordinates(a.centers[i])
		a.setReach(at)
		if n := a.ballCount(at, radius); n > most {
			best, most = i, n
		}
	}
	return best
}

// bottom returns a lower bound of the sum of the pairwise distances of so many processors. Without
// rings of odd length places are black and white as on a chessboard: two of one color are the same
// or 2 apart at least.
func (a *onLattice) bottom(size int64) int64 {
	if a.most > 1 {
		return 0
	}
	for d, n := range a.Dims {
		if a.Wrap[d] && n%2 == 1 {
			return size * (size - 1) / 2
		}
	}
	return size*(size-1) - size*size/4
}

// ballNodes returns the number of nodes of a ball in as many dimensions as the machine has,
// as if it had at least two, where no place has less than any other.
func (a *onLattice) ballNodes(radius int) int {
	plane := 2*radius*(radius+1) + 1
	if a.Dims[2] == 1 {
		return plane * a.most
	}
	return (2*radius + 1) * (plane + 2) / 3 * a.most
}

// visitTiles visits some tiles of a level, those of the least bounds first.
func (a *onLattice) visitTiles(level int, first, end int32) {
	b := &a.branch
	open := b.open[level][:0]
	for i := first; i < end; i++ {
		t := &a.tiles.levels[level][i]
		if !slices.ContainsFunc(a.tiles.order[t.first:t.end], a.isCenter) {
			continue
		}
		if bound := a.leastOf(t, level+1 == len(a.tiles.levels)); bound <= b.least {
			open = append(open, openTile{bound, i})
		}
	}
	b.open[level] = open
	slices.SortFunc(open, func(x, y openTile) int { return cmp.Compare(x.bound, y.bound) })
	for _, o := range open {
		if o.bound > b.least {
			return
		}
		t := &a.tiles.levels[level][o.tile]
		if level+1 < len(a.tiles.levels) {
			a.visitTiles(level+1, t.part, t.parts)
			continue
		}
		for _, n := range a.tiles.order[t.first:t.end] {
			if a.isCenter(n) {
				a.visit(int(b.index[n]))
			}
		}
	}
}

func (a *onLattice) isCenter(n topology.Node) bool {
	i := int(a.branch.index[n])
	return i < len(a.centers) && a.centers[i] == n
}

// visit scores the index-th center if it may win.
func (a *onLattice) visit(index int) {
	b, at := &a.branch, a.Coordinates(a.centers[index])
	limit := b.least
	if len(a.best) > 0 && index > a.best[0] && !a.ties {
		limit-- // the first of equals wins
	}
	switch {
	case a.exceeds(at, limit):
	case a.plane != nil:
		a.keep(index, a.score(index, b.size))
	default:
		a.keep(index, a.grow(index, b.size, b.inner))
	}
}

// keep keeps a center if its score is the least so far. Of equals it keeps the first, or all if
// ties are counted.
func (a *onLattice) keep(index int, score int64) {
	b := &a.branch
	switch {
	case score < b.least || score == b.least && !a.ties && index < a.best[0]:
		b.least, a.best = score, append(a.best[:0], index)
	case score == b.least && a.ties:
		a.best = append(a.best, index)
	}
}
