package exact

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/router/topology"
)

// margins finds the free processors of a plane, mesh or torus, with the least sum of pairwise L1
// distances. The sum depends only on the number of processors in each column and in each row, so
// the search is over these counts. It first chooses the numbers of columns and rows in use, then
// the count of each column, then the count of each row. Finally it checks whether the free
// processors admit these counts.
//
// The lower bound of a partly assigned axis has three parts: its own sum, the minimum sum of
// distances of the rest to it, and the minimum sum among the rest (a window, see window.cluster, or
// the most concentrated counts in the best order). The bound of the other axis is the minimum sum
// in which no row has more processors than columns are in use. Once the counts of the columns are
// known, they bound the other axis too.
type margins struct {
	*center.Lattice
	bound  *bound
	axis   [2]int // the dimensions of the plane
	length [2]int
	ring   [2]int     // length if the axis wraps, otherwise 0
	free   []bool     // free[i*length[1]+j]: the processor of column i and row j
	room   [2][]int32 // greatest number of processors in a column or row
	counts [2][]int32 // processors assigned to each column or row
	sums   [2][]int64 // sums of distances of a coordinate to all assigned processors
	used   [2]int     // number of columns and rows to use
	other  int64      // minimum sum of the other axis
	line   window     // memory of minAmongRest
	size   int        // of the job

	order   []int64 // memory of minToAssigned
	chosen  []bool  // processors that match has chosen, indexed as free
	lacking []int32 // by row: processors that match has still to choose
	visited []bool  // by row: augment has tried it
	best    []bool  // processors of the best set, indexed as free
}

// newMargins returns a search in the plane of two dimensions.
func newMargins(l *center.Lattice, first, second int) *margins {
	m := &margins{Lattice: l, axis: [2]int{first, second}}
	for side, d := range m.axis {
		n := l.Dims[d]
		m.length[side] = n
		if l.Wrap[d] {
			m.ring[side] = n
		}
		m.room[side] = make([]int32, n)
		m.counts[side] = make([]int32, n)
		m.sums[side] = make([]int64, n)
	}
	cells := m.length[0] * m.length[1]
	m.free, m.chosen, m.best = make([]bool, cells), make([]bool, cells), make([]bool, cells)
	m.lacking, m.visited = make([]int32, m.length[1]), make([]bool, m.length[1])
	m.line, m.order = newWindow(cells), make([]int64, 0, max(m.length[0], m.length[1]))
	return m
}

// search appends a set with the least sum below that of b, in node order. It appends nothing if
// there is none.
func (m *margins) search(dst []topology.Node, free *allocation.FreeSet, size int,
	b *bound) []topology.Node {
	m.bound, m.size = b, size
	m.load(free)
	start := b.minSum
	for columns := 1; columns <= m.length[0]; columns++ {
		for rows := (size + columns - 1) / columns; rows <= m.length[1]; rows++ {
			m.used = [2]int{columns, rows}
			m.setRoom(0, true)
			m.setRoom(1, true)
			m.other = m.minAmongRest(1, 0, size, rows)
			m.assign(0, 0, size, columns, 0)
		}
	}
	if b.minSum == start {
		return dst
	}
	for n := range topology.Node(m.Nodes()) {
		p := m.Coordinates(n)
		if m.best[p[m.axis[0]]*m.length[1]+p[m.axis[1]]] {
			dst = append(dst, n)
		}
	}
	return dst
}

// load sets free, and clears the sums and counts of both axes.
func (m *margins) load(free *allocation.FreeSet) {
	for n := range topology.Node(m.Nodes()) {
		p := m.Coordinates(n)
		m.free[p[m.axis[0]]*m.length[1]+p[m.axis[1]]] = free.Free(n)
	}
	for side := range 2 {
		clear(m.sums[side])
		clear(m.counts[side])
	}
}

// setRoom sets the greatest number of processors of each column (side 0) or row (side
// 1). It counts the free ones: for rows in all columns, or only in columns in use. It
// is at most the number of rows or columns used.
func (m *margins) setRoom(side int, all bool) {
	room := m.room[side]
	clear(room)
	for i, n := range m.counts[0] {
		if !all && n == 0 {
			continue
		}
		for j, free := range m.free[i*m.length[1] : (i+1)*m.length[1]] {
			if free && side == 0 {
				room[i]++
			} else if free {
				room[j]++
			}
		}
	}
	for x := range room {
		room[x] = min(room[x], int32(m.used[1-side]))
	}
}

// assign distributes the remaining processors over exactly use of the columns or rows from x on.
// sum is the sum of the columns or rows before.
func (m *margins) assign(side, x, left, use int, sum int64) {
	if !m.bound.step() {
		return
	}
	if left == 0 {
		if use == 0 {
			m.continueOther(side, sum)
		}
		return
	}
	room := m.room[side]
	if use == 0 || left < use || len(room)-x < use || !m.promising(side, x, left, use, sum) {
		return
	}
	for n := min(int(room[x]), left-use+1); n >= 0; n-- {
		if n == 0 {
			m.assign(side, x+1, left, use, sum)
			return
		}
		m.addCount(side, x, n)
		m.assign(side, x+1, left-n, use-1, sum+int64(n)*m.sums[side][x])
		m.addCount(side, x, -n)
	}
}

// addCount adds n to the count of a column or row, and the distances to it to the sums.
func (m *margins) addCount(side, x, n int) {
	m.counts[side][x] += int32(n)
	for y := range m.sums[side] {
		m.sums[side][y] += int64(n) * int64(m.Along(m.axis[side], x, y))
	}
}

// promising reports whether the columns or rows from x on could take the rest such that the total
// is below the lowest so far.
func (m *margins) promising(side, x, left, use int, sum int64) bool {
	sum += m.minAmongRest(side, x, left, use) +
		m.minToAssigned(m.room[side][x:], m.sums[side][x:], left)
	if sum+m.other >= m.bound.minSum {
		return false
	}
	return side == 1 || sum+m.conjugate(left, use) < m.bound.minSum
}

// minAmongRest returns a lower bound of the sum of distances among the remaining processors, in
// exactly use columns or rows from x on.
func (m *margins) minAmongRest(side, x, left, use int) int64 {
	if m.ring[side] > 0 {
		return m.line.minSum(m.room[side][x:], left, m.ring[side])
	}
	return max(m.line.minSum(m.room[side][x:], left, 0), concentrated(left, use, m.used[1-side]))
}

// minToAssigned returns the minimum sum of distances of the remaining processors to the assigned
// ones.
func (m *margins) minToAssigned(room []int32, sums []int64, left int) int64 {
	m.order = m.order[:0]
	for x, n := range room {
		if n > 0 {
			m.order = append(m.order, sums[x]<<16|int64(x))
		}
	}
	slices.Sort(m.order) // already in order if the axis does not wrap
	total := int64(0)
	for _, key := range m.order {
		n := min(int(room[key&0xffff]), left)
		total += int64(n) * (key >> 16)
		if left -= n; left == 0 {
			return total
		}
	}
	return math.MaxInt64 / 4
}

// continueOther continues the search when an axis is assigned: with the rows after the columns, and
// with the choice of processors after the rows.
func (m *margins) continueOther(side int, sum int64) {
	if side == 1 {
		if sum+m.other < m.bound.minSum && m.match() {
			m.bound.minSum = sum + m.other
			copy(m.best, m.chosen)
		}
		return
	}
	if sum+m.conjugate(0, 0) >= m.bound.minSum {
		return
	}
	other := m.other
	m.other = sum
	m.setRoom(1, false)
	m.assign(1, 0, m.size, m.used[1], 0)
	m.other = other
}

// conjugate returns a lower bound of the sum of distances between rows, given the
// counts of the columns so far and left processors for use more columns. It returns 0
// if rows wrap.
//
// Any j rows have at most the number of processors that fit below height j in the columns. So the
// conjugate partition of the column counts majorizes the row counts (Gale and Ryser 1957). The j
// rows also leave at least one processor for each of the other rows. Moving a processor to a row
// with more processors brings it nearer to the others if the rows are in the best order. So the
// most concentrated counts in their best order have the minimum sum: the largest in the middle and
// the others in turn to its right and left (Hardy, Littlewood, Polya, Inequalities, 1934, 10.4).
func (m *margins) conjugate(left, use int) int64 {
	if m.ring[1] > 0 {
		return 0
	}
	p := pipe{size: int64(m.size)}
	below := m.size // of all rows up to the current one
	for j := m.used[1] - 1; j > 0; j-- {
		maximum := min(left, use*j)
		for _, count := range m.counts[0] {
			maximum += min(int(count), j)
		}
		maximum = min(maximum, m.size-(m.used[1]-j))
		p.add(j, int64(below-maximum))
		below = maximum
	}
	return p.sum
}

// concentrated returns the minimum sum of distances between size processors in a number of rows,
// each with at least one and at most maximum processors. The minimum has as many full rows as
// possible, single processors in the others, and the rows in the best order.
func concentrated(size, rows, maximum int) int64 {
	p := pipe{size: int64(size)}
	for j := rows - 1; j > 0; j-- {
		// Rows 0 to j-1 are full if enough processors remain for all later rows.
		p.add(j, int64(max(1, min(maximum, size-j*maximum-(rows-1-j)))))
	}
	return p.sum
}

// pipe adds up distances between rows laid out like organ pipes: row 0 in the middle,
// row 1 to its right, row 2 to its left, row 3 to the right of row 1, and so on.
type pipe struct {
	size, sum int64
	beyond    [2]int64
}

// add adds the count of a row, from the last one to row 1. The cut between it and the
// previous row on its side has this row and all further ones beyond.
func (p *pipe) add(row int, count int64) {
	side := row & 1
	p.beyond[side] += count
	p.sum += p.beyond[side] * (p.size - p.beyond[side])
}

// match chooses free processors with the counts of all columns and rows, and reports whether such a
// choice exists. It solves a flow problem with augmenting paths.
func (m *margins) match() bool {
	clear(m.chosen)
	copy(m.lacking, m.counts[1])
	for i, count := range m.counts[0] {
		for range count {
			clear(m.visited)
			if !m.augment(i) {
				return false
			}
		}
	}
	return true
}

// augment chooses one more processor of column i. If a row has enough processors it moves one of
// them to another row of its column.
func (m *margins) augment(i int) bool {
	first := i * m.length[1]
	for j, free := range m.free[first : first+m.length[1]] {
		if !free || m.chosen[first+j] || m.visited[j] {
			continue
		}
		m.visited[j] = true
		if m.lacking[j] > 0 {
			m.lacking[j]--
			m.chosen[first+j] = true
			return true
		}
		if m.counts[1][j] == 0 {
			continue
		}
		for k := range m.counts[0] {
			at := k*m.length[1] + j
			if !m.chosen[at] || k == i {
				continue
			}
			if m.augment(k) {
				m.chosen[at] = false
				m.chosen[first+j] = true
				return true
			}
		}
	}
	return false
}
