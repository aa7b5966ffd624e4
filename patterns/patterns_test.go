package patterns

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
)

// Tests of the deterministic patterns against the plainest way to write them down.

// longest is the maximum number of processes of the exhaustive tests.
const longest = 20

// forSizes runs a test for each small number of processes.
func forSizes(t *testing.T, f func(t *testing.T, n int)) {
	for n := 1; n <= longest; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) { f(t, n) })
	}
}

// Every pattern sends the number of messages that Messages returns, between its processes and
// sender by sender in each phase.
func TestPatternsKeepTheirContract(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		for _, i := range phasePatterns {
			c := Config{Name: i.Name, Flits: 3, Repeat: 2}
			p, err := NewPattern(c, n, nil, seeded(1))
			if size := (*SizeError)(nil); errors.As(err, &size) {
				continue
			}
			length := int32(3)
			if !OneLength(i.Name) {
				length = 0
			}
			for _, phase := range phasesOf(Guarded(p, i.Name, n, length)) {
				order := func(a, b Message) int { return int(a.From - b.From) }
				if !slices.IsSortedFunc(phase, order) {
					t.Errorf("%s: %v", i.Name, phase)
				}
			}
			if m, err := MessagesPerIteration(c, n, nil); m != p.Messages() || err != nil {
				t.Errorf("%s: %d messages, %v, want %d", i.Name, m, err, p.Messages())
			}
		}
	})
}

func TestNearSquare(t *testing.T) {
	for n := 1; n <= 500; n++ {
		want := n // the smallest divisor that is at least the square root
		for w := n; w >= 1; w-- {
			if n%w == 0 && w*w >= n {
				want = w
			}
		}
		if w, h := NearSquare(n); w != want || w*h != n {
			t.Errorf("NearSquare(%d) = %d, %d, want width %d", n, w, h, want)
		}
	}
}

// A caller's bug panics with the name of the package.
func TestCallersBugs(t *testing.T) {
	ok := func() *Processes {
		return NewProcesses(2, Lists{{Compute(1), Send(1, 1, 0)}, {Receive(0, 0)}}.Part)
	}
	timed := func() *Processes { p := ok(); p.At(5); p.Start(nil); return p }
	phases := func() Program { return must.Have(New(Config{Name: "ring"}, 2, nil, 2, nil)) }
	for name, f := range map[string]func(){
		"stray message":           func() { phases().Delivered(nil, Message{}) },
		"two starts":              func() { p := phases(); p.Start(nil); p.Start(nil) },
		"no time":                 func() { ok().Start(nil) },
		"time steps back":         func() { timed().At(4) },
		"two starts of processes": func() { timed().Start(nil) },
		"stray route":             func() { timed().Delivered(nil, Message{From: 1, To: 0, Flits: 1}) },
		"stray length":            func() { timed().Delivered(nil, Message{From: 0, To: 1, Flits: 2}) },
	} {
		if got := must.Panic(f); !strings.HasPrefix(got, "patterns:") {
			t.Errorf("%s: panic %q", name, got)
		}
	}
}

// listed is a pattern of one phase.
type listed []Message

func (l listed) Phases() int                          { return 1 }
func (l listed) Messages() int64                      { return int64(len(l)) }
func (l listed) Phase(dst []Message, _ int) []Message { return append(dst, l...) }

func TestGuarded(t *testing.T) {
	for _, c := range []struct {
		m     Message
		flits int32
		want  string
	}{
		{Message{From: 0, To: 3, Flits: 8}, 8, ""},
		{Message{From: 0, To: 3, Flits: 9}, 0, ""},
		{Message{From: 0, To: 3, Flits: 9}, 8, "a message of 9 flits, not 8"},
		{Message{From: 0, To: 3}, 0, "a message of 0 flits"},
		{Message{From: 0, To: 4, Flits: 8}, 8, "a message from 0 to 4 among 4 processes"},
		{Message{From: -1, To: 3, Flits: 8}, 8, "a message from -1 to 3"},
		{Message{From: 2, To: 2, Flits: 8}, 8, "a message from 2 to 2"},
	} {
		p := Guarded(listed{{From: 1, To: 0, Flits: max(8, c.flits)}, c.m}, "own", 4, c.flits)
		got := must.Panic(func() { p.Phase(make([]Message, 1), 0) })
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %q", c.m, got, c.want)
		}
	}
	p := Guarded(listed{{From: 1, To: 0, Flits: 8}}, "own", 2, 8)
	if got := p.Phase(make([]Message, 1), 0); len(got) != 2 {
		t.Errorf("%d messages", len(got))
	}
}

// miscounted is a pattern of two phases with one message less than Messages returns.
type miscounted struct{ listed }

func (miscounted) Phases() int { return 2 }

func (m miscounted) Messages() int64 { return 2*m.listed.Messages() + 1 }

// unphased is a pattern of messages in no phase.
type unphased struct{ listed }

func (unphased) Phases() int { return 0 }

// Guarded panics at the end of an iteration that does not have the number of messages that Messages
// returns, and at messages in no phase.
func TestGuardedCounts(t *testing.T) {
	one := listed{{From: 0, To: 1, Flits: 8}, {From: 1, To: 0, Flits: 8}}
	none := must.Panic(func() { Guarded(unphased{one}, "own", 2, 8) })
	if !strings.Contains(none, "own: an iteration of 2 processes has 2 messages in 0 phases") {
		t.Error(none)
	}
	p := Guarded(miscounted{one}, "own", 2, 8)
	p.Phase(nil, 1) // no iteration
	p.Phase(nil, 0)
	const want = "own: an iteration of 2 processes has 4 messages, and Messages returns 5"
	if got := must.Panic(func() { p.Phase(nil, 1) }); !strings.Contains(got, want) {
		t.Errorf("%s, want %q", got, want)
	}
}

func TestNearCube(t *testing.T) {
	for _, c := range [][4]int{{1, 1, 1, 1}, {2, 1, 1, 2}, {8, 2, 2, 2}, {16, 2, 2, 4}, {32, 2, 4, 4},
		{64, 4, 4, 4}, {128, 4, 4, 8}, {256, 4, 8, 8}, {27, 3, 3, 3}, {125, 5, 5, 5},
		{12, 2, 2, 3}, {7, 1, 1, 7}} {
		if x, y, z := NearCube(c[0]); x != c[1] || y != c[2] || z != c[3] {
			t.Errorf("%d: %d, %d, %d, want %v", c[0], x, y, z, c[1:])
		}
	}
}

// In the steady state programs send without allocating memory: they keep messages only in the
// caller's buffer, and all channels exist after an iteration or two.
func TestProgramsAllocateNothing(t *testing.T) {
	programs := map[string]Program{
		"two": NewProcesses(2, func(dst []Operation, r Rank, k int) ([]Operation, bool) {
			other := 1 - r
			return append(dst, Send(other, 1, 0), Send(other, 2, 1), Receive(other, 1),
				Receive(other, 0)), k < 1e6
		}),
	}
	for _, i := range Names() {
		c := Config{Name: i.Name, Class: "S", Repeat: 1, Iterations: 1 << 40}
		programs[i.Name] = must.Have(New(c, 16, nil, 0, seeded(1)))
	}
	for name, p := range programs {
		next, spare := p.Start(make([]Message, 0, 4096)), make([]Message, 0, 4096)
		step := func() {
			waiting := next
			next = spare[:0]
			for _, m := range waiting {
				next = p.Delivered(next, m)
			}
			spare = waiting
		}
		for range 2000 {
			step()
		}
		if got := testing.AllocsPerRun(500, step); got != 0 || len(next) == 0 {
			t.Errorf("%s: %v allocations a round, %d messages under way", name, got, len(next))
		}
	}
}

// The mean length of messages is that of the messages that programs send, for up to sixteen processes
// exactly, and for more within a tenth.
func TestMeanFlits(t *testing.T) {
	for _, info := range Names() {
		for _, n := range []int{4, 16, 64} {
			if info.Name == "call" { // it has messages of two lengths
				continue
			}
			c := Config{Name: info.Name, Class: "S", Flits: 5, FlitBytes: 16, Bytes: 100_000, Iterations: 1}
			p, err := New(c, n, nil, 0, rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				continue // another number of processes
			}
			flits, messages := 0.0, 0.0
			must.Have(Rehearse(p, func(m Message) { flits, messages = flits+float64(m.Flits), messages+1 }))
			if messages == 0 {
				continue
			}
			got, want := MeanFlits(c, n, nil), flits/messages
			if off := math.Abs(got/want - 1); n <= 16 && off > 1e-9 || off > 0.1 {
				t.Errorf("%s of %d: %v flits, want %v", info.Name, n, got, want)
			}
		}
	}
}
