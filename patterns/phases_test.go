package patterns

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
)

// ringOf returns the phases of a ring in bytes.
func ringOf(n int) Phases {
	phase := make([]Transfer, n)
	for i := range phase {
		phase[i] = Transfer{From: Rank(i), To: Rank((i + 1) % n), Bytes: 60}
	}
	return Phases{phase}
}

// otherWork is a Work without phases.
type otherWork struct{ Work }

// Phases are the built-in ring of 8 flits, wherever a pattern in phases is asked for something.
func TestWorkInPhases(t *testing.T) {
	ring := Config{Name: "ring", Cut: "iteration"}
	own := Config{Name: "own", Work: func(n int, _ []int, _ *rand.Rand) (Work, error) {
		return ringOf(n), nil
	}}
	for _, n := range []int{2, 5, 16} {
		describe := func(c Config) string {
			per, total, err := MessagesOf(c, n, nil, int64(3*n-1))
			atOnce, err2 := ReleasedAtOnce(c, n, nil)
			pairs, err3 := Pairs(c, n, nil)
			sent := ""
			err4 := Rehearse(must.Have(New(c, n, nil, int64(3*n-1), nil)),
				func(m Message) { sent += fmt.Sprint(m) })
			return fmt.Sprint(per, total, err, atOnce, err2, pairs, err3, sent, err4)
		}
		if a, b := describe(ring), describe(own); a != b {
			t.Errorf("%d processes:\n%s\n%s", n, a, b)
		}
	}
	own.FlitBytes, own.PadFlits, own.Scale = 4, 5, 0.5
	if m := must.Have(NewPattern(own, 3, nil, nil)).Phase(nil, 0); m[0].Flits != 10 {
		t.Errorf("half of 60 bytes in flits of 4 bytes, padded to multiples of 5: %d", m[0].Flits)
	}
	own.Work = func(int, []int, *rand.Rand) (Work, error) { return Phases{{}, {}}, nil }
	if per := must.Have(MessagesPerIteration(own, 1, nil)); per != 0 ||
		!started(must.Have(New(own, 1, nil, 1, nil))).Done() {
		t.Errorf("phases without messages have %d", per)
	}
	own.Work = func(int, []int, *rand.Rand) (Work, error) { return otherWork{}, nil }
	if _, err := NewPattern(own, 4, nil, nil); !errors.Is(err, ErrNoPhases) {
		t.Errorf("%v for work without phases", err)
	}
	if atOnce, err := ReleasedAtOnce(own, 4, nil); atOnce != 4 || err != nil {
		t.Errorf("%d, %v for work without phases", atOnce, err)
	}
}

// started returns a program after its start.
func started(p Program) Program {
	p.Start(nil)
	return p
}
