package patterns

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// phaseProgram runs the phases of a pattern with barriers between them. All processes wait until
// every message of a phase has arrived, and then the next phase begins (Lo et al., CIS-TR-94-11,
// App. A). Every process computes for computeCycles between two phases; App. A has no computation.
// In a phase without messages all processes only compute.
type phaseProgram struct {
	pattern       Pattern
	computeCycles int64
	iterations    int64  // that have not ended, including the current one
	quota         int64  // messages that may still be sent
	cut           string // Config.Cut
	phase         int    // next phase
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

// AppendPosition implements Positioned.
func (b *phaseProgram) AppendPosition(dst []int64, _ int64) []int64 {
	return append(dst, int64(b.pending), int64(b.phase))
}

// Skippable implements Skipping.
func (b *phaseProgram) Skippable() int64 {
	if b.iterations == 0 {
		return 0
	}
	return max(0, min(b.iterations-1, (b.quota-1)/b.pattern.Messages()))
}

// Skip implements Skipping. A random pattern draws nothing for iterations that are left out.
func (b *phaseProgram) Skip(iterations, _ int64) {
	b.iterations -= iterations
	b.quota -= iterations * b.pattern.Messages()
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

// Phases is a Work that lists the messages of an iteration phase by phase. Their sizes are in
// bytes. The messages of a phase are listed sender by sender, in order of rank.
type Phases [][]Transfer

// Transfer is a message of Phases.
type Transfer struct {
	// From and To are the sender and the receiver, two different processes.
	From, To Rank
	// Bytes is the length of the message, at least 0.
	Bytes int64
}

// ErrNoPhases is the error of a request for the phases of a graph of tasks.
var ErrNoPhases = errors.New("its processes run graphs of tasks, which have no phases")

// Messages implements Work.
func (p Phases) Messages() (n int64) {
	for _, phase := range p {
		n += int64(len(phase))
	}
	return n
}

// Program implements Work. Every process computes for ComputeCycles between two phases.
func (p Phases) Program(c Config, iterations int64) Program {
	c.Iterations = iterations
	return newPhaseProgram(p.pattern(c), c, 0)
}

// pattern returns the phases as a Pattern, with lengths in flits.
func (p Phases) pattern(c Config) Pattern {
	per, pad := int64(cmp.Or(c.FlitBytes, 8)), int64(cmp.Or(c.PadFlits, 1))
	scale := cmp.Or(c.Scale, 1)
	return phased{len(p), p.Messages(), func(dst []Message, k int) []Message {
		for _, t := range p[k] {
			dst = append(dst, Message{From: t.From, To: t.To, Flits: FlitsOf(t.Bytes, per, pad, scale)})
		}
		return dst
	}}
}

// workPhases returns the phases of Work as a Pattern, or ErrNoPhases.
func (c Config) workPhases(n int, shape []int, rng *rand.Rand) (Pattern, error) {
	w, err := c.Work(n, shape, rng)
	if err != nil {
		return nil, err
	}
	p, ok := w.(Phases)
	if !ok {
		return nil, fmt.Errorf("pattern %s: %w", c.Name, ErrNoPhases)
	}
	return p.pattern(c), nil
}

// Rehearse runs a program without a network: each message enters the network and arrives at once,
// in the order of sending. When none is under way, time advances to the next cycle in which the
// program continues by itself. Rehearse calls each for every message and returns the last cycle. The
// error is that of Waking.Next.
func Rehearse(p Program, each func(Message)) (now int64, err error) {
	timed, _ := p.(Timed)
	waking, _ := p.(Waking)
	entering, _ := p.(Entering)
	if timed != nil {
		timed.At(0)
	}
	queue := p.Start(nil)
	for {
		for head := 0; head < len(queue); {
			m := queue[head]
			if head++; 2*head >= len(queue) { // half or more has arrived: make room
				queue, head = queue[:copy(queue, queue[head:])], 0
			}
			each(m)
			if waking != nil {
				waking.Sent(m)
			}
			if entering != nil {
				queue = entering.Entered(queue, m)
			}
			queue = p.Delivered(queue, m)
		}
		if queue = queue[:0]; waking == nil || p.Done() {
			return now, nil
		}
		cycle, err := waking.Next()
		if err != nil || cycle == Never {
			return now, err
		}
		now = cycle
		waking.At(now)
		queue = waking.Wake(queue)
	}
}
