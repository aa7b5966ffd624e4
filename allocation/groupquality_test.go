package allocation

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Groups are counted as a set of their numbers counts them, one time after the other.
func TestGroupsSpanned(t *testing.T) {
	machine := topologytest.Machine(t, "dragonfly:a4h2p2g7").(topology.Grouped)
	m := must.Have(NewGroupMeter(machine))
	stream := rand.New(rand.NewPCG(3, 1))
	for range 200 {
		var nodes []topology.Node
		groups := map[int]bool{}
		for _, n := range stream.Perm(machine.Nodes())[:1+stream.IntN(12)] {
			nodes = append(nodes, topology.Node(n))
			groups[n/8] = true // four routers of two nodes
		}
		if got := m.Spanned(nodes); got != len(groups) {
			t.Fatalf("nodes %v: %d groups, want %d", nodes, got, len(groups))
		}
	}
	for _, short := range []string{"mesh:4x4", "dragonfly:a4h2p2g1"} {
		if _, err := NewGroupMeter(topologytest.Machine(t, short)); err == nil {
			t.Errorf("%s has several groups", short)
		}
	}
}
