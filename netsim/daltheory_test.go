package netsim

import (
	"testing"

	"contend/netsim/topology"
)

// hyper returns a network on a HyperX with as many nodes a router as there are routers in the
// first dimension, and how many these are. Otherwise it is like that of fly.
func hyper(t *testing.T, routing string, dims ...int) (*topology.HyperX, Config, int) {
	t.Helper()
	m, err := topology.NewHyperX(topology.HyperXConfig{Dims: dims, Concentration: dims[0]})
	if err != nil {
		t.Fatal(err)
	}
	c := fly(t, routing)
	c.Topology = m
	return m, c, dims[0]
}

// On an empty network a packet takes a shortest path, in the time of the closed form.
func TestDALTakesNoDetourAlone(t *testing.T) {
	for _, dims := range [][]int{{5}, {3, 4}, {3, 2, 3}} {
		m, c, _ := hyper(t, "dal", dims...)
		for _, c.PacketFlits = range []int{1, 8} {
			allPairs(t, c, m)
		}
	}
}
