package center

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
func (b *branch) sumAt(a *onLattice, d, by int) int { return b.sums[d][a.shifted(d, b.middle[d], by)] }

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
