package netsim

// Slow says that every cycle checks the whole network.
const Slow = slow

// QueuePairs returns the number of queue pairs.
func (n *Network) QueuePairs() int { return n.pairs.pairs }
