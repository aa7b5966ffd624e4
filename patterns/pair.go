package patterns

import "math/rand/v2"

// PingPong lets neighbouring ranks 2i and 2i+1 send a message back and forth. The even
// ranks send in one phase, and the odd ranks answer in the next. With an odd number of
// processes the last one is idle.
func PingPong(n int, flits int32) Pattern { return pingPong{newGroup(n, flits)} }

type pingPong struct{ group }

func (p pingPong) Phases() int     { return 2 }
func (p pingPong) Messages() int64 { return int64(p.n) / 2 * 2 }

func (p pingPong) Phase(dst []Message, k int) []Message {
	for from := Rank(k); from|1 < p.n; from += 2 {
		dst = p.send(dst, from, from^1)
	}
	return dst
}

// Call lets neighbouring ranks 2i and 2i+1 communicate like the pairs of nodes in the
// program contend of Lo et al. (CIS-TR-94-11, sec. 5). The even rank sends a message,
// and the odd rank answers with a message of no length, which is a single flit. So
// large messages go one way only.
func Call(n int, flits int32) Pattern { return call{pingPong{newGroup(n, flits)}} }

type call struct{ pingPong }

func (p call) Phase(dst []Message, k int) []Message {
	start := len(dst)
	dst = p.pingPong.Phase(dst, k)
	for i := start; i < len(dst) && k == 1; i++ {
		dst[i].Flits = 1
	}
	return dst
}

// AllPairs is the all-pairs ping-pong, "message sent in each direction", of Leung et
// al. (CLUSTER 2002, sec. 4). The paper does not say in which order the pairs play.
// Here it is a round-robin tournament, in which as many disjoint pairs as possible play
// at a time. It has n-1 rounds, or n rounds with one idle process each if n is odd. In
// round r the pairs i, j with i + j = r modulo the number of rounds play. Each round
// has two phases: the lower rank of each pair sends, and then the higher rank answers.
// There are n(n-1) messages.
func AllPairs(n int, flits int32) Pattern { return allPairs{newGroup(n, flits)} }

type allPairs struct{ group }

// rounds returns the number of rounds, which is odd.
func (p allPairs) rounds() Rank       { return p.n - 1 + p.n&1 }
func (p allPairs) Phases() int        { return 2 * int(p.rounds()) }
func (p allPairs) Messages() int64    { return int64(p.n) * p.others() }
func (p allPairs) answers(k int) bool { return k&1 == 1 }

func (p allPairs) Phase(dst []Message, k int) []Message {
	for from := range p.n {
		to := p.partner(from, Rank(k/2))
		if to < p.n && p.answers(k) == (to < from) {
			dst = p.send(dst, from, to)
		}
	}
	return dst
}

// partner returns the opponent of i in round r. The tournament has one more player than
// rounds. The last player meets the player who would otherwise meet itself. With an odd
// number of processes the last player does not exist, and its opponent is idle.
func (p allPairs) partner(i, r Rank) Rank {
	m := p.rounds()
	if i == m { // 2j = r modulo m, m odd
		if r&1 == 0 {
			return r / 2
		}
		return r/2 + m/2 + 1
	}
	j := r - i
	if j < 0 {
		j += m
	}
	if j == i {
		return m
	}
	return j
}

// Random lets every process send to another process, drawn uniformly and anew in each
// iteration. It has one phase of n messages, one for each sender.
func Random(n int, flits int32, rng *rand.Rand) Pattern {
	return random{newGroup(n, flits), rng}
}

type random struct {
	group
	rng *rand.Rand
}

func (p random) Phases() int { return 1 }

func (p random) Messages() int64 {
	if p.n == 1 {
		return 0
	}
	return int64(p.n)
}

func (p random) Phase(dst []Message, k int) []Message {
	if p.n == 1 {
		return dst
	}
	for from := range p.n {
		d := 1 + Rank(p.rng.Int32N(int32(p.n-1)))
		dst = p.send(dst, from, p.shift(from, d))
	}
	return dst
}
