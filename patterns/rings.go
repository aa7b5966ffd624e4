package patterns

// nBody makes the n-body computation of Lo et al. (CIS-TR-94-11, sec. 4.2), after Fox et
// al. Each process passes its bodies round a ring in floor(n/2) phases, in each of
// which process i sends to i+1. In one more phase each process sends the sums home, to
// the process floor(n/2) places further. Each process sends one message in a phase,
// n(floor(n/2)+1) messages in all.
//
// With bodies = all it passes bodies round the whole ring, in n-1 phases, and sends no sums home.
func nBody(s setting) Pattern {
	half, phases := s.n/2, int(s.n)/2+1
	if s.Bodies == "all" {
		half, phases = s.n, max(1, int(s.n)-1)
	}
	return phased{phases, s.oneEach() * int64(phases), func(dst []Message, k int) []Message {
		if Rank(k) < half {
			return s.sendRound(dst, 1)
		}
		return s.sendRound(dst, half)
	}}
}

// ring makes one step round a ring: process i sends to i+1, and the last one to 0. It has
// one phase of n messages. It is one of the three tests of Leung et al. (CLUSTER 2002,
// sec. 4).
func ring(s setting) Pattern {
	return onePhase(s.oneEach(), func(dst []Message) []Message { return s.sendRound(dst, 1) })
}

// ringExchange sends a message of Config.Bytes bytes to both neighbours round the ring and waits
// for one from each. With processes at random places it is the random ring of GPCNeT, two-sided
// (Chunduri et al., SC 2019).
func ringExchange(t traffic) (Code, error) {
	g := group{n: t.n}
	return onePart(2*g.oneEach(), func(dst []Operation, r Rank) []Operation {
		dst = t.compute(dst)
		if t.n == 1 {
			return dst
		}
		left, right := g.shift(r, t.n-1), g.shift(r, 1)
		dst = t.send(t.send(dst, left, t.bytes), right, t.bytes)
		return t.receive(t.receive(dst, left), right)
	}), nil
}
