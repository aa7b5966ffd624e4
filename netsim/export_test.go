package netsim

// QueuePairs returns the number of queue pairs, and of those that there is room for.
func (n *Network) QueuePairs() (now, room int) { return len(n.pairs.at), len(n.pairs.list) }
