package exact

import (
	"testing"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Cluster returns the best of all subsets, for all point sets of lines and rings of up
// to twelve places.
func TestCluster(t *testing.T) {
	for _, ring := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} {
		places := max(ring, 9*(1-min(ring, 1)))
		line, free := topologytest.Torus(t, []int{places}, ring > 0), make([]bool, places)
		for set := 1; set < 1<<places; set++ {
			if places == 12 && set%7 != 0 { // a sample is enough
				continue
			}
			var points []int
			for n := range free {
				if free[n] = set>>n&1 == 1; free[n] {
					points = append(points, n)
				}
			}
			for size := 1; size <= len(points); size++ {
				first, sum := new(window).cluster(points, size, ring)
				var chosen []topology.Node
				for i := range size {
					chosen = append(chosen, topology.Node(points[(first+i)%len(points)]))
				}
				if want := allocationtest.LeastApart(line.Distance, allocationtest.FreeSet(free).AppendTo(nil),
					size); int(sum) != want ||
					allocationtest.PairsApart(line, chosen) != want {
					t.Fatalf("%d of %v on ring %d: %v, %d; least is %d", size, points, ring, chosen, sum, want)
				}
			}
		}
	}
}
