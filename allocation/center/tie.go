package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// tieCount counts different sets of nodes by a hash of 64 bits. Among a thousand sets
// the probability that two have the same hash is below 1e-13.
type tieCount struct {
	on     bool
	ties   int
	hashes []uint64
}

func (t *tieCount) reset() { t.hashes = t.hashes[:0] }

// add adds a set of nodes in any order.
func (t *tieCount) add(nodes []topology.Node) {
	sum := uint64(0)
	for _, n := range nodes {
		sum += mixed(uint64(n) + 1)
	}
	t.hashes = append(t.hashes, sum)
}

// mixed is the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
func mixed(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (t *tieCount) count() {
	slices.Sort(t.hashes)
	t.ties = 0
	for i, h := range t.hashes {
		if i == 0 || h != t.hashes[i-1] {
			t.ties++
		}
	}
}

func (t *tieCount) set(on bool) { t.on, t.ties = on, 0 }

// CountTies implements TieCounter.
func (a *center) CountTies(on bool) { a.ties.set(on) }

// Ties implements TieCounter.
func (a *center) Ties() int { return a.ties.ties }

func (a *center) countTies(free *allocation.FreeSet, size int) {
	a.ties.reset()
	row := latticeRow{Lattice: &a.Lattice}
	for _, f := range a.best {
		c := a.candidate(f, &row)
		a.ties.add(a.picker.pick(free, &c, size))
	}
	a.ties.count()
}

// TieFactors are the parameters (SR, AF, WF, BF) of [Johnson et al. 2010, sec. II]: the
// scan radius in shells and the weights of the three scores.
type TieFactors struct {
	ScanRadius, Available, Wall, Border int
	Corners                             bool // each wall that a processor borders counts
}

// tieBreaker chooses among candidates of equal score.
type tieBreaker struct{ factors TieFactors }

// breakTies returns the candidate with the least weighted sum of available, wall and
// border score, and among equals the first [Johnson et al. 2010, sec. II d].
func (a *center) breakTies(free *allocation.FreeSet, size int) finalist {
	winner, least := a.best[0], math.MaxInt
	if len(a.best) == 1 {
		return winner
	}
	row := latticeRow{Lattice: &a.Lattice}
	for _, f := range a.best {
		c := a.candidate(f, &row)
		if score := a.tieScore(free, &c, size, least); score < least {
			winner, least = f, score
		}
	}
	return winner
}

// tieScore returns the weighted sum of the three scores of a candidate, or of what it is at least
// if that reaches a limit.
func (a *center) tieScore(free *allocation.FreeSet, c *candidate, size, limit int) int {
	f := a.breaks.factors
	if f.Wall == 0 || !a.reachesWall(c) {
		return a.openScore(c, size, limit)
	}
	score, first := a.openScore(c, size, math.MaxInt), limit == math.MaxInt
	wall, exact := a.leastWallScore(free, c, size)
	if !first && score+f.Wall*wall >= limit {
		return limit // whatever it takes from the last shell
	}
	if !exact {
		wall = a.wallScore(free, c, size)
	}
	return score + f.Wall*wall
}

// The reverse distance of a processor is 1 in the max shell, which lies scan radius
// shells beyond the last shell. It grows by 1 for each shell inward.

// openScore returns the weighted sum of the available and the border score, or a lower bound of it
// that reaches a limit: no shell further out holds fewer free processors.
//
// The available score is the sum of the reverse distances of the free processors not taken
// [sec. II a]. Each processor counts once for every shell from its own, or the last one, to the
// max shell. The border score falls by the reverse distance, the scan radius, for each busy
// processor in the shell beyond the last one [sec. II c].
func (a *center) openScore(c *candidate, size, limit int) int {
	f := &a.breaks.factors
	most := c.last + f.ScanRadius
	if f.Available == 0 {
		most = min(most, c.last+1)
	}
	available, score := c.found-size, 0
	if most == c.last {
		return f.Available * available
	}
	next := a.shellVolume(c, c.last+1)
	if bound := f.Available*(f.ScanRadius+1)*available - f.Border*f.ScanRadius*next; bound >= limit {
		return bound // even if all nodes around it are busy
	}
	for shell := c.last + 1; shell <= most; shell++ {
		found := a.boxes.count(&c.box, shell)
		if shell == c.last+1 {
			used := next - (found - c.found)
			score -= f.Border * f.ScanRadius * used
		}
		available += found - size
		if bound := score + f.Available*(available+(most-shell)*(found-size)); bound >= limit {
			return bound
		}
	}
	return score + f.Available*available
}

// shellVolume returns the number of nodes in a shell of a candidate whose shell 0 is one node.
func (a *center) shellVolume(c *candidate, shell int) int {
	inner, outer := 1, 1
	for d := range a.Dimensions {
		side := 2*shell + 1
		if a.Wrap[d] && side > a.Dims[d] ||
			!a.Wrap[d] && (c.low[d] < shell || c.high[d]+shell >= a.Dims[d]) {
			within, all := c.grown(shell-1), c.grown(shell)
			return a.boxes.volume(&all) - a.boxes.volume(&within)
		}
		inner, outer = inner*(side-2), outer*side
	}
	return outer - inner
}

// reachesWall reports whether the last shell, or one before it, touches a wall.
func (a *center) reachesWall(c *candidate) bool {
	for d := range a.Dimensions {
		if !a.Wrap[d] && (c.low[d]-c.last <= 0 || c.high[d]+c.last >= a.Dims[d]-1) {
			return true
		}
	}
	return false
}

// leastWallScore returns a lower bound of the wall score without deciding which
// processors of the last shell are taken. It reports whether the bound is exact.
func (a *center) leastWallScore(free *allocation.FreeSet, c *candidate, size int) (score int,
	exact bool) {
	p := &a.picker
	p.taken, p.shell = p.taken[:0], p.shell[:0]
	p.gather(free, c)
	rest, last, most := size-len(p.taken), 0, 1
	for _, n := range p.taken {
		if at := a.Coordinates(n); a.bordersWall(at) {
			score -= a.wallsCounted(at) * (c.last + a.breaks.factors.ScanRadius - a.shellOf(at, &c.box) + 1)
		}
	}
	for _, n := range p.shell {
		if at := a.Coordinates(n); a.bordersWall(at) {
			last += a.wallsCounted(at)
			most = max(most, a.wallsCounted(at))
		}
	}
	exact = last == 0 || rest == len(p.shell)
	return score - min(rest*most, last)*(a.breaks.factors.ScanRadius+1), exact
}

// wallScore returns a score that falls by the reverse distance for each processor taken
// that borders a wall [sec. II b]. A processor in a corner counts once by default,
// unlike in the paper's text. Only then do the figures of sec. III come out.
func (a *center) wallScore(free *allocation.FreeSet, c *candidate, size int) int {
	sum := 0
	for _, n := range a.picker.pick(free, c, size) {
		if p := a.Coordinates(n); a.bordersWall(p) {
			sum += a.wallsCounted(p) * (c.last + a.breaks.factors.ScanRadius - a.shellOf(p, &c.box) + 1)
		}
	}
	return -sum
}

// wallsCounted returns how many times a place that borders a wall counts.
func (a *center) wallsCounted(p [3]int) int {
	if !a.breaks.factors.Corners {
		return 1
	}
	return a.walls(p)
}

// Readings of [Johnson et al. 2010] that are ambiguous. The first reproduces the printed
// figures.
const (
	// CornersOnce counts a processor that borders several walls once in the wall score.
	// CornersTwice counts it once for each wall [Johnson et al. 2010, sec. II b].
	CornersOnce, CornersTwice = "once", "twice"
)

// Corners lists the ways to count walls.
func Corners() []allocation.Info {
	return []allocation.Info{{Name: CornersOnce, Doc: "a processor in a corner counts once"},
		{Name: CornersTwice, Doc: "a processor counts once for each wall it borders"}}
}
