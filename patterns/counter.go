package patterns

import "math"

// The values of Config.Cut with which the processes of a job share a counter.
const (
	CutCounter         = "counter"
	CutCounterBarriers = "counter-without-barriers"
)

// Entering is a Program whose processes send a message when their previous message has entered the
// network. The driver calls Entered when the head of the last packet of m has left the source queue
// of its node, before Delivered.
type Entering interface {
	Program
	// Entered appends the messages that the entry of m releases.
	Entered(dst []Message, m Message) []Message
}

// SharesCounter reports whether New returns an Entering program.
func (c Config) SharesCounter() bool {
	return (c.Cut == CutCounter || c.Cut == CutCounterBarriers) && c.Work == nil && !OwnSizes(c.Name)
}

// counterProgram runs the phases of a pattern like phaseProgram, but its processes draw the quota
// message by message: each process counts its next message on a counter of the job when its
// previous message has entered the network, "until the total number of ... messages sent equals a
// message quota" (Lo et al., CIS-TR-94-11, App. A). So the processes whose messages enter sooner
// send more of the phase that reaches the quota. Without barriers a process begins its next phase
// when it has sent its messages of the current phase and received all messages for it.
type counterProgram struct {
	pattern       Pattern
	computeCycles int64
	barriers      bool
	left          int64 // messages not yet drawn
	unopened      int64 // phases not yet open
	next          int   // phase of the pattern that opens next
	phases        []openPhase
	first         int // number of phases[0]; numbers continue over iterations
	process       []drawing
	pending       int // messages under way
	started, done bool
}

// openPhase is a phase that some process has not left.
type openPhase struct {
	messages [][]Message // by sender
	expected []int32     // by receiver: messages that have not arrived
	involved []bool      // by process: it sends or receives
	before   int64       // time that every process computes before the phase
	missing  int         // messages that have not arrived
	inside   int         // processes that have not left
}

// drawing is a process that draws.
type drawing struct {
	phase  int   // number of its phase
	sent   int   // messages drawn in it
	queued bool  // its last message has not entered the network
	delay  int64 // from now to the creation of its next message
}

// newCounterProgram returns a program that ends like that of newPhaseProgram: after the configured
// iterations or the quota, whichever comes first.
func newCounterProgram(p Pattern, n int, c Config, quota int64) *counterProgram {
	b := &counterProgram{pattern: p, computeCycles: c.ComputeCycles, barriers: c.Cut == CutCounter,
		left: quota, unopened: math.MaxInt64, process: make([]drawing, n)}
	if quota == 0 {
		b.left = math.MaxInt64
	}
	if most := math.MaxInt64 / int64(max(1, p.Phases())); c.Iterations > 0 && c.Iterations < most {
		b.unopened = c.Iterations * int64(p.Phases())
	}
	if p.Messages() == 0 {
		b.unopened = 0
	}
	return b
}

// Start implements Program.
func (b *counterProgram) Start(dst []Message) []Message {
	if b.started {
		panic("patterns: a program started twice")
	}
	b.started = true
	if b.open(0) {
		for r := range b.process {
			b.process[r].delay = b.phases[0].before
		}
		dst = b.drawAll(dst)
	}
	return b.end(dst)
}

// Entered implements Entering.
func (b *counterProgram) Entered(dst []Message, m Message) []Message {
	b.process[m.From].queued = false
	return b.draw(dst, m.From)
}

// Delivered implements Program.
func (b *counterProgram) Delivered(dst []Message, m Message) []Message {
	if b.pending == 0 {
		panic("patterns: a message arrived that was not under way")
	}
	b.pending--
	k := &b.phases[int(m.Tag)-b.first]
	k.missing--
	k.expected[m.To]--
	switch {
	case !b.barriers:
		dst = b.draw(dst, m.To)
	case k.missing == 0:
		dst = b.drawAll(dst)
	}
	return b.end(dst)
}

// Done implements Program.
func (b *counterProgram) Done() bool { return b.done }

// end ends the program if no message is under way.
func (b *counterProgram) end(dst []Message) []Message {
	if b.done = b.pending == 0; b.done && b.left > 0 && b.unopened > 0 {
		panic("patterns: no process draws from a counter that is not at its end")
	}
	return dst
}

// drawAll lets every process draw its next message, in the order of ranks.
func (b *counterProgram) drawAll(dst []Message) []Message {
	for r := range b.process {
		dst = b.draw(dst, Rank(r))
	}
	return dst
}

// draw appends the next message of process r, if it may send one.
func (b *counterProgram) draw(dst []Message, r Rank) []Message {
	d := &b.process[r]
	for !d.queued && b.left > 0 {
		k := &b.phases[d.phase-b.first]
		if d.sent < len(k.messages[r]) {
			m := k.messages[r][d.sent]
			m.Delay += d.delay
			m.Tag = int32(d.phase)
			d.sent, d.queued, d.delay = d.sent+1, true, 0
			b.left--
			b.pending++
			return append(dst, m)
		}
		if !b.leaves(k, r) {
			break
		}
		opened := false
		if d.phase-b.first == len(b.phases)-1 {
			if opened = b.open(b.computeCycles); !opened {
				break
			}
		}
		b.move(d)
		if opened && !b.barriers {
			dst = b.drawAll(dst) // those without a part in the phases before
		}
	}
	return dst
}

// leaves reports whether process r, which has sent its messages of a phase, leaves it. Without
// barriers, a process that neither sends nor receives in the last open phase stays in it until
// another process opens the next.
func (b *counterProgram) leaves(k *openPhase, r Rank) bool {
	if b.barriers {
		return k.missing == 0
	}
	return k.expected[r] == 0 && (k.involved[r] || k != &b.phases[len(b.phases)-1])
}

// move puts a process into its next phase, and closes the phases that all processes have left.
func (b *counterProgram) move(d *drawing) {
	b.phases[d.phase-b.first].inside--
	d.phase, d.sent = d.phase+1, 0
	d.delay += b.phases[d.phase-b.first].before
	for b.phases[0].inside == 0 {
		b.phases = b.phases[1:]
		b.first++
	}
}

// open opens the next phase that has messages. Every process computes for before cycles in front of
// it, and also between skipped phases without messages. open reports false if no phase is left.
func (b *counterProgram) open(before int64) bool {
	for b.unopened > 0 {
		list := b.pattern.Phase(nil, b.next)
		b.next = (b.next + 1) % b.pattern.Phases()
		b.unopened--
		if len(list) == 0 {
			before += b.computeCycles
			continue
		}
		n := len(b.process)
		k := openPhase{messages: make([][]Message, n), expected: make([]int32, n),
			involved: make([]bool, n), before: before, missing: len(list), inside: n}
		for i, j := 0, 0; i < len(list); i = j {
			for j = i; j < len(list) && list[j].From == list[i].From; j++ {
				k.expected[list[j].To]++
				k.involved[list[j].From], k.involved[list[j].To] = true, true
			}
			k.messages[list[i].From] = list[i:j]
		}
		b.phases = append(b.phases, k)
		return true
	}
	return false
}
