//go:build long

package deadlock_test

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// All kinds of machines: it takes minutes.
func init() {
	sides = append(sides, [][]int{{4}, {9}, {8, 6}, {3, 4, 5}, {5, 7}, {4, 5, 3}, {6, 2, 4}, {2, 2, 2,
		2}}...)
	heights = append(heights, []topology.TreeConfig{{Arity: 2, Levels: 1}, {Arity: 2, Levels: 5},
		{Arity: 4, Levels: 3}, {Arity: 4, Levels: 3, UpPorts: []int{1}},
		{Arity: 3, Levels: 3, UpPorts: []int{2, 3}}, {Arity: 5, Levels: 2, UpPorts: []int{3}}}...)
	maxBranching = 48
}

// A dragonfly of 1,056 nodes is checked in seconds under all of its routings.
func TestLongDeadlockOfALargeDragonfly(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h4p4g33")
	for _, maker := range routes.Builtin() {
		if !maker.Suits(m) {
			continue
		}
		w := router.NewWiring(m, maker.VirtualChannels(m), 1)
		x := must.Have(maker.New(w, 1))
		if err := deadlock.CheckDeadlock(w, x); err != nil {
			t.Errorf("%s: %v", maker.Name, err)
		}
	}
}
