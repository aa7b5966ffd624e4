// Package topologytest checks that a topology keeps the contract of topology.Topology, for the
// tests of any topology inside and outside of this module, and makes machines of all kinds for
// tests.
package topologytest

import (
	"fmt"

	"contend/router/topology"
)

// Check returns the first promise that a topology breaks:
//
//   - each node is attached to an existing port that no other node or link uses;
//   - Peer is its own inverse, and leads to routers and ports that exist;
//   - each node can be reached from each other;
//   - where the topology is a Metric, Distance counts the channels of a shortest
//     path;
//   - reachability and distances hold for every network interface of nodes that have several, and
//     no interface reaches one of another number.
//
// The time it takes grows with the number of nodes squared where there is a Metric.
func Check(t topology.Topology) error {
	if err := topology.Check(t); err != nil {
		return err
	}
	return checkDistances(t)
}

// checkDistances compares the distances with breadth-first search over Peer.
func checkDistances(t topology.Topology) error {
	for rail := range topology.Rails(t) {
		if err := checkRail(t, rail); err != nil {
			return err
		}
	}
	return nil
}

// checkRail compares the distances between the network interfaces of one number.
func checkRail(t topology.Topology, rail int) error {
	m, measured := t.(topology.Metric)
	from, hops := topology.Router(-1), []int(nil)
	for a := range topology.Node(t.Nodes()) {
		r, _ := topology.AttachRail(t, a, rail)
		if r == from && !measured {
			continue
		}
		if r != from {
			from, hops = r, hopsFrom(t, r)
		}
		for b := range topology.Node(t.Nodes()) {
			to, _ := topology.AttachRail(t, b, rail)
			if hops[to] < 0 {
				return fmt.Errorf("node %d cannot be reached from node %d", b, a)
			}
			if measured && m.Distance(a, b) != hops[to] {
				return fmt.Errorf("Distance(%d, %d) is %d, but a shortest path has %d channels",
					a, b, m.Distance(a, b), hops[to])
			}
			for other := range topology.Rails(t) {
				if far, _ := topology.AttachRail(t, b, other); other != rail && hops[far] >= 0 {
					return fmt.Errorf("interface %d of node %d can be reached from interface %d of node %d",
						other, b, rail, a)
				}
			}
		}
	}
	return nil
}

// hopsFrom returns the number of channels from one router to all others, -1 if there is no path.
func hopsFrom(t topology.Topology, from topology.Router) []int {
	hops := make([]int, t.Routers())
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	for queue := []topology.Router{from}; len(queue) > 0; queue = queue[1:] {
		for p := range topology.Port(t.Ports()) {
			if to, _, ok := t.Peer(queue[0], p); ok && hops[to] < 0 {
				hops[to] = hops[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return hops
}
