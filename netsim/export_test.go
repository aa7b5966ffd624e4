package netsim

// QueuePairs returns the number of queue pairs.
func (n *Network) QueuePairs() int { return len(n.pairs.pairs) }
