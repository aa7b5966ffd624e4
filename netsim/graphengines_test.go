package netsim

import (
	"fmt"
	"testing"

	"contend/netsim/topology"
)

// All engines agree packet for packet on graphs under up/down routing, below and beyond
// saturation: the closed form finds ways there in a table of its own.
func TestEnginesAgreeOnGraphs(t *testing.T) {
	for i, k := range []topology.GraphConfig{gridGraph(5), regularGraph(20), regularGraph(50)} {
		g, err := topology.NewGraph(k)
		if err != nil {
			t.Fatal(err)
		}
		for _, flits := range []int{8, 32} {
			c := Default(g)
			c.Routing, c.PacketFlits, c.MessageFlits = "up-down", flits, flits
			t.Run(fmt.Sprintf("%d flits=%d", i, flits), func(t *testing.T) {
				for _, load := range []float64{0.02, 0.3} {
					enginesAgree(t, c, load, 400)
				}
			})
		}
	}
}
