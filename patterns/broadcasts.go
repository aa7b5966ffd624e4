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

// oneToAll makes the one-to-all broadcast of Lo et al. (CIS-TR-94-11, sec. 4.2). A random
// process, drawn anew in each iteration, sends to every other. It has one phase of n-1
// messages.
func oneToAll(s setting) Pattern {
	return onePhase(s.others(), func(dst []Message) []Message {
		return s.sendToOthers(dst, s.drawRank())
	})
}

// allToOne makes a gather, the reverse of oneToAll. Every process sends to a random one,
// drawn anew in each iteration. It has one phase of n-1 messages, one for each sender.
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

// broadcastTree makes a broadcast along a binomial tree from a random root, drawn anew in
// each iteration. Ranks count round the ring from the root. In phase b each rank r
// below 2^b has the data and sends them to r + 2^b. It has ceil(log2 n) phases and n-1
// messages.
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
// and anew in each iteration. It has one phase of n messages, one for each sender.
func randomReceivers(s setting) Pattern {
	return onePhase(s.oneEach(), func(dst []Message) []Message {
		for from := range s.n {
			d := 1 + Rank(s.rng.Int32N(int32(s.n-1)))
			dst = s.send(dst, from, s.shift(from, d))
		}
		return dst
	})
}
