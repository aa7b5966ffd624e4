package patterns

import "fmt"

// Guarded returns a pattern made outside of the package with a check of every
// message: it panics at one whose ranks are not those of two of n processes, or
// that has another length than flits, unless that is 0. A network that was
// promised one length would give wrong times without a word.
func Guarded(p Pattern, name string, n int, flits int32) Pattern {
	return &guarded{p, name, Rank(n), flits}
}

type guarded struct {
	Pattern
	name  string
	n     Rank
	flits int32
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
	return dst
}
