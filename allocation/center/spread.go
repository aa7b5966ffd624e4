package center

// leastWithShell returns a lower bound of the score of a center whose inner processors and shell
// are known: no others have less distance to the inner ones than those with the least sums, and
// no set of as many processors of a shell lies closer together than spread says.
func (a *median) leastWithShell() int64 {
	b := &a.branch
	others := b.size - b.inner
	return b.within + int64(leastSum(b.shell, others)) + b.spread.apart(&a.Lattice, a.radius, others,
		a.most)
}

// sumShell lists for each free processor at a distance from a center the sum of its distances to
// the processors of the census.
func (a *median) sumShell(at [3]int, distance int) {
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
func (b *branch) sumAt(a *median, d, by int) int { return b.sums[d][a.shifted(d, b.middle[d], by)] }

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

// widestSpread is the greatest radius of a shell whose places are counted. Larger ones would take
// long.
const widestSpread = 32

// spread says how far apart places of a shell are at least, which are equally far from a center.
// Two of them lie an even distance apart, but across the ends of a ring.
type spread struct {
	dimensions int
	near       [][]int // for each radius, the places within 0, 2, 4, ... of one of them, at most
}

// apart returns a lower bound of the sum of pairwise distances of some nodes of a shell, of which
// at most so many are at one place. On a ring the count of places holds for distances that do not
// reach around it.
func (s *spread) apart(l *Lattice, radius, nodes, most int) int64 {
	if radius > widestSpread || nodes <= most {
		return 0
	}
	for len(s.near) <= radius {
		s.near = append(s.near, nearestInShell(len(s.near), s.dimensions))
	}
	around := 2*radius + 1
	for d := range l.Dimensions {
		if l.Wrap[d] {
			around = min(around, l.Dims[d]-2*radius)
		}
	}
	near, rest, sum := s.near[radius], nodes-most, 0
	for i := 1; rest > 0; i++ {
		if 2*i >= around {
			sum += rest * max(0, 2*i-1)
			break
		}
		n := min(rest, most*(near[i]-near[i-1]))
		sum, rest = sum+n*2*i, rest-n
	}
	return int64(nodes) * int64(sum) / 2
}

// nearestInShell counts, for one place of a shell on a mesh without end, the places of the shell
// within 0, 2, 4, ... of it, where they are most.
func nearestInShell(radius, dimensions int) []int {
	shell, most := placesAt(radius, dimensions), make([]int, radius+1)
	for _, p := range shell {
		if p[0] < p[1] || p[1] < p[2] || p[2] < 0 {
			continue // as another one, mirrored
		}
		counts := make([]int, radius+1)
		for _, q := range shell {
			counts[(gap(p[0], q[0])+gap(p[1], q[1])+gap(p[2], q[2]))/2]++
		}
		within := 0
		for i, n := range counts {
			within += n
			most[i] = max(most[i], within)
		}
	}
	return most
}

// placesAt returns the places at a distance from the origin of a mesh without end.
func placesAt(radius, dimensions int) (places [][3]int) {
	for x := -radius; x <= radius; x++ {
		for y := gap(x, 0) - radius; y <= radius-gap(x, 0); y++ {
			z := radius - gap(x, 0) - gap(y, 0)
			if dimensions < 2 && y != 0 || dimensions < 3 && z != 0 {
				continue
			}
			places = append(places, [3]int{x, y, z})
			if z > 0 {
				places = append(places, [3]int{x, y, -z})
			}
		}
	}
	return places
}
