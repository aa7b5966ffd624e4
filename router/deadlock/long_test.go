//go:build long

package deadlock_test

import "contend/netsim/topology"

// All kinds of machines: it takes minutes.
func init() {
	sides = append(sides, [][]int{{4}, {9}, {5, 7}, {4, 5, 3}, {6, 2, 4}, {2, 2, 2, 2}}...)
	heights = append(heights, []topology.TreeConfig{{Arity: 2, Levels: 1}, {Arity: 2, Levels: 5},
		{Arity: 4, Levels: 3}, {Arity: 4, Levels: 3, UpPorts: []int{1}},
		{Arity: 3, Levels: 3, UpPorts: []int{2, 3}}, {Arity: 5, Levels: 2, UpPorts: []int{3}}}...)
	mostBranching = 48
}
