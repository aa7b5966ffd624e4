package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// byPairs is the objective by its definition, over all pairs. Distances come from the
// machine if it knows them.
func byPairs(d *allocation.Rows, order []topology.Node) float64 {
	sum := int64(0)
	for i, a := range order {
		for j, b := range order[:i] {
			gap := min(i-j, len(order)-i+j)
			sum += weightOf(gap) * int64(d.Row(d.Home[a])[d.Home[b]])
		}
	}
	return float64(sum) / weightUnit
}

func TestObjectiveIsTheSumOverPairs(t *testing.T) {
	for name, machine := range orderMachines(t) {
		if name == "8x8x5" && !allocationtest.Long {
			continue // takes long
		}
		d := must.Have(allocation.NewRows(machine))
		order := byNumber(machine)
		if got, want := float64(objective(d, order))/weightUnit, byPairs(d, order); got != want {
			t.Errorf("%s: objective %v, over pairs %v", name, got, want)
		}
	}
	// By hand: on a line of four with ring span, four pairs of ranks differ by 1, three
	// of one hop and one of three. Two pairs of two hops differ by 2.
	d, _ := allocation.NewRows(topologytest.Mesh(t, 4))
	if got, want := objective(d, byNumber(topologytest.Mesh(t, 4))),
		6*weightOf(1)+4*weightOf(2); got != want {
		t.Errorf("line of four: %d, want %d", got, want)
	}
}

// The predicted change of a move is its actual change, on machines of one node per
// router and of several, larger and smaller than the window.
func TestChangeIsTheDifference(t *testing.T) {
	for name, machine := range orderMachines(t) {
		if name == "irregular" { // the objective of the homes differs from that of the nodes
			continue
		}
		d, err := allocation.NewRows(machine)
		if err != nil || d.Homes < 4 {
			continue
		}
		s := newOrderSearch(d, homesOf(d, byNumber(machine)), rand.New(rand.NewPCG(1, 1)))
		cost := objective(d, s.nodes(machine))
		for range 400 {
			if !s.propose() {
				continue
			}
			change := s.change()
			s.apply()
			after := objective(d, s.nodes(machine))
			if after-cost != change {
				t.Fatalf("%s: a move from %v to %v adds %d, said %d", name, s.old, s.new, after-cost, change)
			}
			cost = after
		}
	}
}

// The optimized order is at least as good as every curve by its own objective, and
// better if possible. It is always the same. On a ring it is the known best order: the
// ring itself.
func TestOptimizedBeatsTheCurves(t *testing.T) {
	for name, machine := range orderMachines(t) {
		if name == "8x8x5" && !allocationtest.Long {
			continue // takes long
		}
		d := must.Have(allocation.NewRows(machine))
		order := makeOrder(t, Optimized, machine)
		checkOrder(t, name, machine, order)
		_, least := startingOrder(machine, d)
		cost := objective(d, order)
		t.Logf("%s: curves %d, optimized %d (%.1f%% less)", name, least, cost,
			100*(1-float64(cost)/float64(least)))
		if cost > least {
			t.Errorf("%s: optimized has %d, the best curve %d", name, cost, least)
		}
		switch name {
		case "8x8", "8x8x5", "other rows", "irregular":
			if float64(cost) > 0.98*float64(least) {
				t.Errorf("%s: optimized has %d, the best curve %d", name, cost, least)
			}
		case "ring":
			if !slices.Equal(order, byNumber(machine)) {
				t.Errorf("the ring is %v", order)
			}
		case "cplant":
			if !slices.Equal(order, makeOrder(t, Optimized, machine)) {
				t.Error("another order the second time")
			}
		}
	}
}
