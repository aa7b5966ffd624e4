package patterns

import (
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// runSkipping drives a program to its end in the order of sending, one cycle a message, and returns
// its messages with the cycles of their creation. Before message at it leaves out iterations that
// take some cycles.
func runSkipping(p Program, at int, iterations, cycles int64) (sent []Message, created []int64,
	skippable int64) {
	timed, _ := p.(Timed)
	now := int64(0)
	tell := func() {
		if timed != nil {
			timed.At(now)
		}
	}
	take := func(list []Message) {
		for _, m := range list {
			created = append(created, now+m.Delay)
			sent = append(sent, m)
		}
	}
	tell()
	take(p.Start(nil))
	for i := 0; i < len(sent); i++ {
		if i == at {
			s := p.(Skipping)
			skippable = s.Skippable()
			s.Skip(min(iterations, skippable), cycles)
			now += cycles
		}
		now++
		tell()
		take(p.Delivered(nil, sent[i]))
	}
	return sent, created, skippable
}

// A program that leaves out iterations sends the same messages as another one, fewer of those that
// each iteration has, and later by the cycles that pass meanwhile. At least one iteration is left.
func TestSkip(t *testing.T) {
	several := 0
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(r, "processes")
		c := rapid.SampledFrom([]Config{{Name: "ring"}, {Name: "all-to-all"}, {Name: "fft"},
			{Name: "all-reduce-ring", Bytes: 64}, {Name: "all-reduce-ring", Bytes: 64,
				Collective: Collective{Channels: 2}}, {Name: "npb-cg", Class: "S"}}).Draw(r, "pattern")
		if c.Name == "npb-cg" {
			n = 4
		}
		c.ComputeCycles = rapid.Int64Range(0, 9).Draw(r, "compute")
		c.PauseCycles = rapid.Int64Range(0, 9).Draw(r, "pause")
		per, err := MessagesPerIteration(c, n, nil)
		if err != nil || per == 0 {
			return
		}
		quota := per*int64(rapid.IntRange(1, 8).Draw(r, "iterations")) -
			rapid.Int64Range(0, per-1).Draw(r, "fewer")
		fresh := func() Program { return must.Have(New(c, n, nil, quota, seeded(1))) }
		full, times, _ := runSkipping(fresh(), -1, 0, 0)
		at := rapid.IntRange(0, len(full)-1).Draw(r, "at")
		skip := rapid.Int64Range(0, 9).Draw(r, "skip")
		sent, created, skippable := runSkipping(fresh(), at, skip, 1000)
		skip = min(skip, skippable)
		if len(sent) != len(full)-int(skip*per) || skip > 0 && len(sent) <= at {
			r.Fatalf("%d messages, %d without %d iterations of %d", len(full), len(sent), skip, per)
		}
		if skip > 0 {
			several++
		}
		one, _, _ := runSkipping(must.Have(New(c, n, nil, per, seeded(1))), -1, 0, 0)
		count := map[channelKey]int64{}
		for _, m := range full {
			count[channelKey{m.From, m.To, m.Tag}]++
		}
		for _, m := range sent {
			count[channelKey{m.From, m.To, m.Tag}]--
		}
		for _, m := range one {
			count[channelKey{m.From, m.To, m.Tag}] -= skip
		}
		for k, left := range count {
			if left != 0 {
				r.Fatalf("%+v: %d messages too few", k, left)
			}
		}
		for i := range sent {
			if passed := created[i] - times[min(i, len(times)-1)]; skip == 0 && passed != 0 &&
				(passed != 1000 || i < at) {
				r.Fatalf("message %d is sent in %d, before in %d", i, created[i], times[i])
			}
		}
	})
	if several < 20 {
		t.Errorf("%d times iterations were left out", several)
	}
}
