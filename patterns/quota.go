package patterns

import "math"

// Cut says how the phase that reaches a quota ends. The choice matters: in an
// all-to-all of a large job the quota is usually less than one phase. Lo et al.
// (CIS-TR-94-11, App. A) say only that a job ends "when its message quota has been
// reached and all messages are received".
type Cut uint8

const (
	// CutRound keeps each sender's first message, then each sender's second, and so on.
	// In the last round it keeps the messages of the first senders. The processes run
	// side by side until the quota is reached.
	CutRound Cut = iota
	// CutProcess keeps the messages in the order of the list, sender by sender. The
	// first senders send all their messages, the last ones none.
	CutProcess
	// CutPhase keeps all messages and so completes the phase.
	CutPhase
)

// Quota ends a communication after exactly q messages or, with CutPhase, after the
// phase that reaches them. The messages of each sender keep their order.
func Quota(p Phases, q int64, cut Cut) Phases {
	if q < 0 {
		panic("patterns: a quota is not negative")
	}
	return &quota{p, q, cut}
}

type quota struct {
	phases Phases
	left   int64
	cut    Cut
}

// Next implements Phases.
func (q *quota) Next(dst []Message) ([]Message, bool) {
	if q.left == 0 {
		return dst, false
	}
	start := len(dst)
	dst, ok := q.phases.Next(dst)
	if !ok {
		return dst, false
	}
	phase := dst[start:]
	if left := q.left - int64(len(phase)); left >= 0 || q.cut == CutPhase {
		q.left = max(0, left)
		return dst, true
	}
	kept := int(q.left)
	if q.cut == CutRound {
		keepRounds(phase, kept)
	}
	q.left = 0
	return dst[:start+kept], true
}

// keepRounds moves the first keep messages of a phase, counted round by round, to its
// front. It allocates, because it runs once for a quota.
func keepRounds(phase []Message, keep int) {
	last := Rank(0)
	for _, m := range phase {
		last = max(last, m.From)
	}
	sent := make([]int, last+1)
	var rounds []int // rounds[j] is the number of senders with more than j messages
	for _, m := range phase {
		j := sent[m.From]
		sent[m.From]++
		if j == len(rounds) {
			rounds = append(rounds, 0)
		}
		rounds[j]++
	}
	full, rest := 0, keep
	for rest >= rounds[full] {
		rest -= rounds[full]
		full++
	}
	clear(sent)
	kept := 0
	for _, m := range phase {
		j := sent[m.From]
		sent[m.From]++
		if j > full || j == full && rest == 0 {
			continue
		}
		if j == full {
			rest--
		}
		phase[kept] = m
		kept++
	}
}

// wholeIterations returns q rounded up to a multiple of the messages of an iteration.
func wholeIterations(q, messages int64) int64 {
	if messages == 0 || q%messages == 0 {
		return q
	}
	more := messages - q%messages
	if q > math.MaxInt64-more {
		return math.MaxInt64
	}
	return q + more
}
