package center

// reach is the extent of the machine from a center along a dimension, each way. A ring
// is cut opposite to the center.
type reach struct{ down, up int }

func (a *onLattice) setReach(at [3]int) {
	for d, x := range at {
		n := a.Dims[d]
		a.reach[d] = reach{x, n - 1 - x}
		if a.Wrap[d] {
			a.reach[d] = reach{(n - 1) / 2, n / 2}
		}
	}
}

// fill sets the census to the free processors nearer to a center than radius and
// returns their number.
func (a *onLattice) fill(at [3]int, radius int) int {
	a.census.Clear()
	if a.plane != nil {
		return a.plane.fill(&a.census, at[0], at[1], radius)
	}
	found := int32(0)
	for dz := -min(radius-1, a.reach[2].down); dz <= min(radius-1, a.reach[2].up); dz++ {
		z, plane := a.shifted(2, at[2], dz), radius-1-max(dz, -dz)
		n := a.addLines(a.census[1], 0, at, z, plane)
		a.addLines(a.census[0], 1, at, z, plane)
		a.census[2][z] += n
		found += n
	}
	return int(found)
}

// addLines adds, to the counts of the rows of plane z, or with d 1 of its columns, the free
// processors of each within a radius of a center. It returns their number.
func (a *onLattice) addLines(counts []int32, d int, at [3]int, z, radius int) int32 {
	length, side, per := a.Dims[d], a.Dims[1-d], a.lines.per[d]
	lines, r := a.lines.below[d][z*side*per:][:side*per], a.reach[1-d].within(radius)
	widest := length - 1 // a line is as long, or on a ring goes around
	if a.Wrap[d] {
		widest /= 2
	}
	found, i, middle := int32(0), a.shifted(1-d, at[1-d], -r.down), length+at[d]
	for by := -r.down; by <= r.up; by++ {
		line, far := lines[i*per:][:per], radius-max(by, -by)
		n := int32(0)
		if far > widest {
			n = line[2*length] - line[length]
		} else {
			n = line[middle+far+1] - line[middle-far]
		}
		counts[i] += n
		found += n
		if i++; i == side {
			i = 0
		}
	}
	return found
}

// ballCount returns the number of free processors in a ball around a place.
func (a *onLattice) ballCount(at [3]int, radius int) int {
	found := int32(0)
	for dz := -min(radius, a.reach[2].down); dz <= min(radius, a.reach[2].up); dz++ {
		found += a.addLines(a.branch.line, 0, at, a.shifted(2, at[2], dz), radius-max(dz, -dz))
	}
	return int(found)
}

// gatherShell collects all free processors at a distance from a center.
func (a *onLattice) gatherShell(at [3]int, distance int) {
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
func (a *onLattice) shifted(d, x, by int) int {
	n := a.Dims[d]
	if x += by; x < 0 {
		return x + n
	} else if x >= n {
		return x - n
	}
	return x
}

func (a *onLattice) take(p [3]int) {
	n := a.node(p[0], p[1], p[2])
	for range a.free[n] {
		a.taken = append(a.taken, n)
		a.census.Add(p)
	}
}
