package patterns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// configs draws a configuration, a suitable number of processes, a quota and a seed.
func configs(t *rapid.T) (c Config, n int, quota int64, seed uint64) {
	c = Config{
		Name:       rapid.SampledFrom(phaseNames()).Draw(t, "pattern").Name,
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
	cut := map[string]Cut{"process": CutProcess, "phase": CutPhase}[c.Cut]
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
				if int64(len(phase)) > left && cut != CutPhase {
					phase = cutPlainly(phase, int(left), cut)
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

func TestComputeBetweenPhases(t *testing.T) {
	a := []Message{{From: 0, To: 1, Flits: 1}}
	b := []Message{{From: 1, To: 0, Flits: 1, Delay: 3}}
	in := list{nil, a, b, nil, nil, a, nil}
	sent, _ := deliverAll(t, Barrier(&in, 10), 2, func(int) int { return 0 })
	var delays []int64
	for _, m := range sent {
		delays = append(delays, m.Delay)
	}
	// The empty phase before the first message counts, as do two after the second.
	if want := []int64{10, 13, 30}; !slices.Equal(delays, want) {
		t.Errorf("delays %v, want %v", delays, want)
	}
}
