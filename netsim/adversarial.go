package netsim

import (
	"fmt"
	"math/rand/v2"

	"contend/router/topology"
)

// onAdversarial returns traffic for which minimal or deterministic routing takes few links: of a
// machine of groups, or of a tree.
func onAdversarial(p TrafficPattern, s trafficSite) (Destinations, error) {
	if t, ok := topology.FatTreeOf(s.machine); ok {
		return throughOnePort(p, t)
	}
	return toNextGroup(p, s.machine)
}

// toNextGroup returns traffic to the nodes of a group further on: the minimal paths of all nodes
// of a group share the links between two groups.
func toNextGroup(p TrafficPattern, machine topology.Topology) (Destinations, error) {
	groups, group := groupsOf(machine)
	if groups < 2 {
		return Destinations{}, fmt.Errorf("adversarial traffic needs a machine of several groups, such " +
			"as a dragonfly or a HyperX, or a tree")
	}
	ahead := max(1, p.Ahead)
	if ahead >= groups {
		return Destinations{}, fmt.Errorf("adversarial traffic goes %d groups ahead, and the machine "+
			"has %d: give 1 to %d", ahead, groups, groups-1)
	}
	members, of := make([][]topology.Node, groups), make([]int, machine.Nodes())
	for n := range topology.Node(machine.Nodes()) {
		r, _ := machine.Attach(n)
		of[n] = group(r)
		members[of[n]] = append(members[of[n]], n)
	}
	for i, m := range members {
		if len(m) == 0 {
			return Destinations{}, fmt.Errorf("adversarial traffic needs nodes in every group, and group "+
				"%d has none", i)
		}
	}
	return Destinations{To: func(n topology.Node, rng *rand.Rand) topology.Node {
		next := members[(of[n]+ahead)%len(members)]
		return next[rng.IntN(len(next))]
	}}, nil
}

// groupsOf returns the number of groups of a machine, 0 if it has none, and the group of a router.
// On a HyperX the routers of one first coordinate are a group, so that all nodes of a router share
// its links to one other router on minimal routes.
func groupsOf(machine topology.Topology) (int, func(topology.Router) int) {
	switch t := machine.(type) {
	case topology.Grouped:
		return t.Groups(), t.Group
	case *topology.HyperX:
		return t.Dims()[0], func(r topology.Router) int { return t.Coordinate(r, 0) }
	}
	return 0, nil
}

// throughOnePort returns traffic on a tree that leaves each leaf through one of its ports up under
// d-mod-k: its destinations are congruent modulo the number of ports (Rodriguez et al., "Oblivious
// Routing Schemes in Extended Generalized Fat Tree Networks", CLUSTER 2009, find this in phases of
// CG). A leaf sends to all such nodes of other leaves alike, so that channels to nodes carry no
// more than channels from them. Leaf l, counted from the left, takes the port of node l of the
// next leaf, so that leaves differ.
func throughOnePort(p TrafficPattern, t *topology.FatTree) (Destinations, error) {
	size := t.Children(0)
	leaves := (t.Nodes() + size - 1) / size
	if leaves < 2 {
		return Destinations{}, fmt.Errorf("adversarial traffic needs a tree of two or more leaves")
	}
	if p.Ahead > 1 {
		return Destinations{}, fmt.Errorf("adversarial traffic goes groups ahead only on machines of " +
			"groups, and a tree has none: leave the parameter groups out")
	}
	to := make([][]topology.Node, leaves)
	for leaf := range to {
		next := (leaf + 1) % leaves * size
		port := (next + leaf%min(size, t.Nodes()-next)) % t.UpPorts(0)
		for n := port; n < t.Nodes(); n += t.UpPorts(0) {
			if n/size != leaf {
				to[leaf] = append(to[leaf], topology.Node(n))
			}
		}
	}
	return Destinations{To: func(n topology.Node, rng *rand.Rand) topology.Node {
		list := to[int(n)/size]
		return list[rng.IntN(len(list))]
	}}, nil
}
