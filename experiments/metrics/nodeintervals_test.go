package metrics

import (
	"slices"
	"testing"

	"contend/router/topology"
)

// Nodes are written in order of number as intervals and read again. Other texts are refused.
func TestNodesText(t *testing.T) {
	for want, nodes := range map[string][]topology.Node{
		"":               nil,
		"7":              {7},
		"0-2":            {2, 0, 1},
		"0-2,32,40-47":   {32, 0, 2, 1, 47, 46, 45, 44, 43, 42, 41, 40},
		"1,3,5,100-101":  {101, 5, 3, 1, 100},
		"999999-1000000": {1000000, 999999},
	} {
		got := nodesText(nodes)
		var sorted []int
		for _, n := range slices.Sorted(slices.Values(nodes)) {
			sorted = append(sorted, int(n))
		}
		if read, err := ParseNodes(got); got != want || err != nil || !slices.Equal(read, sorted) {
			t.Errorf("%v: %s, want %s, read as %v, %v", nodes, got, want, read, err)
		}
	}
	for _, bad := range []string{"a", "3-1", "1,", "-4", "0-99999999999", "1--2"} {
		if nodes, err := ParseNodes(bad); err == nil {
			t.Errorf("%q is read as %v", bad, nodes)
		}
	}
}
