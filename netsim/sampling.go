package netsim

// sampler is called at chosen cycles.
type sampler struct {
	next Cycle
	take func(now Cycle) (next Cycle)
}

// Sample calls take now and then, in Advance, in each cycle that the last call returned, which is a
// later one. The calls may read the network, and change nothing of the run.
func (n *Network) Sample(take func(now Cycle) (next Cycle)) {
	n.sampler = &sampler{take(n.Now()), take}
}

// until returns the cycle up to which the routers may advance.
func (s *sampler) until(cycle Cycle) Cycle { return min(cycle, s.next) }

// serve takes the sample of a cycle if it is due.
func (s *sampler) serve(now Cycle) {
	if now >= s.next {
		s.next = s.take(now)
	}
}
