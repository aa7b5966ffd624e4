package allocation

// conjugate returns a lower bound of the sum of distances between rows, given
// the counts of all columns; 0 where rows wrap.
//
// Any j rows have at most as many processors as fit below height j in the
// columns, so the counts of rows are majorized by the conjugate partition of
// those of the columns (Gale and Ryser 1957). Moving a processor to a row that
// has more, the rows being in the best order, brings it nearer to the others.
// So no counts have less than the conjugate partition in its best order, the
// largest in the middle and the others in turn to the right and left of it
// (Hardy, Littlewood, Polya, Inequalities, 1934, 10.4).
func (m *margins) conjugate() int64 {
	if m.ring[1] > 0 {
		return 0
	}
	// Row j is on the right of the middle where j is odd; between it and the
	// row before it on that side is a cut, with it and all further ones beyond.
	sum, beyond := int64(0), [2]int64{}
	for j := m.used[1] - 1; j > 0; j-- {
		n := int64(0)
		for _, count := range m.counts[0] {
			if int(count) > j {
				n++
			}
		}
		beyond[j&1] += n
		sum += beyond[j&1] * (int64(m.size) - beyond[j&1])
	}
	return sum
}

// match tells whether free processors can be chosen with the counts of all
// columns and rows, and chooses them: a flow, by augmenting paths.
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

// augment chooses one more processor of column i, moving others within their
// columns where the row has enough.
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
