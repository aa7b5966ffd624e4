package patterns

import (
	"strings"
	"testing"

	"contend/internal/must"
)

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
