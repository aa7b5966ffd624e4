package patterns

import "fmt"

// Guarded returns a pattern made outside of the package with a check of every
// message. It panics at a message that is not between two of n processes, or whose
// length is not flits unless that is 0: a network configured for one length would give
// wrong times silently. It also panics if an iteration does not have the number of
// messages that Messages returns, because quotas would be wrong, and at once if it has
// messages and no phase, because it would not end.
func Guarded(p Pattern, name string, n int, flits int32) Pattern {
	if messages, phases := p.Messages(), p.Phases(); messages != 0 && phases < 1 {
		panic(fmt.Sprintf("patterns: %s: an iteration of %d processes has %d messages in %d phases",
			name, n, messages, phases))
	}
	return &guarded{Pattern: p, name: name, n: Rank(n), flits: flits}
}

// guarded is a pattern whose messages are checked: see Guarded.
type guarded struct {
	Pattern
	name  string
	n     Rank
	flits int32
	next  int   // the next phase of the iteration being counted, or -1 for none
	sent  int64 // number of messages of the phases before it
}

// Phase implements Pattern.
func (c *guarded) Phase(dst []Message, k int) []Message {
	start := len(dst)
	dst = c.Pattern.Phase(dst, k)
	for _, m := range dst[start:] {
		switch {
		case m.From < 0 || m.From >= c.n || m.To < 0 || m.To >= c.n || m.From == m.To:
			const text = "patterns: %s: phase %d has a message from %d to %d among %d processes"
			panic(fmt.Sprintf(text, c.name, k, m.From, m.To, c.n))
		case m.Flits < 1 || c.flits != 0 && m.Flits != c.flits:
			const text = "patterns: %s: phase %d has a message of %d flits, not %d" +
				" (OwnLengths in the registry allows others)"
			panic(fmt.Sprintf(text, c.name, k, m.Flits, c.flits))
		}
	}
	c.count(k, int64(len(dst)-start))
	return dst
}

// count adds the messages of a phase and checks their sum at the end of an iteration. Phases
// out of order belong to no iteration.
func (c *guarded) count(k int, messages int64) {
	if k == 0 {
		c.next, c.sent = 0, 0
	}
	if k != c.next {
		c.next = -1
		return
	}
	c.next++
	c.sent += messages
	if want := c.Messages(); c.next == c.Phases() && c.sent != want {
		const text = "patterns: %s: an iteration of %d processes has %d messages, and Messages returns %d"
		panic(fmt.Sprintf(text, c.name, c.n, c.sent, want))
	}
}
