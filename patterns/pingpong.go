package patterns

// pingPong lets neighbouring ranks 2i and 2i+1 send a message back and forth. The even
// ranks send in one phase, and the odd ranks answer in the next. With an odd number of
// processes the last one is idle.
func pingPong(s setting) Pattern {
	return phased{2, int64(s.n) / 2 * 2, func(dst []Message, k int) []Message {
		for from := Rank(k); from|1 < s.n; from += 2 {
			dst = s.send(dst, from, from^1)
		}
		return dst
	}}
}

// callAndAnswer lets neighbouring ranks 2i and 2i+1 communicate like the pairs of nodes in the
// program contend of Lo et al. (CIS-TR-94-11, sec. 5). The even rank sends a message,
// and the odd rank answers with a message of no length, which is a single flit. So
// large messages go one way only.
func callAndAnswer(s setting) Pattern {
	pattern := pingPong(s)
	return phased{2, pattern.Messages(), func(dst []Message, k int) []Message {
		start := len(dst)
		dst = pattern.Phase(dst, k)
		for i := start; i < len(dst) && k == 1; i++ {
			dst[i].Flits = 1
		}
		return dst
	}}
}

// allPairs makes the all-pairs ping-pong, "message sent in each direction", of Leung et
// al. (CLUSTER 2002, sec. 4). The paper does not say in which order the pairs play.
// Here it is a round-robin tournament, in which as many disjoint pairs as possible play
// at a time. It has n-1 rounds, or n rounds with one idle process each if n is odd. In
// round r the pairs i, j with i + j = r modulo the number of rounds play. Each round
// has two phases: the lower rank of each pair sends, and then the higher rank answers.
// There are n(n-1) messages.
func allPairs(s setting) Pattern {
	rounds := s.n - 1 + s.n&1 // odd
	return phased{2 * int(rounds), int64(s.n) * s.others(), func(dst []Message, k int) []Message {
		for from := range s.n {
			to := opponent(rounds, from, Rank(k/2))
			if answers := k&1 == 1; to < s.n && answers == (to < from) {
				dst = s.send(dst, from, to)
			}
		}
		return dst
	}}
}

// opponent returns the player whom i meets in round r of a tournament. It has one more player than
// rounds. The last player meets the player who would otherwise meet itself. With an odd
// number of processes the last player does not exist, and its opponent is idle.
func opponent(rounds, i, r Rank) Rank {
	if i == rounds { // 2j = r modulo rounds, which is odd
		if r&1 == 0 {
			return r / 2
		}
		return r/2 + rounds/2 + 1
	}
	j := r - i
	if j < 0 {
		j += rounds
	}
	if j == i {
		return rounds
	}
	return j
}

// cplantSuite makes the communication test suite of the Cplant experiments (Leung et al.,
// CLUSTER 2002, sec. 4): all-to-all broadcast, all-pairs ping-pong and ring. It repeats each
// Config.Repeat times before the next one; all repetitions together are one iteration.
func cplantSuite(s setting) Pattern {
	repeat := s.Repeat
	if repeat == 0 {
		repeat = 100
	}
	parts := []Pattern{allToAll(s), allPairs(s), ring(s)}
	var all phased
	for _, p := range parts {
		all.phases += repeat * p.Phases()
		all.messages += int64(repeat) * p.Messages()
	}
	all.phase = func(dst []Message, k int) []Message {
		for _, p := range parts {
			n := p.Phases()
			if k < n*repeat {
				return p.Phase(dst, k%n)
			}
			k -= n * repeat
		}
		panic("patterns: a suite has no such phase")
	}
	return all
}
