package topology

import "slices"

// The plane of a rail is the set of routers that its network interfaces reach.

// checkConnected returns an error if two rails share a plane, or if a router cannot be reached from
// the others of its plane.
func (t *Graph) checkConnected() error {
	plane := make([]int, t.Routers()) // of each router, counted from 1
	for rail := range t.rails {
		start, _ := t.AttachRail(0, rail)
		if plane[start] > 0 {
			return bad("Links", "no links join the routers of two rails",
				"leads from router %s to the network interfaces of rails %d and %d", t.Label(start),
				plane[start]-1, rail)
		}
		for r, hops := range t.search(start) {
			if hops != unreached {
				plane[r] = rail + 1
			}
		}
	}
	for i, r := range t.home {
		start := t.home[i/t.Nodes()*t.Nodes()]
		if plane[r] != plane[start] {
			return t.unreachable(start, r)
		}
	}
	if r := slices.Index(plane, 0); r >= 0 {
		return t.unreachable(0, Router(r))
	}
	return nil
}

// unreachable returns the error that no path leads from one router to another.
func (t *Graph) unreachable(from, to Router) error {
	return bad("Links", "every router must be reachable from every other",
		"leaves no way from router %s to router %s", t.Label(from), t.Label(to))
}

// Rails implements Railed.
func (t *Graph) Rails() int { return t.rails }

// AttachRail implements Railed: the router and its port to which interface rail of node n is
// linked.
func (t *Graph) AttachRail(n Node, rail int) (Router, Port) {
	i := rail*t.Nodes() + int(n)
	return t.home[i], t.port[i]
}

// maxSources is the largest number of nodes from which PlanesDiffer compares distances.
const maxSources = 256

// PlanesDiffer reports whether, from some node, a distance on another rail differs from that on
// rail 0. On graphs of more than 256 nodes it tests at most 256 source nodes.
func (t *Graph) PlanesDiffer() bool {
	if t.rails == 1 {
		return false
	}
	step := (t.Nodes() + maxSources - 1) / maxSources
	for from := 0; from < t.Nodes(); from += step {
		first := t.search(t.home[from])
		for rail := 1; rail < t.rails; rail++ {
			at := rail * t.Nodes()
			hops := t.search(t.home[at+from])
			for to := range t.Nodes() {
				if hops[t.home[at+to]] != first[t.home[to]] {
					return true
				}
			}
		}
	}
	return false
}
