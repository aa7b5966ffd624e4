package allocation

// distanceSums holds sums of distances to a set of nodes: sums[d][x] is the sum of the
// distances of coordinate x to the nodes' own coordinates along dimension d. L1
// distances add up over dimensions, so three of these sums give the distances of a
// place to all nodes.
type distanceSums [3][]int

func newDistanceSums(l *lattice) distanceSums {
	var s distanceSums
	for d, n := range l.dims {
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
func (s *distanceSums) add(l *lattice, at [3]int, sign int) {
	for d, sums := range s {
		for x := range sums {
			sums[x] += sign * l.along(d, x, at[d])
		}
	}
}

// of returns the sum of the distances of a place to all nodes.
func (s *distanceSums) of(p [3]int) int { return s[0][p[0]] + s[1][p[1]] + s[2][p[2]] }

// load sets the sums to those of the nodes of a census.
func (s *distanceSums) load(l *lattice, c *census) {
	for d, sums := range s {
		if l.wrap[d] {
			loadRing(l, d, sums, c[d])
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

func loadRing(l *lattice, d int, sums []int, counts []int32) {
	clear(sums)
	for at, n := range counts {
		if n == 0 {
			continue
		}
		for x := range sums {
			sums[x] += int(n) * l.along(d, x, at)
		}
	}
}
