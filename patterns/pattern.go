package patterns

import "math/rand/v2"

// Pattern is one iteration of a communication. Callers can request its phases in order,
// again and again. A random pattern draws anew at each request of phase 0 and serves
// one program at a time.
//
// The messages of a phase are listed sender by sender, in order of rank. The messages
// of a sender are listed in the order in which it sends them. The maker of the
// pattern defines that order.
type Pattern interface {
	// Phases returns the number of phases of an iteration.
	Phases() int
	// Phase appends the messages of phase k, 0 to Phases()-1. It is not called if Messages is 0.
	Phase(dst []Message, k int) []Message
	// Messages returns the number of messages of an iteration, the same for all
	// iterations. It is 0 if no process has a partner, as in a job of one process.
	Messages() int64
}

// phased is a Pattern made of its counts and a function.
type phased struct {
	phases   int
	messages int64
	phase    func(dst []Message, k int) []Message
}

func (p phased) Phases() int                          { return p.phases }
func (p phased) Messages() int64                      { return p.messages }
func (p phased) Phase(dst []Message, k int) []Message { return p.phase(dst, k) }

// onePhase returns a pattern of a single phase.
func onePhase(messages int64, phase func(dst []Message) []Message) Pattern {
	return phased{1, messages, func(dst []Message, _ int) []Message { return phase(dst) }}
}

// setting is what a pattern in phases is made from.
type setting struct {
	group
	Config
	sides []int      // of the grid of processes, for patterns that use Config.Grid
	rng   *rand.Rand // nil if the caller uses only the pattern's counts
}

// group is the processes of a job that send messages of one length.
type group struct {
	n     Rank
	flits int32
}

// MaxProcesses is the greatest number of processes of a job.
const MaxProcesses = 1 << 24

// send appends a message of the group's length.
func (g group) send(dst []Message, from, to Rank) []Message {
	return append(dst, Message{From: from, To: to, Flits: g.flits})
}

// sendRound appends a message from each process to the process d places further round the ring.
func (g group) sendRound(dst []Message, d Rank) []Message {
	for from := range g.n {
		dst = g.send(dst, from, g.shift(from, d))
	}
	return dst
}

// shift returns the rank d places, 0 to n, after r round the ring.
func (g group) shift(r, d Rank) Rank {
	if r >= g.n-d {
		return r + d - g.n
	}
	return r + d
}

// others returns n-1 as a number of messages.
func (g group) others() int64 { return int64(g.n) - 1 }

// oneEach returns the number of messages if each process sends one to another.
func (g group) oneEach() int64 {
	if g.n == 1 {
		return 0
	}
	return int64(g.n)
}

// drawRank returns a random rank. All ranks are equally likely.
func (s setting) drawRank() Rank { return Rank(s.rng.Int32N(int32(s.n))) }
