// Package topologytest checks that a topology keeps what topology.Topology
// promises. It is for the tests of any topology, this module's and others'.
package topologytest

import (
	"fmt"

	"contend/netsim/topology"
)

// Check returns the first promise that a topology breaks:
//
//   - each node hangs on a port that exists and that carries nothing else;
//   - Peer is its own inverse, and leads to routers and ports that exist;
//   - each node can be reached from each other;
//   - where the topology is a Metric, Distance counts the channels of a shortest
//     path.
//
// The time it takes grows with the number of nodes squared where there is a Metric.
func Check(t topology.Topology) error {
	taken, err := checkNodes(t)
	if err != nil {
		return err
	}
	if err := checkPeers(t, taken); err != nil {
		return err
	}
	return checkDistances(t)
}

// place is a port of a router.
type place struct {
	r topology.Router
	p topology.Port
}

func exists(t topology.Topology, k place) bool {
	return k.r >= 0 && int(k.r) < t.Routers() && k.p >= 0 && int(k.p) < t.Ports()
}

// checkNodes returns which ports carry nodes.
func checkNodes(t topology.Topology) (map[place]topology.Node, error) {
	if t.Nodes() < 1 || t.Routers() < 1 {
		return nil, fmt.Errorf("%d nodes on %d routers", t.Nodes(), t.Routers())
	}
	taken := map[place]topology.Node{}
	for n := range topology.Node(t.Nodes()) {
		r, p := t.Attach(n)
		at := place{r, p}
		if !exists(t, at) {
			return nil, fmt.Errorf("node %d hangs on port %d of router %d, which does not exist", n, p, r)
		}
		if other, twice := taken[at]; twice {
			return nil, fmt.Errorf("nodes %d and %d both hang on port %d of router %d", other, n, p, r)
		}
		taken[at] = n
	}
	return taken, nil
}

func checkPeers(t topology.Topology, taken map[place]topology.Node) error {
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			r2, p2, ok := t.Peer(r, p)
			if !ok {
				continue
			}
			if n, node := taken[place{r, p}]; node {
				return fmt.Errorf("port %d of router %d carries node %d and leads to router %d", p, r, n, r2)
			}
			if !exists(t, place{r2, p2}) {
				return fmt.Errorf("Peer(%d, %d) is (%d, %d), which does not exist", r, p, r2, p2)
			}
			if r3, p3, ok := t.Peer(r2, p2); !ok || r3 != r || p3 != p {
				return fmt.Errorf("Peer(%d, %d) is (%d, %d), whose peer is (%d, %d)", r, p, r2, p2, r3, p3)
			}
		}
	}
	return nil
}

// checkDistances compares the distances with breadth-first search over Peer.
func checkDistances(t topology.Topology) error {
	m, measured := t.(topology.Metric)
	from, hops := topology.Router(-1), []int(nil)
	for a := range topology.Node(t.Nodes()) {
		r, _ := t.Attach(a)
		if r == from && !measured {
			continue
		}
		if r != from {
			from, hops = r, hopsFrom(t, r)
		}
		for b := range topology.Node(t.Nodes()) {
			to, _ := t.Attach(b)
			if hops[to] < 0 {
				return fmt.Errorf("node %d cannot be reached from node %d", b, a)
			}
			if measured && m.Distance(a, b) != hops[to] {
				return fmt.Errorf("Distance(%d, %d) is %d, but a shortest path has %d channels",
					a, b, m.Distance(a, b), hops[to])
			}
		}
	}
	return nil
}

// hopsFrom counts the channels from one router to all others, -1 where there is no
// way.
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
