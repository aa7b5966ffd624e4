package router

import "contend/netsim/topology"

// Movable is a Routing that does in one part of the machine what it does in another. Packets
// between nodes of a set take the same ways from port to port if all nodes of the set are moved,
// and channels that end at one router keep their order, by which arbiters decide.
type Movable interface {
	// Moved returns by how much all nodes of any set can be moved down whose lowest and highest are
	// given. Sets that can be moved to each other are then the same, unless they are moved by 0.
	Moved(low, high topology.Node) topology.Node
}

// Moved implements Movable: a subtree becomes the first one of its level, if the digits stay by
// which packets within it choose among the ports up and the links of a bundle.
func (x *UpDown) Moved(low, high topology.Node) topology.Node {
	t, _ := topology.FatTreeOf(x.wiring.Topology)
	if x.choice == Drawn || x.choice == Adaptive || x.wiring.rails > 1 {
		return 0
	}
	level := 0
	for low/topology.Node(t.Span(level)) != high/topology.Node(t.Span(level)) {
		level++
	}
	by := int(low) / t.Span(level) * t.Span(level)
	for l := range level + 1 {
		up := 1 // at the top of the subtree nobody goes up
		if l < level {
			up = t.UpPorts(l)
		}
		if by%(t.Width(l)*up) != 0 || by%(t.Width(l)*t.DownPorts(l)/t.Children(l)) != 0 {
			return 0
		}
	}
	return topology.Node(by)
}
