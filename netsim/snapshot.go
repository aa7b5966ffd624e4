package netsim

import "contend/router"

// Comparable reports whether Snapshot covers the whole state of the network, if its routing draws
// nothing.
func (n *Network) Comparable() bool {
	return n.failing == nil && !n.config.slows() && n.pairs == nil &&
		n.rails.isCountless() && n.routers.Comparable()
}

// Snapshot takes a snapshot of links and of the packets of jobs. Packets of these jobs use no other
// links, and those of others none of these. Both lists are in the same order, links in an ascending
// one, in all snapshots.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link, jobs []int32) {
	s.Reset()
	n.routers.Snapshot(s, links, jobs)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.Flits))
	}
}
