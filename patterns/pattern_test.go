package patterns

import (
	"errors"
	"fmt"
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
