package center

// distanceSums holds sums of distances to a set of nodes: sums[d][x] is the sum of the
// distances of coordinate x to the nodes' own coordinates along dimension d. L1
// distances add up over dimensions, so three of these sums give the distances of a
// place to all nodes.
type distanceSums [3][]int

func newDistanceSums(l *Lattice) distanceSums {
	var s distanceSums
	for d, n := range l.Dims {
		s[d] = make([]int, n)
	}
	return s
}

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

// of returns the sum of the distances of a place to all nodes.
func (s *distanceSums) of(p [3]int) int { return s[0][p[0]] + s[1][p[1]] + s[2][p[2]] }

// load sets the sums to those of the nodes of a census.
func (s *distanceSums) load(l *Lattice, c *Census) {
	for d, sums := range s {
		if l.Wrap[d] {
			loadRing(sums, c[d])
		} else {
			loadLine(sums, c[d])
		}
	}
}

// loadLine steps from one coordinate to the next. A step increases the distance of each
// node behind by one and decreases that of each node ahead by one.
func loadLine(sums []int, counts []int32) {
	sum, behind, ahead := 0, 0, 0
	for x, n := range counts {
		sum += x * int(n)
		ahead += int(n)
	}
	for x, n := range counts {
		sums[x] = sum
		behind, ahead = behind+int(n), ahead-int(n)
		sum += behind - ahead
	}
}

// loadRing steps like loadLine. A step brings those up to half the ring ahead nearer, and takes
// those behind farther. On a ring of odd length one coordinate stays as far.
func loadRing(sums []int, counts []int32) {
	n := len(counts)
	half := n / 2
	beyond := half + 1 + n%2 // steps ahead to the first coordinate that counts as behind
	sum, ahead, behind := 0, 0, int(counts[0])
	for x, c := range counts {
		sum += min(x, n-x) * int(c)
		if x > 0 && x <= half {
			ahead += int(c)
		}
		if x >= beyond {
			behind += int(c)
		}
	}
	for x := range sums {
		sums[x] = sum
		sum += behind - ahead
		next := int(counts[(x+1)%n])
		ahead += int(counts[(x+1+half)%n]) - next
		behind += next - int(counts[(x+beyond)%n])
	}
}
