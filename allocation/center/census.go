package center

import (
	"math"

	"contend/allocation"
	"contend/router/topology"
)

// census counts the inner processors by their coordinate in each dimension. The inner processors of
// a place and a radius are the free processors nearer to the place than the radius. L1 distances
// add up over dimensions, so sums of distances follow from these counts.
type census struct {
	*Lattice
	free  []int32 // free processors of each place
	lines segments

	middle [3]int      // the place
	radius int         // start of the search for the radius of the next place
	inner  int         // number of inner processors
	along  [3]interval // by dimension
}

// interval is the part of a dimension within the radius. It is a line, or the whole ring if two
// intervals of this length are longer than the ring.
type interval struct {
	down, up int // extents before and behind the place
	ring     bool
	counts   []int32 // inner processors at each coordinate
	sums     []int   // of the distances of each coordinate to all inner processors
	minSums  []int   // for each distance the lowest sum at that or a greater distance

	memory     []int32  // of counts
	sumsMemory [2][]int // of sums and minSums
}

// newCensus returns memory for counts on a lattice.
func newCensus(l *Lattice) census {
	c := census{Lattice: l, free: make([]int32, l.Nodes()), lines: newSegments(l)}
	for d, n := range l.Dims {
		c.along[d].memory = make([]int32, n)
		c.along[d].sumsMemory = [2][]int{make([]int, n), make([]int, n)}
	}
	return c
}

// extents returns the extents of a dimension before and behind a coordinate. A ring is cut opposite
// to the coordinate.
func (l *Lattice) extents(d, x int) (down, up int) {
	n := l.Dims[d]
	if l.Wrap[d] {
		return (n - 1) / 2, n / 2
	}
	return x, n - 1 - x
}

// count counts the inner processors of a place and a radius in all dimensions but the first, which
// countColumns adds.
func (c *census) count(at [3]int, radius int) {
	c.middle, c.radius, c.inner = at, radius, 0
	for d := range c.along {
		s := &c.along[d]
		s.down, s.up = c.extents(d, at[d])
		if s.ring = c.Wrap[d] && 4*radius > c.Dims[d]; !s.ring {
			s.down, s.up = min(s.down, radius), min(s.up, radius)
		}
		s.counts = s.memory[:s.down+s.up+1]
		clear(s.counts)
	}
	planes := &c.along[2]
	for dz := -min(radius-1, planes.down); dz <= min(radius-1, planes.up); dz++ {
		z, far := c.shifted(2, at[2], dz), radius-1-max(dz, -dz)
		n := c.addLines(0, z, far)
		planes.counts[planes.down+dz] = n
		c.inner += int(n)
	}
}

// countColumns counts the inner processors by their coordinate in the first dimension.
func (c *census) countColumns() {
	planes := &c.along[2]
	for dz := -min(c.radius-1, planes.down); dz <= min(c.radius-1, planes.up); dz++ {
		c.addLines(1, c.shifted(2, c.middle[2], dz), c.radius-1-max(dz, -dz))
	}
}

// addLines adds to the counts of the rows of plane z, or with d = 1 of its columns, the free
// processors of each within a radius. It returns their number.
func (c *census) addLines(d, z, radius int) int32 {
	length, side, per := c.Dims[d], c.Dims[1-d], c.lines.per[d]
	lines, s := c.lines.below[d][z*side*per:][:side*per], &c.along[1-d]
	first, last := -min(s.down, radius), min(s.up, radius)
	widest := length - 1 // a line is as long, or on a ring goes around
	if c.Wrap[d] {
		widest /= 2
	}
	found, i, middle := int32(0), c.shifted(1-d, c.middle[1-d], first), length+c.middle[d]
	for by := first; by <= last; by++ {
		line, far := lines[i*per:][:per], radius-max(by, -by)
		n := int32(0)
		if far > widest {
			n = line[2*length] - line[length]
		} else {
			n = line[middle+far+1] - line[middle-far]
		}
		s.counts[s.down+by] += n
		found += n
		if i++; i == side {
			i = 0
		}
	}
	return found
}

// pairs returns the sum of the pairwise distances of the counted processors; nodes is their number.
func (c *census) pairs(nodes int) (sum int64) {
	for d := range c.Dimensions {
		if s := &c.along[d]; s.ring {
			sum += allocation.RingDistances(s.counts, nodes)
		} else {
			sum += allocation.LineDistances(s.counts, nodes)
		}
	}
	return sum
}

// sumDistances sets sums and minSums of all dimensions.
func (c *census) sumDistances() {
	for d := range c.along {
		s := &c.along[d]
		s.sums = s.sumsMemory[0][:len(s.counts)]
		if s.ring {
			loadRing(s.sums, s.counts)
		} else {
			loadLine(s.sums, s.counts)
		}
		s.minSums = s.sumsMemory[1][:max(s.down, s.up)+1]
		minSum := math.MaxInt
		for i := len(s.minSums) - 1; i >= 0; i-- {
			if i <= s.down {
				minSum = min(minSum, s.sums[s.down-i])
			}
			if i <= s.up {
				minSum = min(minSum, s.sums[s.down+i])
			}
			s.minSums[i] = minSum
		}
	}
}

// nearestBeyond returns a lower bound of the sum of the distances from a place at the radius or
// beyond to the inner processors. Beyond the radius sums on a line only grow.
func (c *census) nearestBeyond() int {
	x, y, z := c.along[0].minSums, c.along[1].minSums, c.along[2].minSums
	minSum := math.MaxInt
	for k := range z {
		for j := range y {
			if i := max(0, c.radius-j-k); i < len(x) {
				minSum = min(minSum, x[i]+y[j]+z[k])
			}
		}
	}
	return minSum
}

// appendShell appends the places at a distance from the middle, each once for each of its free
// processors.
func (c *census) appendShell(dst []topology.Node, distance int) []topology.Node {
	x, y, z := &c.along[0], &c.along[1], &c.along[2]
	for dz := -min(distance, z.down); dz <= min(distance, z.up); dz++ {
		plane := distance - max(dz, -dz)
		for dy := -min(plane, y.down); dy <= min(plane, y.up); dy++ {
			dx := plane - max(dy, -dy)
			row := c.node(0, c.shifted(1, c.middle[1], dy), c.shifted(2, c.middle[2], dz))
			if dx <= x.down {
				dst = c.appendFree(dst, row+topology.Node(c.shifted(0, c.middle[0], -dx)))
			}
			if dx > 0 && dx <= x.up {
				dst = c.appendFree(dst, row+topology.Node(c.shifted(0, c.middle[0], dx)))
			}
		}
	}
	return dst
}

// appendFree appends a place once for each of its free processors.
func (c *census) appendFree(dst []topology.Node, n topology.Node) []topology.Node {
	for range c.free[n] {
		dst = append(dst, n)
	}
	return dst
}

// offset returns the index of a coordinate in its interval.
func (c *census) offset(d, x int) int {
	down, up := c.extents(d, c.middle[d])
	by := x - c.middle[d]
	if by > up {
		by -= c.Dims[d]
	} else if by < -down {
		by += c.Dims[d]
	}
	return c.along[d].down + by
}

// distancesTo returns the sum of the distances of a place to the inner processors.
func (c *census) distancesTo(n topology.Node) (sum int) {
	for d, x := range c.Coordinates(n) {
		sum += c.along[d].sums[c.offset(d, x)]
	}
	return sum
}

// include adds a processor to the counts.
func (c *census) include(n topology.Node) {
	for d, x := range c.Coordinates(n) {
		c.along[d].counts[c.offset(d, x)]++
	}
}

// shifted returns the coordinate by steps from x, around the end of a ring.
func (l *Lattice) shifted(d, x, by int) int {
	n := l.Dims[d]
	if x += by; x < 0 {
		return x + n
	} else if x >= n {
		return x - n
	}
	return x
}

// loadLine sets sums to the distances of each coordinate of a line to all nodes. A step from one
// coordinate to the next increases the distance of each
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

// loadRing is loadLine for a ring. A step decreases the distances of the nodes up to half the ring
// ahead and increases those of the nodes behind. On a ring of odd length the distance of one
// coordinate does not change.
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

// segments counts the free processors of an interval of a row or column in constant time, from
// running counts. A line has entries for three times its length, so that an interval around any
// place is contiguous: three copies of the line in a dimension that wraps, otherwise the line
// between places without processors.
type segments struct {
	*Lattice
	per [2]int // entries of a row and of a column
	// below[0] holds, row by row, the number of free processors before each entry; below[1]
	// column by column
	below [2][]int32
}

// newSegments returns memory for the running counts of a lattice.
func newSegments(l *Lattice) segments {
	s := segments{Lattice: l}
	for d := range s.per {
		s.per[d] = 3*l.Dims[d] + 1
		s.below[d] = make([]int32, l.Nodes()/l.Dims[d]*s.per[d])
	}
	return s
}

// load computes the running counts; free has the number of free processors of each place.
func (s *segments) load(free []int32) {
	for z := range s.Dims[2] {
		for y := range s.Dims[1] {
			s.loadLine(0, y+s.Dims[1]*z, free[s.node(0, y, z):], 1)
		}
		for x := range s.Dims[0] {
			s.loadLine(1, x+s.Dims[0]*z, free[s.node(x, 0, z):], s.Dims[0])
		}
	}
}

// loadLine counts the processors of a line whose places are a stride apart.
func (s *segments) loadLine(d, line int, free []int32, stride int) {
	n, below := s.Dims[d], s.below[d][line*s.per[d]:][:s.per[d]]
	before, all := below[n:2*n+1], int32(0)
	for i := range n {
		before[i] = all
		all += free[i*stride]
	}
	before[n] = all
	if !s.Wrap[d] {
		for i := range n {
			below[i], below[2*n+1+i] = 0, all
		}
		return
	}
	for i := range n {
		below[i], below[2*n+1+i] = before[i]-all, before[i+1]+all
	}
}

// distanceSums holds sums of distances to a set of places: sums[d][x] is the sum of the distances
// from coordinate x to the coordinates of the places in dimension d. L1 distances add up over
// dimensions, so three of these sums give the distances of a place to all places of the set.
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
