package patterns

import "math"

// phaseProgram runs the phases of a pattern with barriers between them. All processes wait until
// every message of a phase has arrived, and then the next phase begins (Lo et al., CIS-TR-94-11,
// App. A). Every process computes for computeCycles between two phases; App. A has no computation.
// In a phase without messages all processes only compute.
type phaseProgram struct {
	pattern       Pattern
	computeCycles int64
	iterations    int64  // that have not ended, with the current one
	quota         int64  // messages that may still be sent
	cut           string // Config.Cut
	phase         int    // that comes next
	pending       int    // messages of the current phase that are under way
	started, done bool
}

// newPhaseProgram returns a program that ends after the configured iterations or the quota of
// messages. Limits of 0 do not apply.
func newPhaseProgram(p Pattern, c Config, quota int64) *phaseProgram {
	b := &phaseProgram{pattern: p, computeCycles: c.ComputeCycles, iterations: c.Iterations,
		quota: quota, cut: c.Cut}
	if c.Iterations == 0 {
		b.iterations = math.MaxInt64
	}
	switch {
	case p.Messages() == 0:
		b.iterations = 0
	case quota == 0:
		b.quota = math.MaxInt64
	case c.Cut == "iteration":
		b.quota = wholeIterations(quota, p.Messages())
	}
	return b
}

// wholeIterations returns a quota rounded up to a multiple of the messages of an iteration.
func wholeIterations(quota, messages int64) int64 {
	more := (messages - quota%messages) % messages
	if quota > math.MaxInt64-more {
		return math.MaxInt64
	}
	return quota + more
}

// Start implements Program.
func (b *phaseProgram) Start(dst []Message) []Message {
	if b.started {
		panic("patterns: a program started twice")
	}
	b.started = true
	return b.nextPhase(dst, 0)
}

// Delivered implements Program.
func (b *phaseProgram) Delivered(dst []Message, m Message) []Message {
	if b.pending == 0 {
		panic("patterns: a message arrived that was not under way")
	}
	if b.pending--; b.pending > 0 {
		return dst
	}
	return b.nextPhase(dst, b.computeCycles)
}

// Done implements Program.
func (b *phaseProgram) Done() bool { return b.done }

// AppendPosition implements Positioned. It assumes that the pattern draws nothing: see
// Config.Draws.
func (b *phaseProgram) AppendPosition(dst []int64) []int64 {
	return append(dst, int64(b.pending), int64(b.phase))
}

// nextPhase appends the next phase that has messages. The messages are created after the
// given delay and the computations of the empty phases before them.
func (b *phaseProgram) nextPhase(dst []Message, delay int64) []Message {
	start := len(dst)
	for b.iterations > 0 && b.quota > 0 {
		dst = b.pattern.Phase(dst, b.phase)
		if b.phase++; b.phase == b.pattern.Phases() {
			b.phase = 0
			b.iterations--
		}
		dst = b.cutToQuota(dst, start)
		if b.pending = len(dst) - start; b.pending > 0 {
			for i := start; i < len(dst) && delay > 0; i++ {
				dst[i].Delay += delay
			}
			return dst
		}
		delay += b.computeCycles
	}
	b.done = true
	return dst
}

// cutToQuota counts the messages of a phase, dst[start:], and drops those beyond the quota.
func (b *phaseProgram) cutToQuota(dst []Message, start int) []Message {
	left := b.quota - int64(len(dst)-start)
	if left >= 0 || b.cut == "phase" {
		b.quota = max(0, left)
		return dst
	}
	keep := int(b.quota)
	if b.cut != "process" {
		keepRounds(dst[start:], keep)
	}
	b.quota = 0
	return dst[:start+keep]
}

// keepRounds moves the first messages of a phase, counted round by round, to its
// front: each sender's first message, then each sender's second, and so on. It allocates, because
// it runs once for a quota.
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
