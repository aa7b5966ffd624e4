package center

import (
	"math"
	"slices"
)

// The search for the best center is branch and bound. A candidate takes all free processors
// nearer to its center than its radius, the inner ones, and others at the radius. Its score is at
// least the sum of the pairwise distances of the inner ones, and for each other one the least
// that the distances to the inner ones may add up to.
//
// BenchmarkLarge (package allocation), 65,536 nodes, shows what the shell adds to the bound: on a
// torus a decision takes 1.4 times as long without it.

// findBest sets best to the centers of the least score, in their order.
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

// promising returns a center whose score is likely to be low: of some hundreds the first with the
// most free processors in the ball that may hold the job.
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

// ballNodes returns the number of nodes of a ball in as many dimensions as the machine has,
// as if it had at least two, where no place has less than any other.
func (a *onLattice) ballNodes(radius int) int {
	perPlace := (a.cube.Nodes()-1)/a.Nodes() + 1
	plane := 2*radius*(radius+1) + 1
	if a.Dims[2] == 1 {
		return plane * perPlace
	}
	return (2*radius + 1) * (plane + 2) / 3 * perPlace
}

// scoreCenter scores the index-th center if its score may be the least. Of equals it keeps the
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

// minAround returns a lower bound of the score of a candidate that takes all inner processors.
// Where that exceeds the limit, the bound may lack the part of the others.
func (a *onLattice) minAround(limit int64) int64 {
	a.countColumns()
	sum, others := a.pairs(a.inner), a.size-a.inner
	if sum > limit {
		return sum
	}
	a.sumDistances()
	return sum + int64(others)*int64(a.nearestBeyond())
}

// minWithShell returns a lower bound of the score of a center whose inner processors and shell
// are counted: no others have less distance to the inner ones than those with the least sums.
func (a *onLattice) minWithShell() int64 {
	a.sumShellDistances()
	slices.Sort(a.sums)
	sum := a.pairs(a.inner)
	for _, s := range a.sums[:a.size-a.inner] {
		sum += int64(s)
	}
	return sum
}
