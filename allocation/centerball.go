package allocation

// reach is the extent of the machine from a center along a dimension, each way. A ring
// is cut opposite to the center.
type reach struct{ down, up int }

func (a *median) setReach(at [3]int) {
	for d, x := range at {
		n := a.dims[d]
		a.reach[d] = reach{x, n - 1 - x}
		if a.wrap[d] {
			a.reach[d] = reach{(n - 1) / 2, n / 2}
		}
	}
}

// fill sets the census to the free processors nearer to a center than radius and
// returns their number.
func (a *median) fill(at [3]int, radius int) int {
	a.census.clear()
	if a.plane != nil {
		return a.plane.fill(&a.census, at[0], at[1], radius)
	}
	found, far := int32(0), radius-1
	for dz := -min(far, a.reach[2].down); dz <= min(far, a.reach[2].up); dz++ {
		z := a.shifted(2, at[2], dz)
		plane, inPlane := far-max(dz, -dz), int32(0)
		for dy := -min(plane, a.reach[1].down); dy <= min(plane, a.reach[1].up); dy++ {
			y := a.shifted(1, at[1], dy)
			from, to := a.within(0, at[0]-plane+max(dy, -dy), at[0]+plane-max(dy, -dy))
			row := a.lines.row(y, z)
			n := row[to] - row[from]
			a.census[1][y] += n
			inPlane += n
		}
		for dx := -min(plane, a.reach[0].down); dx <= min(plane, a.reach[0].up); dx++ {
			x := a.shifted(0, at[0], dx)
			from, to := a.within(1, at[1]-plane+max(dx, -dx), at[1]+plane-max(dx, -dx))
			column := a.lines.column(x, z)
			a.census[0][x] += column[to] - column[from]
		}
		a.census[2][z] += inPlane
		found += inPlane
	}
	return int(found)
}

// holds reports whether a ball around a place has so many free processors.
func (a *median) holds(at [3]int, radius, size int) bool {
	found := int32(0)
	for dz := -min(radius, a.reach[2].down); dz <= min(radius, a.reach[2].up); dz++ {
		z := a.shifted(2, at[2], dz)
		plane := radius - max(dz, -dz)
		for dy := -min(plane, a.reach[1].down); dy <= min(plane, a.reach[1].up); dy++ {
			from, to := a.within(0, at[0]-plane+max(dy, -dy), at[0]+plane-max(dy, -dy))
			row := a.lines.row(a.shifted(1, at[1], dy), z)
			found += row[to] - row[from]
		}
	}
	return int(found) >= size
}

// gatherShell collects all free processors at a distance from a center.
func (a *median) gatherShell(at [3]int, distance int) {
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
func (a *median) shifted(d, x, by int) int {
	n := a.dims[d]
	if x += by; x < 0 {
		return x + n
	} else if x >= n {
		return x - n
	}
	return x
}

func (a *median) take(p [3]int) {
	if n := a.node(p[0], p[1], p[2]); a.free[n] {
		a.taken = append(a.taken, n)
		a.census.add(p)
	}
}
