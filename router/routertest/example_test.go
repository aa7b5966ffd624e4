package routertest_test

import (
	"fmt"

	"contend/router"
	"contend/router/routertest"
	"contend/router/routes"
	"contend/router/topology"
)

// Dimension order keeps its contract on a mesh, and every route is a shortest one. Some
// have more than three channels.
func ExampleCheck() {
	mesh, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := router.NewWiring(mesh, 1, 1)
	x, err := routes.NewDimensionOrder(w, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(routertest.Check(w, x, routertest.Options{Minimal: true}))
	fmt.Println(routertest.Check(w, x, routertest.Options{MaxHops: 3}))
	// Output:
	// <nil>
	// a packet from node 0 to node 7 is not there after 3 channels
}
