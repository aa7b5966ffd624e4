package patterns

// NBody is the n-body computation of Lo et al. (CIS-TR-94-11, sec. 4.2), after Fox et
// al. Each process passes its bodies round a ring in floor(n/2) phases, in each of
// which process i sends to i+1. In one more phase each process sends the sums home, to
// the process floor(n/2) places further. Each process sends one message in a phase,
// n(floor(n/2)+1) messages in all.
func NBody(n int, flits int32) Pattern { return nBody{newGroup(n, flits), false} }

// nBody passes bodies to half of the ring, or round the whole ring. In the latter case it has n-1
// phases, in each of which process i sends to i+1, and sends no sums home.
type nBody struct {
	group
	allRound bool
}

func (p nBody) Phases() int {
	if p.allRound {
		return max(1, int(p.n)-1)
	}
	return int(p.n)/2 + 1
}

func (p nBody) Messages() int64 {
	if p.n == 1 {
		return 0
	}
	return int64(p.n) * int64(p.Phases())
}

func (p nBody) Phase(dst []Message, k int) []Message {
	half := p.n / 2
	switch {
	case p.n == 1:
		return dst
	case p.allRound || Rank(k) < half:
		return p.shiftAll(dst, 1)
	}
	return p.shiftAll(dst, half)
}

// Ring is one step round a ring: process i sends to i+1, and the last one to 0. It has
// one phase of n messages. It is one of the three tests of Leung et al. (CLUSTER 2002,
// sec. 4).
func Ring(n int, flits int32) Pattern { return ring{newGroup(n, flits)} }

type ring struct{ group }

func (p ring) Phases() int { return 1 }

func (p ring) Messages() int64 {
	if p.n == 1 {
		return 0
	}
	return int64(p.n)
}

func (p ring) Phase(dst []Message, k int) []Message {
	if p.n == 1 {
		return dst
	}
	return p.shiftAll(dst, 1)
}

// shiftAll appends a message from each process to the process d places further.
func (g group) shiftAll(dst []Message, d Rank) []Message {
	for from := range g.n {
		dst = g.send(dst, from, g.shift(from, d))
	}
	return dst
}
