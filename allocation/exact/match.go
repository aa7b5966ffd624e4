package exact

// conjugate returns a lower bound of the sum of distances between rows, given the
// counts of the columns so far and left processors for use more columns. It returns 0
// if rows wrap.
//
// Any j rows have at most as many processors as fit below height j in the columns. So
// the conjugate partition of the column counts majorizes the row counts (Gale and Ryser
// 1957). The j rows also leave at least one processor for each of the other rows.
// Moving a processor to a row with more processors brings it nearer to the others if
// the rows are in the best order. So the least sum belongs to the most concentrated
// counts in their best order: the largest in the middle and the others in turn to its
// right and left (Hardy, Littlewood, Polya, Inequalities, 1934, 10.4).
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

// concentrated returns the least sum of distances between size processors in a number of rows, each
// of which has at least one of them and at most maximum. As few rows as possible are full, the
// others have a single processor, and the rows are in the best order.
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

// match chooses free processors with the counts of all columns and rows and reports
// whether there are such. It solves a flow problem with augmenting paths.
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

// augment chooses one more processor of column i. It moves others within their columns
// if the row has enough.
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
