package routes_test

import (
	"fmt"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// The example of the package documentation: the channels offered to a packet at its first router.
func Example() {
	mesh := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}}))
	w := router.NewWiring(mesh, 2, 1)
	for _, name := range []string{"dimension-order", "west-first", "minimal-adaptive"} {
		for _, maker := range routes.Builtin() {
			if maker.Name != name || !maker.Suits(mesh) {
				continue
			}
			x := must.Have(maker.New(w, 1))
			h := router.Header{Source: 0, Destination: 8}
			fmt.Println(name)
			for _, c := range x.Route(nil, 0, w.Injection(0), &h, router.IdleView{Room: 2}) {
				fmt.Println("\t" + w.Describe(c))
			}
		}
	}
	// Output:
	// dimension-order
	// 	router (0,0)->(1,0) VC 0
	// 	router (0,0)->(1,0) VC 1
	// west-first
	// 	router (0,0)->(1,0) VC 0
	// 	router (0,0)->(1,0) VC 1
	// 	router (0,0)->(0,1) VC 0
	// 	router (0,0)->(0,1) VC 1
	// minimal-adaptive
	// 	router (0,0)->(1,0) VC 1
	// 	router (0,0)->(0,1) VC 1
	// 	router (0,0)->(1,0) VC 0
}
