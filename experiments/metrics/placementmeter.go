package metrics

import (
	"contend/allocation"
	"contend/experiments/config"
	"contend/router/topology"
)

// PlacementMeter measures placements, for the metrics of jobs and for the answers of contend
// network.
type PlacementMeter struct {
	meter *allocation.Meter      // nil on machines without measures
	tree  *allocation.TreeMeter  // nil except on trees and fat trees
	group *allocation.GroupMeter // nil except on machines with groups
}

// PlacementQuality is the quality of one placement.
type PlacementQuality struct {
	// Used is the quality of the nodes in use, between which messages travel. Distances and
	// components come from it.
	Used allocation.Quality
	// Held is the quality of all nodes that other jobs cannot have. Boxes and spans come from
	// it, as in lo1994 Table 2.
	Held allocation.Quality
	// Tree is the quality of the nodes in use on a tree or a fat tree, zero on other
	// machines.
	Tree allocation.TreeQuality
	// Groups is the number of groups of routers that the nodes in use span, at least 1, or 0 on
	// machines without groups.
	Groups int
}

// NewPlacementMeter returns a meter for a machine. It measures spans along an order of the nodes
// of the machine. With a nil order, it measures them in row-major order. A machine too large
// for a table of distances has no measures; see Measure.
func NewPlacementMeter(t config.Machine, order []topology.Node) PlacementMeter {
	var m PlacementMeter
	var err error
	if m.meter, err = allocation.NewMeter(t); err != nil {
		return PlacementMeter{} // too large for a table of distances
	}
	if order != nil {
		m.meter.Along(order)
	}
	if tree, err := allocation.NewTreeMeter(t); err == nil {
		m.tree = tree
	}
	if group, err := allocation.NewGroupMeter(topology.Unwrap(t)); err == nil {
		m.group = group
	}
	return m
}

// Named returns the measures of a placement that are defined on the machine, by name.
func (m *PlacementMeter) Named(nodes []topology.Node, used int) map[string]float64 {
	q, named := m.Measure(nodes, used), map[string]float64{}
	for _, p := range placementMeasures {
		if m.defined(p.on) {
			named[p.info.Name] = p.of(&q)
		}
	}
	return named
}

// Measure measures a placement. The first used nodes are in use, and the rest are only withheld
// from other jobs. A machine without measures has the zero quality.
func (m *PlacementMeter) Measure(nodes []topology.Node, used int) (q PlacementQuality) {
	if m.meter == nil {
		return q
	}
	q.Used = m.meter.Measure(nodes[:used])
	q.Held = q.Used
	if len(nodes) > used {
		q.Held = m.meter.Measure(nodes)
	}
	if m.tree != nil {
		q.Tree = m.tree.Measure(nodes[:used])
	}
	if m.group != nil {
		q.Groups = m.group.Spanned(nodes[:used])
	}
	return q
}

// defined reports whether a measure for a kind of machine is defined on the machine of the meter.
func (m *PlacementMeter) defined(on machineKind) bool {
	switch on {
	case withBoxes:
		return m.meter != nil && m.meter.Boxes()
	case treesOnly:
		return m.tree != nil
	case withGroups:
		return m.group != nil
	}
	return m.meter != nil
}
