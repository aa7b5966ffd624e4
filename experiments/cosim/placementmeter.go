package cosim

import (
	"contend/allocation"
	"contend/experiments/spec"
	"contend/netsim/topology"
)

// PlacementMeter measures placements, for the metrics of jobs and for the
// answers of contend allocate alike.
type PlacementMeter struct {
	meter *allocation.Meter     // nil on machines it does not measure
	tree  *allocation.TreeMeter // on trees
	Dims  int                   // of a grid
}

// placed is the quality of one placement. Distances, components and levels are
// those of the nodes in use, between which messages travel; box and spans those
// of all nodes others cannot have, as the figures of lo1994 Table 2 want it.
type PlacementQuality struct {
	Used, Held allocation.Quality
	Tree       allocation.TreeQuality
}

// NewPlacementMeter returns a meter for a machine, spans being those along an
// order of its nodes, nil for none.
func NewPlacementMeter(machine spec.Machine, order []topology.Node) PlacementMeter {
	var m PlacementMeter
	var err error
	if m.meter, err = allocation.NewMeter(machine); err != nil {
		return PlacementMeter{} // too large for a table of distances
	}
	if order != nil {
		m.meter.Along(order)
	}
	if tree, err := allocation.NewTreeMeter(machine); err == nil {
		m.tree = tree
	}
	if cube, ok := machine.(*topology.Cube); ok {
		m.Dims = len(cube.Dims())
	}
	return m
}

// Measures reports whether the machine is one the meter measures.
func (m *PlacementMeter) Measures() bool { return m.meter != nil }

// Measure measures a placement of which the first nodes, so many, are in use
// and the others only kept from others.
func (m *PlacementMeter) Measure(nodes []topology.Node, used int) (q PlacementQuality) {
	q.Used = m.meter.Measure(nodes[:used])
	q.Held = q.Used
	if len(nodes) > used {
		q.Held = m.meter.Measure(nodes)
	}
	if m.tree != nil {
		q.Tree = m.tree.Measure(nodes[:used])
	}
	return q
}

// Defined reports whether a measure is one of the machine.
func (m *PlacementMeter) Defined(on int) bool {
	switch on {
	case WithBoxes:
		return m.meter.Boxes()
	case TreesOnly:
		return m.tree != nil
	}
	return true
}
