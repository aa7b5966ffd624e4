package center

import "math"

// A candidate takes all free processors nearer to its center than its radius, the inner ones,
// and others at the radius. Its score is at least the sum of the pairwise distances of the inner
// ones, and for each other one the least that the distances to the inner ones may add up to.

// exceeds reports whether a bound shows that the score of a center exceeds a limit.
func (a *onLattice) exceeds(at [3]int, limit int64) bool {
	b := &a.branch
	if a.plane != nil {
		a.radius = a.plane.radius(at[0], at[1], b.size, a.radius)
		return a.plane.exceeds(at[0], at[1], a.radius, b.size, limit)
	}
	a.setReach(at)
	b.inner = a.fill(at, a.radius)
	for ; b.inner >= b.size; b.inner = a.fill(at, a.radius) {
		a.radius--
	}
	for {
		if a.leastAround(at, a.radius, b.inner, limit) > limit {
			return true
		}
		if a.sumShell(at, a.radius); b.inner+len(b.shell) >= b.size {
			return a.leastWithShell() > limit
		}
		a.radius++
		b.inner = a.fill(at, a.radius)
	}
}

// leastOf returns a lower bound of the scores of the centers of a tile. If a center of it has a
// radius, then the places nearer to the middle than that without the radius of the tile are
// nearer to the center too.
func (a *onLattice) leastOf(t *tile, smallest bool) int64 {
	b, at := &a.branch, t.middle
	a.radius = a.plane.radius(at[0], at[1], b.size, a.radius)
	least := a.radius - t.radius // of the radii of the centers
	if smallest {
		least = math.MaxInt
		for _, n := range a.tiles.order[t.first:t.end] {
			if a.isCenter(n) {
				p := a.Coordinates(n)
				least = min(least, a.plane.radius(p[0], p[1], b.size, a.radius))
			}
		}
	}
	return a.plane.least(at[0], at[1], max(0, least-t.radius), b.size, b.least)
}

// leastAround returns a lower bound of the score of a candidate that takes all free processors
// nearer to a place than radius, as many as inner. The census holds those. The bound may be less
// once it exceeds the limit.
func (a *onLattice) leastAround(at [3]int, radius, inner int, limit int64) int64 {
	sum, others := a.pairwise(at, radius, inner), a.branch.size-inner
	a.branch.within = sum
	if sum > limit || others == 0 {
		return sum
	}
	return sum + int64(others)*int64(a.nearestBeyond(at, radius))
}

// nearestBeyond returns a lower bound of the sum of the distances from a place at a radius or
// beyond to the processors of the census, which are nearer.
func (a *onLattice) nearestBeyond(at [3]int, radius int) int {
	x, y, z := a.outward(0, at[0], radius), a.outward(1, at[1], radius), a.outward(2, at[2], radius)
	least := math.MaxInt
	for k := range z {
		for j := range y {
			if i := max(0, radius-j-k); i < len(x) {
				least = min(least, x[i]+y[j]+z[k])
			}
		}
	}
	return least
}

// outward returns for each distance along a dimension the least sum of the distances of a
// coordinate as far from x, or farther, to the processors of the census. Beyond the radius sums
// only grow, except on a ring whose other side is near.
func (a *onLattice) outward(d, x, radius int) []int {
	reach, sums := a.reach[d], a.branch.sums[d]
	if counts := a.stretch(d, x, radius); counts != nil {
		reach = reach.within(radius)
		loadLine(sums, counts)
		x = reach.down
	} else {
		loadRing(sums, a.census[d])
	}
	a.branch.middle[d] = x
	out := a.branch.outward[d][:max(reach.down, reach.up)+1]
	least := math.MaxInt
	for i := len(out) - 1; i >= 0; i-- {
		if i <= reach.down {
			least = min(least, sums[a.shifted(d, x, -i)])
		}
		if i <= reach.up {
			least = min(least, sums[a.shifted(d, x, i)])
		}
		out[i] = least
	}
	return out
}

// within returns the part of a reach within a radius.
func (r reach) within(radius int) reach { return reach{min(r.down, radius), min(r.up, radius)} }

// stretch returns the counts of the census from a radius before x to a radius behind it, or nil
// where distances in that stretch, or to a place beyond it, are not those on a line: on a ring
// that is shorter than two of them.
func (a *onLattice) stretch(d, x, radius int) []int32 {
	r, counts := a.reach[d].within(radius), a.census[d]
	if !a.Wrap[d] || r.down <= x && x+r.up < len(counts) && 4*radius <= len(counts) {
		return counts[x-r.down : x+r.up+1]
	}
	if 4*radius > len(counts) {
		return nil
	}
	line := a.branch.line[:r.down+r.up+1]
	for i := range line {
		line[i] = counts[a.shifted(d, x, i-r.down)]
	}
	return line
}
