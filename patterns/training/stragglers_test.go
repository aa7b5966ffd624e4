package training

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/patterns/tasks"
)

// A pipeline goes at the pace of its slowest stage, whichever that is.
func TestStragglerPacesPipeline(t *testing.T) {
	const p, m = 4, 32
	s := small()
	s.Pipeline, s.Layers, s.Microbatches, s.FlopRate = p, p, m, 1e9
	attention, perceptron := s.times()
	each := 3 * (attention + perceptron)
	g := must.Have(s.Graph(p))
	for slow := range p {
		factors := must.Have((&Stragglers{Factor: 2, Rank: slow, All: 1}).Factors(p, nil))
		got := runAlone(&tasks.Graph{Ranks: slowed(g, factors)}, 0)
		if least := 2 * m * each; got < least || got > least+2*(p-1)*each {
			t.Errorf("rank %d: %d cycles, want %d and at most a bubble", slow, got, least)
		}
	}
}

// slowed multiplies the times of a graph.
func slowed(g *tasks.Graph, factors []float64) (ranks [][]tasks.Task) {
	for r, list := range g.Ranks {
		list = slices.Clone(list)
		for i := range list {
			list[i].Time = int64(float64(list[i].Time) * factors[r])
		}
		ranks = append(ranks, list)
	}
	return ranks
}

func TestDrawnStragglers(t *testing.T) {
	const n = 2000
	s := Stragglers{Factor: 3, Rank: -1, Share: 0.25, All: 0.5}
	draw := func(seed uint64) []float64 {
		return must.Have(s.Factors(n, rand.New(rand.NewPCG(seed, 0))))
	}
	first := draw(1)
	if !slices.Equal(first, draw(1)) || slices.Equal(first, draw(2)) {
		t.Error("the seed does not decide who is slow")
	}
	slow := 0
	for _, f := range first {
		if f == 1.5 {
			slow++
		} else if f != 0.5 {
			t.Fatalf("a factor of %v", f)
		}
	}
	if slow < n/4-100 || slow > n/4+100 { // 5 standard deviations
		t.Errorf("%d of %d ranks are slow, want about %d", slow, n, n/4)
	}
	none := Stragglers{Factor: 1, Rank: -1, All: 1}
	if f := must.Have(none.Factors(n, nil)); f != nil {
		t.Error("factors without stragglers")
	}
	if _, err := (&Stragglers{Factor: 2, Rank: n, All: 1}).Factors(n, nil); err == nil {
		t.Error("a straggler that there is not")
	}
}
