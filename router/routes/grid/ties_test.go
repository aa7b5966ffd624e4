package grid

import (
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

// On a ring the shorter way is taken, and upwards where both are as long.
func TestShorterWayRound(t *testing.T) {
	for n := 3; n <= 9; n++ {
		cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{n}, Wrap: []bool{true}})
		if err != nil {
			t.Fatal(err)
		}
		w := router.NewWiring(cube, 2, 1)
		x, err := NewDimensionOrder(w, true)
		if err != nil {
			t.Fatal(err)
		}
		for from := range n {
			for ahead := 1; ahead < n; ahead++ {
				port := topology.Port(1)
				if 2*ahead > n {
					port = 0
				}
				want, _ := w.Out(topology.Router(from), port)
				to := topology.Node((from + ahead) % n)
				for _, c := range x.Route(nil, topology.Router(from), 0, &router.Header{Destination: to}, nil) {
					if w.LinkOf(c) != want {
						t.Errorf("%d routers, from %d to %d: by %s", n, from, to, w.Describe(c))
					}
				}
			}
		}
	}
}
