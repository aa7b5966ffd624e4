package mapping

import (
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// all returns the places of all nodes of a machine, in the order of their numbers.
func all(t *testing.T, short string) *Places {
	m := topologytest.Machine(t, short)
	var nodes []topology.Node
	for i := range topology.Node(m.Nodes()) {
		nodes = append(nodes, i)
	}
	return NewPlaces(m, must.Have(allocation.NewRows(m)), nodes)
}

// among returns traffic of ten bytes between each pair of four processes.
func among(pairs ...[2]int) Traffic {
	bytes := make([]int64, 16)
	for _, k := range pairs {
		bytes[4*k[0]+k[1]] = 10
	}
	return NewTraffic(4, bytes)
}

// Where two choices cost the same, the rule decides that is written beside each case.
func TestTiesOfBisection(t *testing.T) {
	for _, k := range []struct {
		rule, machine string
		traffic       Traffic
		want          []int32
	}{
		{"a square is cut across its later dimension, and of the starts the first one stays",
			"mesh:2x2", nil, []int32{0, 1, 2, 3}},
		// From place 0 the first of the furthest is 4, from there it is 0: 4 to 7 are the left half. From
		// 4 it is 6, from there 4: 6 and 7 are the left half of those.
		{"of the furthest places the first counts", "tree:2x3", nil, []int32{6, 7, 4, 5, 0, 1, 2, 3}},
		// All four save 10: 0 leaves the left half, for 2.
		{"of the processes of the left half that save as much the first moves", "mesh:4",
			among([2]int{0, 3}, [2]int{1, 2}), []int32{2, 0, 1, 3}},
		// 0 leaves the left half for 2 or 3, and stays with the other one.
		{"of those of the right half too", "mesh:4",
			among([2]int{0, 2}, [2]int{0, 3}), []int32{2, 0, 1, 3}},
	} {
		p := all(t, k.machine)
		if k.traffic == nil { // all divisions cost the same
			k.traffic = NewTraffic(p.n, make([]int64, p.n*p.n))
		}
		if got := p.Bisect(k.traffic); !slices.Equal(got, k.want) {
			t.Errorf("%s: %s: %v, want %v", k.machine, k.rule, got, k.want)
		}
	}
}
