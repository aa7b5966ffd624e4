package decide

import (
	"testing"

	"contend/allocation"
	"contend/netsim/topology"
)

// An answer that breaks the contract of allocators is an error.
func TestAnswersThatBreakTheContract(t *testing.T) {
	free := allocation.NewFreeSet(4)
	free.Take([]topology.Node{3})
	for _, k := range []struct {
		nodes []topology.Node
		want  string
	}{
		{[]topology.Node{0, 1}, ""},
		{[]topology.Node{0, 0}, "node 0 was granted twice"},
		{[]topology.Node{0, 3}, "node 3 is not free"},
		{[]topology.Node{0, 4}, "node 4 is not free"},
		{[]topology.Node{1}, "it granted 1 nodes for 2"},
		{[]topology.Node{1, 0, 2}, ""},
	} {
		got := ""
		if err := checkAnswer(k.nodes, free, 2); err != nil {
			got = err.Error()
		}
		if got != k.want {
			t.Errorf("%v: got %q, want %q", k.nodes, got, k.want)
		}
	}
}
