package netsim

import (
	"math"
	"testing"

	"contend/internal/must"
)

// A message of n full packets from a node at G cycles a flit: packet i begins
// i·ceil(L·G) cycles after the first, and all travel as on an empty network.
func TestSlowNodeBeginsPacketsAtItsOwnRate(t *testing.T) {
	for _, g := range []float64{1, 1.25, 2.0588, 3, 11.6667, 1000} {
		for _, length := range []int{1, 8, 64} {
			for _, engine := range []string{"cycle", "worm", "closed"} {
				c := Default(cube(t, false, 6))
				c.PacketFlits, c.InjectionFlitCycles, c.BufferFlits, c.CreditCycles, c.RoutingCycles = length,
					g, 4, 3, 0
				if c.Engine = engine; engine == "closed" {
					c.Engine, c.MessageFlits = "worm", 5*length
				}
				n := must.Have(New(c))
				n.Send(Message{From: 0, To: 4, Flits: int32(5 * length)})
				d := drain(t, n)
				want := 4*Cycle(math.Ceil(float64(length)*g)) + c.ZeroLoadLatency(4, length)
				if d[0].Delivered != want {
					t.Errorf("G = %v, L = %d, %s: %d cycles, want %d", g, length, engine, d[0].Delivered, want)
				}
			}
		}
	}
}
