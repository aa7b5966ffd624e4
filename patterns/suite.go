package patterns

// Suite repeats each of several patterns the given number of times before the next one.
// All repetitions together are one iteration.
func Suite(repeat int, parts ...Pattern) Pattern {
	if repeat < 1 {
		panic("patterns: a suite repeats its parts at least once")
	}
	s := &suite{repeat: repeat}
	for _, p := range parts {
		if p.Messages() > 0 {
			s.parts = append(s.parts, p)
		}
	}
	return s
}

// CplantSuite is the communication test suite of the Cplant experiments (Leung et al.,
// CLUSTER 2002, sec. 4): all-to-all broadcast, all-pairs ping-pong and ring. The paper
// repeats each a hundred times; CplantSuite repeats each repeat times.
func CplantSuite(n int, order Order, repeat int, flits int32) Pattern {
	return Suite(repeat, AllToAll(n, order, flits), AllPairs(n, flits), Ring(n, flits))
}

// suite is a sequence of the parts that have messages.
type suite struct {
	parts  []Pattern
	repeat int
}

func (s *suite) Phases() int {
	sum := 0
	for _, p := range s.parts {
		sum += p.Phases() * s.repeat
	}
	return sum
}

func (s *suite) Messages() int64 {
	sum := int64(0)
	for _, p := range s.parts {
		sum += p.Messages() * int64(s.repeat)
	}
	return sum
}

func (s *suite) Phase(dst []Message, k int) []Message {
	for _, p := range s.parts {
		phases := p.Phases()
		if k < phases*s.repeat {
			return p.Phase(dst, k%phases)
		}
		k -= phases * s.repeat
	}
	panic("patterns: a suite has no such phase")
}
