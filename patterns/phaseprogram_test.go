package patterns

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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
			_, err4 := Rehearse(must.Have(New(c, n, nil, int64(3*n-1), nil)),
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

// Tests of the random patterns.

// Each iteration draws a root, from which all others are reached once, or which all others reach.
// All processes are drawn.
func TestRootsAreDrawnAnew(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		if n == 1 {
			return
		}
		for _, name := range []string{"one-to-all", "all-to-one", "broadcast-tree"} {
			p := named(name, n)
			roots := map[Rank]bool{}
			for range 400 {
				iteration := slices.Concat(phasesOf(p)...)
				for i, m := range iteration {
					if name == "all-to-one" {
						iteration[i].From, iteration[i].To = m.To, m.From
					}
				}
				root := iteration[0].From
				reached := map[Rank]bool{root: true}
				for _, m := range iteration {
					if !reached[m.From] || reached[m.To] {
						t.Fatalf("%s: %v", name, iteration)
					}
					reached[m.To] = true
				}
				if roots[root] = true; len(reached) != n {
					t.Fatalf("%s: %v leaves processes out", name, iteration)
				}
			}
			if len(roots) != n {
				t.Errorf("%s: 400 iterations had the roots %v only", name, roots)
			}
		}
	})
}

func TestRandom(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		p := named("random", n)
		seen := map[Pair]int{}
		const iterations = 600
		for range iterations * p.Messages() / int64(n) {
			phase := p.Phase(nil, 0)
			for i, m := range phase {
				if m.From != Rank(i) || m.To == m.From {
					t.Fatalf("message %d is %v", i, m)
				}
				seen[Pair{m.From, m.To}]++
			}
		}
		if len(seen) != n*(n-1) {
			t.Errorf("%d of %d pairs were drawn", len(seen), n*(n-1))
		}
		// the mean is 600/(n-1) and, for n = 20, 31.6, with a deviation of 5.5
		for p, times := range seen {
			if mean := iterations / (n - 1); times < mean/4 || times > 2*mean+10 {
				t.Errorf("%v was drawn %d times, the mean is %d", p, times, mean)
			}
		}
	})
}
