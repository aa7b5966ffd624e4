package patterns

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// configs draws a configuration, a suitable number of processes, a quota and a seed.
func configs(t *rapid.T) (c Config, n int, quota int64, seed uint64) {
	c = Config{
		Name:       phasePatterns[rapid.IntRange(0, len(phasePatterns)-1).Draw(t, "pattern")].Name,
		Order:      rapid.SampledFrom([]string{"", "same", "rotated"}).Draw(t, "order"),
		Flits:      rapid.IntRange(0, 20).Draw(t, "flits"),
		Iterations: int64(rapid.IntRange(0, 4).Draw(t, "iterations")),
		Repeat:     rapid.IntRange(1, 3).Draw(t, "repeat"),
		Cut: rapid.SampledFrom([]string{"", "round", "process", "phase",
			"iteration"}).Draw(t, "cut"),
		Levels: rapid.IntRange(0, 4).Draw(t, "levels"),
	}
	n = rapid.IntRange(1, 20).Draw(t, "n")
	if c.Name == "fft" {
		n = 1 << (n % 5)
	}
	quota = int64(rapid.IntRange(0, 300).Draw(t, "quota"))
	if c.Iterations == 0 {
		quota++
	}
	return c, n, quota, rapid.Uint64().Draw(t, "seed")
}

// expected returns the phases that a program of New has to send, computed without it.
func expected(c Config, n int, quota int64, seed uint64) [][]Message {
	p := must.Have(NewPattern(c, n, nil, seeded(seed)))
	var want [][]Message
	sent := int64(0)
	for i := int64(0); p.Messages() > 0 && (c.Iterations == 0 || i < c.Iterations); i++ {
		if quota > 0 && sent >= quota {
			break
		}
		for k := range p.Phases() {
			phase := p.Phase(nil, k)
			left := quota - sent
			if quota > 0 && c.Cut != "iteration" {
				if left <= 0 {
					break
				}
				if int64(len(phase)) > left && c.Cut != "phase" {
					phase = cutPlainly(phase, int(left), c.Cut)
				}
			}
			want = append(want, phase)
			sent += int64(len(phase))
		}
	}
	return want
}

// For any pattern, quota and order of delivery, every phase goes out whole, in order,
// exactly when all messages of the previous phase have arrived.
func TestBarrierUnderAnyDelivery(t *testing.T) { rapid.Check(t, barrierUnderAnyDelivery) }

func FuzzPrograms(f *testing.F) { f.Fuzz(rapid.MakeFuzz(barrierUnderAnyDelivery)) }

// barrierUnderAnyDelivery checks one drawn program.
func barrierUnderAnyDelivery(r *rapid.T) {
	c, n, quota, seed := configs(r)
	p := must.Have(New(c, n, nil, quota, seeded(seed)))
	order := seeded(rapid.Uint64().Draw(r, "delivery"))
	sent, batches := deliverAll(r, p, n, order.IntN)
	checkBarriers(r, sent, batches, expected(c, n, quota, seed))
	if exact := c.Cut == "" || c.Cut == "round" ||
		c.Cut == "process"; n > 1 && c.Iterations == 0 && exact && int64(len(sent)) != quota {
		r.Fatalf("%d messages, the quota is %d", len(sent), quota)
	}
}

// phaseLists is a pattern of given phases.
type phaseLists [][]Message

func (l phaseLists) Phases() int                          { return len(l) }
func (l phaseLists) Messages() int64                      { return int64(len(slices.Concat(l...))) }
func (l phaseLists) Phase(dst []Message, k int) []Message { return append(dst, l[k]...) }

func TestComputeBetweenPhases(t *testing.T) {
	a := []Message{{From: 0, To: 1, Flits: 1}}
	b := []Message{{From: 1, To: 0, Flits: 1, Delay: 3}}
	p := newPhaseProgram(phaseLists{nil, a, b, nil, nil, a, nil},
		Config{Iterations: 1, ComputeCycles: 10}, 0)
	sent, _ := deliverAll(t, p, 2, func(int) int { return 0 })
	var delays []int64
	for _, m := range sent {
		delays = append(delays, m.Delay)
	}
	// The empty phase before the first message counts, as do two after the second.
	if want := []int64{10, 13, 30}; !slices.Equal(delays, want) {
		t.Errorf("delays %v, want %v", delays, want)
	}
}

// cutPlainly returns the first keep messages of a phase in the order of the cut, listed
// in the order of the phase.
func cutPlainly(phase []Message, keep int, cut string) []Message {
	order := make([]int, len(phase)) // of the messages
	round := make([]int, len(phase))
	for i := range phase {
		order[i] = i
		for _, m := range phase[:i] {
			if m.From == phase[i].From {
				round[i]++
			}
		}
	}
	if cut != "process" {
		slices.SortStableFunc(order, func(a, b int) int { return round[a] - round[b] })
	}
	order = order[:keep]
	slices.Sort(order)
	var kept []Message
	for _, i := range order {
		kept = append(kept, phase[i])
	}
	return kept
}

func TestWholeIterations(t *testing.T) {
	for _, c := range []struct{ q, messages, want int64 }{
		{1, 12, 12}, {12, 12, 12}, {13, 12, 24}, {5, 1, 5},
		{math.MaxInt64 - 1, 100, math.MaxInt64}, {math.MaxInt64, 1, math.MaxInt64},
	} {
		if got := wholeIterations(c.q, c.messages); got != c.want {
			t.Errorf("wholeIterations(%d, %d) = %d, want %d", c.q, c.messages, got, c.want)
		}
	}
}

// MessagesOf counts what the programs of New send.
func TestMessagesOf(t *testing.T) {
	for _, c := range []Config{{Name: "all-to-all"}, {Name: "n-body", Cut: "iteration"},
		{Name: "all-reduce-ring"}, {Name: "npb-is", Class: "S"}, {Name: "ring", Iterations: 2}} {
		for _, quota := range []int64{1, 11, 12, 13, 100} {
			sent := int64(len(played(t, c, 4, quota, 1)))
			iteration, total, err := MessagesOf(c, 4, nil, quota)
			if per, _ := MessagesPerIteration(c, 4, nil); err != nil || total != sent || iteration != per {
				t.Errorf("%s, quota %d: %d of %d an iteration, sent %d: %v", c.Name, quota, total, iteration,
					sent, err)
			}
		}
	}
}
