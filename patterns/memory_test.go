package patterns

import (
	"testing"

	"contend/internal/must"
)

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
