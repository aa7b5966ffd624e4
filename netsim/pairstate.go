package netsim

import "contend/router/topology"

// PairState is the state of a queue pair.
type PairState struct {
	// Rate is that of the pair over that of its link: 1 without congestion.
	Rate float64
	// Alpha is the estimate of congestion of DCQCN, 1 before it is used; 0 without DCQCN.
	Alpha float64
	// Notifications is the number that have reached the source since the first call of
	// Network.PairState for the pair.
	Notifications int64
	// QueuedFlits is the queue for the link to the destination: the flits for it that its router has.
	// Only the cycle-driven engine knows it; -1 with the worm engine.
	QueuedFlits int64
}

// PairState returns the state of the queue pair of two network interfaces, nodes where each has one
// only, and false without queue pairs. The run does not depend on calls.
func (n *Network) PairState(from, to topology.Node) (s PairState, ok bool) {
	q := n.pairs
	if q == nil {
		return s, false
	}
	ends := [2]topology.Node{from, to}
	s = PairState{Rate: 1, Notifications: q.watched[ends], QueuedFlits: int64(n.routers.QueuedFor(to))}
	q.watched[ends] = s.Notifications
	if _, any := n.config.Congestion.(*DCQCN); any {
		s.Alpha = 1
	}
	if p := q.pairs[ends]; p != nil && p.limiter != nil {
		s.Rate, s.Alpha = p.limiter.state(n.Now())
	}
	return s, true
}

// state implements limiter.
func (r *dcqcnRate) state(t Cycle) (rate, alpha float64) {
	k := *r
	if k.released(t) {
		return 1, 1
	}
	return k.current, k.alpha
}

// state implements limiter.
func (r *ibccaRate) state(t Cycle) (rate, alpha float64) {
	k := *r
	return 1 / (1 + float64(float64(k.at(t))*k.of.DelayStep)), 0
}

// state implements limiter.
func (r *throttleRate) state(t Cycle) (rate, alpha float64) {
	if r.released(t) {
		return 1, 0
	}
	return r.rate, 0
}
