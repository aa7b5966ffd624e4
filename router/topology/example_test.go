package topology_test

import (
	"fmt"

	"contend/router/topology"
)

// Where a dimension wraps its ends are neighbours: port 0 leads to the lower one in the
// first dimension, port 3 to the higher one in the second.
func ExampleCube() {
	cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 3}, Wrap: []bool{true, false}})
	if err != nil {
		fmt.Println(err)
		return
	}
	corner := cube.At(0, 0)
	for port := range topology.Port(4) {
		if r, back, joined := cube.Peer(corner, port); joined {
			fmt.Printf("port %d leads to router %s, its port %d\n", port, cube.Label(r), back)
		}
	}
	fmt.Println("from node 0 to node 11 in", cube.Distance(0, 11), "channels")
	// Output:
	// port 0 leads to router (3,0), its port 1
	// port 1 leads to router (1,0), its port 0
	// port 3 leads to router (0,1), its port 2
	// from node 0 to node 11 in 3 channels
}
