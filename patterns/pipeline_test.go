package patterns

import (
	"testing"

	"contend/internal/must"
)

// wavefront is a pipelined sweep over a line of processes, with one part for each step.
// Each process waits for its left neighbour and sends to its right one.
func wavefront(n, steps int) Script {
	return ScriptFunc(func(dst []Operation, r Rank, k int) ([]Operation, bool) {
		if k == steps {
			return dst, false
		}
		if r > 0 {
			dst = append(dst, Receive(r-1, 0))
		}
		if int(r) < n-1 {
			dst = append(dst, Send(r+1, 2, 0))
		}
		return dst, true
	})
}

// The first process of a sweep runs ahead, and the others follow as soon as their
// messages arrive. With delivery in rounds n processes and s steps take n-1 rounds,
// while barriers would take (n-1)s.
func TestPipeline(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for steps := range 5 {
			p := must.Have(NewProcesses(n, wavefront(n, steps)))
			messages := 0
			rounds := inRounds(p, func(int, Message) { messages++ })
			if want := min(steps, 1) * (n - 1); rounds != want || messages != (n-1)*steps || !p.Done() {
				t.Errorf("%d processes, %d steps: %d messages in %d rounds, want %d in %d", n, steps, messages,
					rounds, (n-1)*steps, want)
			}
		}
	}
}

// A process that computes is busy while messages arrive. Waiting does not prolong its
// computation.
func TestComputeOverlapsWaiting(t *testing.T) {
	s := Lists{
		{Compute(100), Send(1, 1, 0), Receive(1, 0), Compute(5), Send(1, 2, 0)},
		{Send(0, 1, 0), Receive(0, 0), Receive(0, 0)},
	}
	for _, c := range []struct{ start, arrival, delay int64 }{
		{0, 40, 65},      // busy until 100, then 5 more
		{0, 100, 5},      // just done
		{0, 250, 5},      // idle from 100 on
		{1000, 1040, 65}, // at any start of the job
		{1000, 9000, 5},
	} {
		v := must.Have(Verify(2, s))
		var p Timed = v.Program()
		p.At(c.start)
		sent := p.Start(nil)
		if len(sent) != 2 || sent[0].Delay != 100 || sent[1].Delay != 0 {
			t.Fatalf("at the start: %v", sent)
		}
		p.At(c.arrival)
		if got := p.Delivered(nil, sent[1]); len(got) != 1 || got[0].Delay != c.delay {
			t.Errorf("started at %d, message at %d: %v, want a delay of %d", c.start,
				c.arrival, got, c.delay)
		}
	}
}
