package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/router/topology"
)

// Nodes are written in order of number as intervals, and those only reserved are among them.
func TestNodesText(t *testing.T) {
	for want, nodes := range map[string][]topology.Node{
		"":               nil,
		"7":              {7},
		"0-2":            {2, 0, 1},
		"0-2,32,40-47":   {32, 0, 2, 1, 47, 46, 45, 44, 43, 42, 41, 40},
		"1,3,5,100-101":  {101, 5, 3, 1, 100},
		"999999-1000000": {1000000, 999999},
	} {
		if got := nodesText(nodes); got != want {
			t.Errorf("%v: %s, want %s", nodes, got, want)
		}
	}
}

// What is written of nodes is read again, and other texts are refused.
func TestNodesAreReadAgain(t *testing.T) {
	nodes := []topology.Node{0, 1, 2, 7, 9, 10}
	got, err := ParseNodes(nodesText(nodes))
	if d := cmp.Diff([]int{0, 1, 2, 7, 9, 10}, got); err != nil || d != "" {
		t.Error(d, err)
	}
	for _, bad := range []string{"a", "3-1", "1,", "-4", "0-99999999999", "1--2"} {
		if nodes, err := ParseNodes(bad); err == nil {
			t.Errorf("%q is read as %v", bad, nodes)
		}
	}
}
