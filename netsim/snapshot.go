package netsim

import "contend/router"

// Comparable reports whether Snapshot covers the whole state of the network, if its routing draws
// nothing.
func (n *Network) Comparable() bool { return n.rails.isCountless() && n.routers.Comparable() }

// Snapshot takes a snapshot of the network. No other links than those given may have been used
// since it was empty. The order of links must be the same in all snapshots.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link) {
	s.Reset(n.packetsSent)
	n.routers.Snapshot(s, links)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.Flits))
	}
}
