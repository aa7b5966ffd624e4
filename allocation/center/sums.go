package center

// distanceSums holds sums of distances to a set of places: sums[d][x] is the sum of the
// distances of coordinate x to those of the places along dimension d. L1 distances add up over
// dimensions, so three of these sums give the distances of a place to all.
type distanceSums [3][]int

// newDistanceSums returns sums over no places.
func newDistanceSums(l *Lattice) distanceSums {
	var s distanceSums
	for d, n := range l.Dims {
		s[d] = make([]int, n)
	}
	return s
}

// clear sets the sums to those over no places.
func (s *distanceSums) clear() {
	for _, sums := range s {
		clear(sums)
	}
}

// add adds the distances to one more place, multiplied by a sign.
func (s *distanceSums) add(l *Lattice, at [3]int, sign int) {
	for d, sums := range s {
		for x := range sums {
			sums[x] += sign * l.Along(d, x, at[d])
		}
	}
}

// of returns the sum of the distances of a place to all.
func (s *distanceSums) of(p [3]int) int { return s[0][p[0]] + s[1][p[1]] + s[2][p[2]] }
