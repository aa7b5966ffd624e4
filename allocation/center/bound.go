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

// leastWithShell returns a lower bound of the score of a center whose inner processors and shell
// are known: no others have less distance to the inner ones than those with the least sums.
func (a *onLattice) leastWithShell() int64 {
	b := &a.branch
	return b.within + int64(leastSum(b.shell, b.size-b.inner))
}

// sumShell lists for each free processor at a distance from a center the sum of its distances to
// the processors of the census.
func (a *onLattice) sumShell(at [3]int, distance int) {
	b := &a.branch
	b.shell = b.shell[:0]
	for dz := -min(distance, a.reach[2].down); dz <= min(distance, a.reach[2].up); dz++ {
		plane := distance - max(dz, -dz)
		z, sumZ := a.shifted(2, at[2], dz), b.sumAt(a, 2, dz)
		for dy := -min(plane, a.reach[1].down); dy <= min(plane, a.reach[1].up); dy++ {
			dx := plane - max(dy, -dy)
			row := a.free[int(a.node(0, a.shifted(1, at[1], dy), z)):][:a.Dims[0]]
			sum := sumZ + b.sumAt(a, 1, dy)
			if dx <= a.reach[0].down {
				for range row[a.shifted(0, at[0], -dx)] {
					b.shell = append(b.shell, sum+b.sumAt(a, 0, -dx))
				}
			}
			if dx > 0 && dx <= a.reach[0].up {
				for range row[a.shifted(0, at[0], dx)] {
					b.shell = append(b.shell, sum+b.sumAt(a, 0, dx))
				}
			}
		}
	}
}

// sumAt returns the sum of the distances along a dimension to the processors of the census from a
// coordinate some steps from the center.
func (b *branch) sumAt(a *onLattice, d, by int) int {
	return b.sums[d][a.shifted(d, b.middle[d],
		by)]
}

// leastSum returns the sum of the least values, so many of them. It changes their order.
func leastSum(values []int, many int) int {
	sum := 0
	for many > 0 && many < len(values) {
		pivot := middleOf(values[0], values[len(values)/2], values[len(values)-1])
		less, more := 0, len(values)
		for i := 0; i < more; {
			switch v := values[i]; {
			case v < pivot:
				values[i], values[less] = values[less], v
				less++
				i++
			case v > pivot:
				more--
				values[i], values[more] = values[more], v
			default:
				i++
			}
		}
		if many <= less {
			values = values[:less]
			continue
		}
		for _, v := range values[:less] {
			sum += v
		}
		equal := min(many, more) - less
		sum, many, values = sum+equal*pivot, many-less-equal, values[more:]
	}
	for _, v := range values[:many] {
		sum += v
	}
	return sum
}

func middleOf(a, b, c int) int { return max(min(a, b), min(max(a, b), c)) }
