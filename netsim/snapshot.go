package netsim

import "contend/router"

// Comparable reports whether Snapshot knows all of the state of the network, if its routing draws
// nothing.
func (n *Network) Comparable() bool { return n.rails.countless() && n.routers.Comparable() }

// Snapshot takes a snapshot of the network, of which no other links than some have been used since
// it was empty. The order of the links is to be the same in all snapshots.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link) {
	s.Reset(n.packetsSent)
	n.routers.Snapshot(s, links)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.Flits))
	}
}
