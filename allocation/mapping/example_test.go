package mapping_test

import (
	"fmt"

	"contend/allocation/mapping"
	"contend/internal/must"
	"contend/router/topology"
)

// The example of the package documentation: three pairs of processes on a line of six nodes.
func Example() {
	line := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{6}}))
	places := placesOf(line, []topology.Node{0, 1, 2, 3, 4, 5})
	const n = 6
	bytes := make([]int64, n*n)
	for i := range n / 2 {
		bytes[i*n+i+3] = 100
	}
	traffic := mapping.NewTraffic(n, bytes)
	for _, at := range [][]int32{{0, 1, 2, 3, 4, 5}, places.Grow(traffic), places.Bisect(traffic)} {
		sum := 0
		for i := range n / 2 {
			sum += 100 * line.Distance(topology.Node(at[i]), topology.Node(at[i+3]))
		}
		fmt.Println(at, sum, "hop-bytes")
	}
	// Output:
	// [0 1 2 3 4 5] 900 hop-bytes
	// [2 0 4 1 3 5] 500 hop-bytes
	// [4 0 2 5 1 3] 300 hop-bytes
}
