package patterns

import "math/bits"

// sendToOthers appends a message from one process to each of the others, in Config.Order.
func (s setting) sendToOthers(dst []Message, from Rank) []Message {
	if s.Order == "rotated" {
		for d := Rank(1); d < s.n; d++ {
			dst = s.send(dst, from, s.shift(from, d))
		}
		return dst
	}
	for to := range s.n {
		if to != from {
			dst = s.send(dst, from, to)
		}
	}
	return dst
}

// allToAll makes the all-to-all broadcast of Lo, Windisch, Liu and Nitzberg (CIS-TR-94-11,
// sec. 4.2): every process sends to every other, O(n^2) messages at once. It has one
// phase of n(n-1) messages.
func allToAll(s setting) Pattern {
	return onePhase(int64(s.n)*s.others(), func(dst []Message) []Message {
		for from := range s.n {
			dst = s.sendToOthers(dst, from)
		}
		return dst
	})
}

// oneToAll makes the one-to-all broadcast of Lo et al. (CIS-TR-94-11, sec. 4.2). A random process,
// drawn in each iteration, sends to every other. It has one phase of n-1 messages.
func oneToAll(s setting) Pattern {
	return onePhase(s.others(), func(dst []Message) []Message {
		return s.sendToOthers(dst, s.drawRank())
	})
}

// allToOne makes a gather, the reverse of oneToAll. Every process sends to a random process, drawn
// in each iteration. It has one phase of n-1 messages, one for each sender.
func allToOne(s setting) Pattern {
	return onePhase(s.others(), func(dst []Message) []Message {
		root := s.drawRank()
		for from := range s.n {
			if from != root {
				dst = s.send(dst, from, root)
			}
		}
		return dst
	})
}

// incast makes a gather to process 0 in each iteration, as the two-sided incast of GPCNeT (Chunduri
// et al., SC 2019). It has one phase of n-1 messages, one for each sender.
func incast(s setting) Pattern {
	return onePhase(s.others(), func(dst []Message) []Message {
		for from := Rank(1); from < s.n; from++ {
			dst = s.send(dst, from, 0)
		}
		return dst
	})
}

// broadcastTree makes a broadcast along a binomial tree from a random root, drawn in each
// iteration. Ranks count round the ring from the root. In phase b each rank r below 2^b has the
// data and sends them to r + 2^b. It has ceil(log2 n) phases and n-1 messages.
func broadcastTree(s setting) Pattern {
	root := Rank(0)
	return phased{bits.Len32(uint32(s.n - 1)), s.others(), func(dst []Message, k int) []Message {
		if k == 0 {
			root = s.drawRank()
		}
		have := Rank(1) << k
		for from := range s.n {
			r := s.shift(from, s.n-root)
			if r < have && r+have < s.n {
				dst = s.send(dst, from, s.shift(from, have))
			}
		}
		return dst
	}}
}

// randomReceivers makes a pattern in which every process sends to another process, drawn uniformly
// in each iteration. It has one phase of n messages, one for each sender.
func randomReceivers(s setting) Pattern {
	return onePhase(s.oneEach(), func(dst []Message) []Message {
		for from := range s.n {
			d := 1 + Rank(s.rng.Int32N(int32(s.n-1)))
			dst = s.send(dst, from, s.shift(from, d))
		}
		return dst
	})
}

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

// allPairs makes the all-pairs ping-pong, "message sent in each direction", of Leung et al.
// (CLUSTER 2002, sec. 4). The paper leaves the order of the pairs open. Here it is a round-robin
// tournament, in which as many disjoint pairs as possible play at a time. It has n-1 rounds, or n
// rounds with one idle process each if n is odd. In round r the pairs i, j with i + j = r modulo
// the number of rounds play. Each round has two phases: the lower rank of each pair sends, and then
// the higher rank answers. There are n(n-1) messages.
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

// opponent returns the player whom i meets in round r of a tournament, which has one more player
// than rounds. The last player meets the player j with 2j = r modulo the number of rounds. With an
// odd number of processes the last player does not exist, and its opponent is idle.
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

// nBody makes the n-body computation of Lo et al. (CIS-TR-94-11, sec. 4.2), after Fox et al. Each
// process passes its bodies round a ring in floor(n/2) phases, in each of which process i sends to
// i+1. In one more phase each process returns the sums to their owner, the process floor(n/2)
// places further. Each process sends one message in a phase, n(floor(n/2)+1) messages in all.
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

// fft makes the communication of a fast Fourier transform (Lo et al., CIS-TR-94-11, sec.
// 4.2). It is the binary-exchange algorithm of their source, Kumar et al. (1994): log2
// n exchanges between i and i xor 2^b, from the highest bit down or, with bits = lowest-first, from
// the lowest up. Each process sends one message in a phase, n log2 n messages in all.
func fft(s setting) Pattern {
	phases := bits.TrailingZeros32(uint32(s.n))
	return phased{phases, int64(s.n) * int64(phases), func(dst []Message, k int) []Message {
		bit := phases - 1 - k
		if s.Bits == "lowest-first" {
			bit = k
		}
		for from := range s.n {
			dst = s.send(dst, from, from^1<<bit)
		}
		return dst
	}}
}

// powerOfTwo reports whether n is 1, 2, 4, ...
func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }
