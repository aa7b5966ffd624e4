package netsim

import "contend/router"

// Comparable reports whether Snapshot knows all of the state of the network, if its routing draws
// nothing.
func (n *Network) Comparable() bool { return n.rails.next == nil && n.routers.Comparable() }

// Snapshot takes a snapshot of the network, of which no other links than some have been used since
// it was empty. The order of the links is to be the same in all snapshots.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link) {
	s.Reset(n.numbered)
	n.routers.Snapshot(s, links)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.flits))
	}
}

// Mover returns what tells by how much a set of nodes can be moved down so that messages within it
// take the same times: see router.Movable. It returns nil if none can.
func (n *Network) Mover() router.Movable {
	timings := n.LinkTimings()
	for _, l := range timings {
		if l != timings[0] {
			return nil
		}
	}
	m, _ := n.routing.(router.Movable)
	return m
}
