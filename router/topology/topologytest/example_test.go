package topologytest_test

import (
	"fmt"

	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// far is a mesh that measures every distance one too long.
type far struct{ *topology.Cube }

func (f far) Distance(a, b topology.Node) int { return f.Cube.Distance(a, b) + 1 }

func ExampleCheck() {
	mesh, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(topologytest.Check(mesh))
	fmt.Println(topologytest.Check(far{mesh}))
	// Output:
	// <nil>
	// Distance(0, 0) is 1, but a shortest path has 0 channels
}
