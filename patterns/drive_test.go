package patterns

import (
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// phasesOf returns the phases of one iteration of a pattern.
func phasesOf(p Pattern) (all [][]Message) {
	for k := range p.Phases() {
		if p.Messages() > 0 {
			all = append(all, p.Phase(nil, k))
		}
	}
	return all
}

// named returns an iteration of a pattern of messages of 3 flits.
func named(name string, n int) Pattern {
	return must.Have(NewPattern(Config{Name: name, Flits: 3, Order: "rotated"}, n, nil, seeded(1)))
}

// seeded returns a stream of random numbers.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// deliverAll drives a program to its end. It delivers in the order of pick, which
// returns an index below n, the number of messages under way. deliverAll returns the
// messages in the order of sending, and for each batch the number of messages that had
// arrived before it.
func deliverAll(t rapid.TB, p Program, n int, pick func(n int) int) (sent []Message,
	batches []batch) {
	t.Helper()
	var flight []Message
	arrived := 0
	take := func(released []Message) {
		for _, m := range released {
			if m.From < 0 || m.To < 0 || int(m.From) >= n || int(m.To) >= n || m.From == m.To ||
				m.Flits < 1 || m.Delay < 0 {
				t.Fatalf("%+v is no message among %d processes", m, n)
			}
		}
		if len(released) > 0 {
			batches = append(batches, batch{len(sent), len(released), arrived})
		}
		sent = append(sent, released...)
		flight = append(flight, released...)
	}
	if p.Done() {
		t.Fatal("done before it started")
	}
	take(p.Start(nil))
	for len(flight) > 0 {
		if p.Done() {
			t.Fatalf("done with %d messages under way", len(flight))
		}
		i := pick(len(flight))
		m := flight[i]
		flight[i] = flight[len(flight)-1]
		flight = flight[:len(flight)-1]
		arrived++
		if entering, ok := p.(Entering); ok {
			take(entering.Entered(nil, m))
		}
		take(p.Delivered(nil, m))
	}
	if !p.Done() {
		t.Fatal("not done though nothing is under way")
	}
	return sent, batches
}

// batch describes the messages that a program sent at one event.
type batch struct{ first, count, arrived int }

// checkBarriers asserts that a program sent exactly the given phases, each after all
// previous messages had arrived.
func checkBarriers(t rapid.TB, sent []Message, batches []batch, phases [][]Message) {
	t.Helper()
	phases = slices.DeleteFunc(slices.Clone(phases), func(p []Message) bool { return len(p) == 0 })
	if len(batches) != len(phases) {
		t.Fatalf("messages were sent at %d events, there are %d phases", len(batches), len(phases))
	}
	for i, b := range batches {
		if b.arrived != b.first {
			t.Fatalf("phase %d began when %d of the %d messages before had arrived", i, b.arrived, b.first)
		}
		if got := sent[b.first : b.first+b.count]; !slices.Equal(got, phases[i]) {
			t.Fatalf("phase %d sent %v, want %v", i, got, phases[i])
		}
	}
}

// inRounds delivers all messages that are under way at once, round by round, and calls f with
// each. It returns the number of rounds.
func inRounds(p Program, f func(round int, m Message)) (rounds int) {
	if timed, ok := p.(Timed); ok {
		timed.At(0)
	}
	for flight := p.Start(nil); len(flight) > 0; rounds++ {
		var next []Message
		for _, m := range flight {
			f(rounds, m)
			next = p.Delivered(next, m)
		}
		flight = next
	}
	return rounds
}

// sending is a message and the cycle in which it arrives.
type sending struct {
	Message
	at int64
}

// inTime drives a program from a cycle on, in a network of one latency, the earliest message first.
// It returns messages with their arrivals.
func inTime(t rapid.TB, p Program, now, latency int64) (sent []sending) {
	t.Helper()
	var flight []sending
	at := func() {
		if timed, ok := p.(Timed); ok {
			timed.At(now)
		}
	}
	take := func(released []Message) {
		for _, m := range released {
			flight = append(flight, sending{m, now + m.Delay + latency})
		}
	}
	at()
	take(p.Start(nil))
	for len(flight) > 0 {
		first := 0
		for i := range flight {
			if flight[i].at < flight[first].at {
				first = i
			}
		}
		m := flight[first]
		flight = slices.Delete(flight, first, first+1)
		now, sent = m.at, append(sent, m)
		at()
		if entering, ok := p.(Entering); ok {
			take(entering.Entered(nil, m.Message))
		}
		take(p.Delivered(nil, m.Message))
	}
	if !p.Done() {
		t.Fatalf("not done though nothing is under way")
	}
	return sent
}
