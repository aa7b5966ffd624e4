package allocation

import (
	"slices"

	"contend/router/topology"
)

// Rows is Distances with working memory of one allocator.
type Rows struct {
	*Distances
	counted []uint16 // a row, where there is no table

	// routers are those of the homes, and hops are from one to all routers, for a
	// topology.RowMetric. With all, every router is a home, in the same order.
	routers []topology.Router
	hops    []uint16
	all     bool
}

// NewRows returns the distances on a machine for one allocator.
func NewRows(machine topology.Topology) (*Rows, error) {
	d, err := NewDistances(machine)
	if err != nil {
		return nil, err
	}
	return d.rows(), nil
}

// rows returns distances for one allocator.
func (d *Distances) rows() *Rows {
	k := &Rows{Distances: d}
	if d.count == nil {
		return k
	}
	k.counted = make([]uint16, d.Homes)
	if m, ok := d.count.(topology.RowMetric); ok {
		for _, n := range d.first {
			r, _ := m.Attach(n)
			k.routers = append(k.routers, r)
		}
		k.hops = make([]uint16, m.Routers())
		k.all = len(k.routers) == len(k.hops) && slices.IsSorted(k.routers)
	}
	return k
}

// Row returns the hops from a home to all others. They are valid until the next call.
func (d *Rows) Row(from int32) []uint16 {
	if d.table != nil {
		return d.table[int(from)*d.Homes : (int(from)+1)*d.Homes]
	}
	switch m := d.count.(type) {
	case *topology.Tree:
		d.onTree(m.FatTree, from)
	case *topology.FatTree:
		d.onTree(m, from)
	case topology.RowMetric:
		m.HopsFrom(d.routers[from], d.hops)
		if d.all {
			return d.hops
		}
		for to, r := range d.routers {
			d.counted[to] = d.hops[r]
		}
	default:
		for to, n := range d.first {
			d.counted[to] = uint16(m.Distance(d.first[from], n))
		}
	}
	return d.counted
}

// between returns the hops from one home to another, where there is no table.
func (d *Rows) between(a, b int32) int { return d.count.Distance(d.first[a], d.first[b]) }

// onTree counts the hops from a home of a tree to all others.
func (d *Rows) onTree(tree *topology.FatTree, from int32) {
	for level := tree.Levels() - 1; level >= 0; level-- {
		below := tree.Span(level) / tree.Span(0) // homes under a router of the level
		first := int(from) / below * below
		within := d.counted[first:min(first+below, d.Homes)]
		for i := range within {
			within[i] = uint16(2 * level)
		}
	}
}
