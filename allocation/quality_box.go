package allocation

import "contend/router/topology"

// boxMeter measures boxes and distances on a mesh, torus or hypercube. Both follow from
// the number of nodes at each coordinate.
type boxMeter struct {
	*cubeMeter
	carried   []int // processors on each router of a row, by the coordinate along the last dimension
	perRouter int   // greatest of carried
	extends   int   // number of dimensions with more than one router
}

// newBoxMeter returns the meter of boxes on a mesh or torus.
func newBoxMeter(cube *topology.Cube) *boxMeter {
	m, dims := &boxMeter{cubeMeter: newCubeMeter(cube)}, cube.Dims()
	for _, n := range dims {
		if n > 1 {
			m.extends++
		}
	}
	last := dims[len(dims)-1]
	for row := range last {
		_, n := cube.NodesAt(topology.Router(row * (cube.Routers() / last)))
		m.carried = append(m.carried, n)
		m.perRouter = max(m.perRouter, n)
	}
	return m
}

// measure sets the fields of q that follow from the coordinates of the nodes.
func (m *boxMeter) measure(q *Quality, nodes []topology.Node) {
	m.count(nodes)
	q.PairwiseSum = m.sum(len(nodes))
	q.Sides, q.Box = [3]int{1, 1, 1}, 1
	longest := 0
	for d, counts := range m.counts {
		first, side := 0, 0
		if m.wrap[d] {
			first, side = arc(counts)
		} else {
			first, side = extent(counts)
		}
		if d < len(q.Sides) {
			q.Sides[d] = side
		}
		q.SideSum += side
		longest = max(longest, side)
		if d < len(m.counts)-1 {
			q.Box *= side
		} else {
			q.Box *= m.processors(first, side)
		}
	}
	q.Cube = float64(m.perRouter)
	for range m.extends {
		q.Cube *= float64(longest)
	}
	q.CubeRatio = m.cubeRatio(longest, len(nodes))
	q.Dispersal = float64(q.Box-len(nodes)) / float64(q.Box)
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
}

// processors adds up the processors per router over some rows, from the given first
// one.
func (m *boxMeter) processors(first, rows int) int {
	sum := 0
	for i := range rows {
		sum += m.carried[(first+i)%len(m.carried)]
	}
	return sum
}

// cubeRatio compares the cube of a side with the smallest one that holds a number of
// processors.
func (m *boxMeter) cubeRatio(side, processors int) float64 {
	cubeSide := 1
	for power(cubeSide, m.extends)*m.perRouter < processors {
		cubeSide++
	}
	ratio := 1.0
	for range m.extends {
		ratio *= float64(side) / float64(cubeSide)
	}
	return ratio
}

// power returns x to the n.
func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// extent returns the first coordinate that has a node and the length of the interval up to the
// last one.
func extent(counts []int32) (first, length int) {
	last := len(counts) - 1
	for counts[first] == 0 {
		first++
	}
	for counts[last] == 0 {
		last--
	}
	return first, last - first + 1
}

// arc returns the shortest arc of a ring that contains all nodes: the ring without its
// longest gap. Among equals it is the arc that begins first.
func arc(counts []int32) (first, length int) {
	gap, longest := 0, -1
	for i := range 2 * len(counts) {
		if counts[i%len(counts)] == 0 {
			gap++
			continue
		}
		if i >= len(counts) && gap > longest { // in the second round every gap is complete
			first, longest = i-len(counts), gap
		}
		gap = 0
	}
	return first, len(counts) - longest
}

// LineDistances returns the sum of the distances of all pairs on a line. Each step from
// one coordinate to the next counts for the pairs that it separates.
func LineDistances(counts []int32, nodes int) int64 {
	sum, below := int64(0), int64(0)
	for _, n := range counts {
		below += int64(n)
		sum += below * (int64(nodes) - below)
	}
	return sum
}

// RingDistances returns the sum of the distances of all pairs on a ring, the shorter
// way round. Of the arcs that are half the ring long, rounded down, 2d separate two
// places at distance d.
func RingDistances(counts []int32, nodes int) int64 {
	half, inside, sum := len(counts)/2, int64(0), int64(0)
	for _, n := range counts[:half] {
		inside += int64(n)
	}
	for i, n := range counts {
		sum += inside * (int64(nodes) - inside)
		inside += int64(counts[(i+half)%len(counts)]) - int64(n)
	}
	return sum / 2
}
