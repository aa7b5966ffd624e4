package allocation

import (
	"math/bits"

	"contend/router/topology"
)

// pairMeter adds up distances on a machine without coordinates.
type pairMeter struct {
	distances *Rows
	counts    []int64 // number of nodes of the allocation at each home
	homes     []int32 // homes that have any
}

// newPairMeter returns a meter that reads distances from rows.
func newPairMeter(d *Rows) *pairMeter {
	return &pairMeter{d, make([]int64, d.Homes), make([]int32, 0, d.Homes)}
}

// fewHomes is up to how many homes single distances take less time than whole rows, where
// there is no table.
const fewHomes = 64

// Sum returns the sum of the distances of all pairs of nodes.
func (m *pairMeter) Sum(nodes []topology.Node) int64 {
	m.homes = m.homes[:0]
	for _, n := range nodes {
		home := m.distances.Home[n]
		if m.counts[home]++; m.counts[home] == 1 {
			m.homes = append(m.homes, home)
		}
	}
	sum := int64(0)
	single := m.distances.count != nil && len(m.homes) <= fewHomes
	for i, a := range m.homes {
		if single {
			for _, b := range m.homes[:i] {
				sum += m.counts[a] * m.counts[b] * int64(m.distances.between(a, b))
			}
			continue
		}
		row := m.distances.Row(a)
		for _, b := range m.homes[:i] {
			sum += m.counts[a] * m.counts[b] * int64(row[b])
		}
	}
	for _, home := range m.homes {
		m.counts[home] = 0
	}
	return sum
}

// spanMeter measures the span of a set of nodes in an order.
type spanMeter struct {
	rank  []int32  // rank of each node
	words []uint64 // ranks of the allocation
}

// newSpanMeter returns the meter of spans along an order.
func newSpanMeter(order []topology.Node) *spanMeter {
	m := &spanMeter{make([]int32, len(order)), make([]uint64, (len(order)+63)/64)}
	for rank, n := range order {
		m.rank[n] = int32(rank)
	}
	return m
}

// measure returns the spans of the nodes on a line and on a ring. The span on a ring
// excludes the largest gap of consecutive ranks [Leung et al. 2002, sec. 2.3].
func (m *spanMeter) measure(nodes []topology.Node) (linear, ring int) {
	clear(m.words)
	for _, n := range nodes {
		m.words[m.rank[n]>>6] |= 1 << (m.rank[n] & 63)
	}
	first, last, gap := -1, -1, 0
	for w, word := range m.words {
		for ; word != 0; word &= word - 1 {
			rank := w<<6 + bits.TrailingZeros64(word)
			if first < 0 {
				first = rank
			} else {
				gap = max(gap, rank-last-1)
			}
			last = rank
		}
	}
	all := len(m.rank)
	return last - first + 1, all - max(gap, all-1-last+first)
}
