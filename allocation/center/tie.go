package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// tieCounter counts the different sets of nodes of the best score by hashes of 64 bits. Among a
// thousand sets the probability that two have the same hash is below 1e-13.
type tieCounter struct {
	countsTies bool
	ties       int      // of the last decision
	hashes     []uint64 // of the best sets so far
}

// CountTies implements TieCounter.
func (t *tieCounter) CountTies(on bool) { t.countsTies, t.ties = on, 0 }

// Ties implements TieCounter.
func (t *tieCounter) Ties() int { return t.ties }

// clearSets removes all sets.
func (t *tieCounter) clearSets() { t.hashes = t.hashes[:0] }

// addSet adds a set of nodes in any order.
func (t *tieCounter) addSet(nodes []topology.Node) {
	sum := uint64(0)
	for _, n := range nodes {
		sum += mixed(uint64(n) + 1)
	}
	t.hashes = append(t.hashes, sum)
}

// mixed returns a hash of x: the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
func mixed(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// countSets sets ties to the number of different sets.
func (t *tieCounter) countSets() {
	slices.Sort(t.hashes)
	t.ties = len(slices.Compact(t.hashes))
}

// countBestSets counts the different sets of the best candidates.
func (a *center) countBestSets(free *allocation.FreeSet, size int) {
	a.clearSets()
	for _, f := range a.best {
		c := a.candidate(f)
		a.addSet(a.picker.pick(free, &c, size))
	}
	a.countSets()
}

// TieFactors are the parameters (SR, AF, WF, BF) of [Johnson et al. 2010, sec. II]: the
// scan radius in shells and the weights of the three scores.
type TieFactors struct {
	ScanRadius, Available, Wall, Border int
	Corners                             bool // each wall that a processor borders counts
}

// breakTies returns the candidate with the least weighted sum of available, wall and
// border score, and among equals the first [Johnson et al. 2010, sec. II d].
func (a *center) breakTies(free *allocation.FreeSet, size int) finalist {
	winner, minScore := a.best[0], math.MaxInt
	for _, f := range a.best {
		c := a.candidate(f)
		score := a.openScore(&c, size)
		if wall := a.breaks.Wall * a.minWallScore(&c); wall != 0 && score+wall < minScore {
			score += a.breaks.Wall * a.wallScore(free, &c, size)
		}
		if score < minScore {
			winner, minScore = f, score
		}
	}
	return winner
}

// The reverse distance of a processor is 1 in the max shell, which lies scan radius
// shells beyond the last shell. It grows by 1 for each shell inward.

// openScore returns the weighted sum of the available and the border score.
//
// The available score is the sum of the reverse distances of the free processors not taken
// [sec. II a]. Each processor counts once for every shell from its own, or the last one, to the
// max shell. The border score falls by the reverse distance, the scan radius, for each busy
// processor in the shell beyond the last one [sec. II c].
func (a *center) openScore(c *candidate, size int) int {
	f := a.breaks
	score := f.Available * (c.found - size)
	for shell := c.last + 1; shell <= c.last+f.ScanRadius; shell++ {
		found := a.boxes.count(&c.box, shell)
		score += f.Available * (found - size)
		if shell == c.last+1 {
			within, all := c.grown(shell-1), c.grown(shell)
			nodes := a.boxes.volume(&all) - a.boxes.volume(&within)
			score -= f.Border * f.ScanRadius * (nodes - (found - c.found))
		}
	}
	return score
}

// minWallScore returns a lower bound of the wall score: the score if the candidate took all free
// processors along the walls up to its last shell.
func (a *center) minWallScore(c *candidate) (score int) {
	for d, n := range a.Dims[:a.Dimensions] {
		if a.Wrap[d] {
			continue
		}
		within := c.grown(c.last)
		for _, wall := range [...]int{0, n - 1} {
			if k := within; k.low[d] <= wall && wall <= k.high[d] {
				k.low[d], k.high[d] = wall, wall
				score -= a.boxes.count(&k, 0) * (c.last + a.breaks.ScanRadius + 1)
			}
		}
	}
	return score
}

// wallScore returns a score that falls by the reverse distance for each processor taken that
// borders a wall [sec. II b]. A processor in a corner counts once by default, unlike in the paper's
// text. Only this count reproduces the figures of sec. III.
func (a *center) wallScore(free *allocation.FreeSet, c *candidate, size int) (score int) {
	for _, n := range a.picker.pick(free, c, size) {
		p := a.Coordinates(n)
		walls := a.walls(p)
		if !a.breaks.Corners {
			walls = min(walls, 1)
		}
		score -= walls * (c.last + a.breaks.ScanRadius - a.shellOf(p, &c.box) + 1)
	}
	return score
}

// Readings of [Johnson et al. 2010] that are ambiguous. The first reproduces the printed
// figures.
const (
	// CornersOnce counts a processor that borders several walls once in the wall score.
	// CornersTwice counts it once for each wall [Johnson et al. 2010, sec. II b].
	CornersOnce, CornersTwice = "once", "twice"
)
