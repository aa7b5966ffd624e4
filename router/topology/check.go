package topology

import "fmt"

// Check returns an error for the first of these rules that a topology breaks:
//   - It has at least one node and one router.
//   - On each rail, each node is attached to a port that exists, has no other node and no peer.
//   - Peer leads to other ports, which exist, and is its own inverse.
//
// It does not check that the network is connected.
func Check(t Topology) error {
	taken, err := checkNodes(t)
	if err != nil {
		return err
	}
	return checkPeers(t, taken)
}

// place is a router and one of its ports.
type place struct {
	r Router
	p Port
}

// exists reports whether a topology has a place.
func exists(t Topology, k place) bool {
	return k.r >= 0 && int(k.r) < t.Routers() && k.p >= 0 && int(k.p) < t.Ports()
}

// checkNodes returns the node at each place that has one, on all rails. It returns an error if
// there are no nodes or routers, if a place does not exist, or if two nodes share one.
func checkNodes(t Topology) (map[place]Node, error) {
	if t.Nodes() < 1 || t.Routers() < 1 {
		return nil, fmt.Errorf("%d nodes on %d routers", t.Nodes(), t.Routers())
	}
	taken := map[place]Node{}
	for rail := range Rails(t) {
		for n := range Node(t.Nodes()) {
			r, p := AttachRail(t, n, rail)
			at := place{r, p}
			if !exists(t, at) {
				return nil, fmt.Errorf("node %d hangs on port %d of router %d, which does not exist", n, p, r)
			}
			if other, twice := taken[at]; twice {
				return nil, fmt.Errorf("nodes %d and %d both hang on port %d of router %d", other, n, p, r)
			}
			taken[at] = n
		}
	}
	return taken, nil
}

// checkPeers returns an error unless Peer is its own inverse, leads to places that exist, and
// leaves out the places of nodes, which are taken.
func checkPeers(t Topology, taken map[place]Node) error {
	for r := range Router(t.Routers()) {
		for p := range Port(t.Ports()) {
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
			if r2 == r && p2 == p {
				return fmt.Errorf("Peer(%d, %d) is the port itself", r, p)
			}
			if r3, p3, ok := t.Peer(r2, p2); !ok || r3 != r || p3 != p {
				return fmt.Errorf("Peer(%d, %d) is (%d, %d), whose peer is (%d, %d)", r, p, r2, p2, r3, p3)
			}
		}
	}
	return nil
}
