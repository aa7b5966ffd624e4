package patterns

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// list is a communication of given phases.
type list [][]Message

func (l *list) Next(dst []Message) ([]Message, bool) {
	if len(*l) == 0 {
		return dst, false
	}
	dst = append(dst, (*l)[0]...)
	*l = (*l)[1:]
	return dst, true
}

// cutPlainly returns the first keep messages of a phase in the order of the cut, listed
// in the order of the phase.
func cutPlainly(phase []Message, keep int, cut Cut) []Message {
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
	if cut == CutRound {
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

// For phases in any order Quota returns the phases, with the last one cut by the plain
// rule.
func TestQuotaCutsTheLastPhase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.Custom(func(t *rapid.T) Message {
			return Message{From: Rank(rapid.IntRange(0, 5).Draw(t, "from")), To: 9,
				Tag: int32(rapid.IntRange(0, 99).Draw(t, "tag"))}
		})
		phases := rapid.SliceOfN(rapid.SliceOfN(message, 0, 12), 0, 5).Draw(t, "phases")
		q := rapid.IntRange(0, 40).Draw(t, "quota")
		cut := rapid.SampledFrom([]Cut{CutRound, CutProcess, CutPhase}).Draw(t, "cut")

		var want [][]Message
		left := q
		for _, phase := range phases {
			if left == 0 {
				break
			}
			if len(phase) > left && cut != CutPhase {
				phase = cutPlainly(phase, left, cut)
			}
			want = append(want, phase)
			left -= min(left, len(phase))
		}
		in := list(phases)
		got := collect(Quota(&in, int64(q), cut))
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	})
}

func TestWholeIterations(t *testing.T) {
	for _, c := range []struct{ q, messages, want int64 }{
		{1, 12, 12}, {12, 12, 12}, {13, 12, 24}, {5, 1, 5}, {5, 0, 5},
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
			p := must.Have(New(c, 4, nil, quota, rand.New(rand.NewPCG(1, 1))))
			sent := int64(len(inTime(t, p, 0, 0)))
			iteration, total, err := MessagesOf(c, 4, nil, quota)
			if per, _ := MessagesPerIteration(c, 4, nil); err != nil || total != sent || iteration != per {
				t.Errorf("%s, quota %d: %d of %d an iteration, sent %d: %v", c.Name, quota, total, iteration,
					sent, err)
			}
		}
	}
}
