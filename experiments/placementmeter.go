package experiments

import (
	"contend/allocation"
	"contend/netsim/topology"
)

// placementMeter measures placements, for the metrics of jobs and for the
// answers of contend allocate alike.
type placementMeter struct {
	meter *allocation.Meter     // nil on machines it does not measure
	tree  *allocation.TreeMeter // on trees
	dims  int                   // of a grid
}

// placed is the quality of one placement. Distances, components and levels are
// those of the nodes in use, between which messages travel; box and spans those
// of all nodes others cannot have, as the figures of lo1994 Table 2 want it.
type placed struct {
	used, held allocation.Quality
	tree       allocation.TreeQuality
}

// newPlacementMeter returns a meter for a machine, spans being those along an
// order of its nodes, nil for none.
func newPlacementMeter(machine Machine, order []topology.Node) placementMeter {
	var m placementMeter
	var err error
	if m.meter, err = allocation.NewMeter(machine); err != nil {
		return placementMeter{} // too large for a table of distances
	}
	if order != nil {
		m.meter.Along(order)
	}
	if tree, err := allocation.NewTreeMeter(machine); err == nil {
		m.tree = tree
	}
	if cube, ok := machine.(*topology.Cube); ok {
		m.dims = len(cube.Dims())
	}
	return m
}

// measures reports whether the machine is one the meter measures.
func (m *placementMeter) measures() bool { return m.meter != nil }

// measure measures a placement of which the first nodes, so many, are in use
// and the others only kept from others.
func (m *placementMeter) measure(nodes []topology.Node, used int) (q placed) {
	q.used = m.meter.Measure(nodes[:used])
	q.held = q.used
	if len(nodes) > used {
		q.held = m.meter.Measure(nodes)
	}
	if m.tree != nil {
		q.tree = m.tree.Measure(nodes[:used])
	}
	return q
}

// defined reports whether a measure is one of the machine.
func (m *placementMeter) defined(on int) bool {
	switch on {
	case withBoxes:
		return m.meter.Boxes()
	case treesOnly:
		return m.tree != nil
	}
	return true
}
