package tree

import (
	"testing"

	"contend/allocation"
	"contend/router/topology/topologytest"
)

// The claims of Pascual, Navaridas and Miguel-Alonso, "Effects of Topology-Aware
// Allocation Policies on Scheduling Performance" (JSSPP 2009).

// Sec. 3: "up to k^i nodes can be allocated using stage-i switches".
func TestPascualLevels(t *testing.T) {
	for k := 2; k <= 5; k++ {
		for i, power := 1, k; i <= 5; i, power = i+1, power*k {
			m := topologytest.Tree(t, k, i+1, 0).FatTree
			if span, level := allocation.LevelOf(m, power); level != i || span != power {
				t.Errorf("%d nodes, k = %d: level %d of %d", power, k, level, span)
			}
			if _, level := allocation.LevelOf(m, power+1); level != i+1 {
				t.Errorf("%d nodes, k = %d: level %d", power+1, k, level)
			}
		}
	}
}
