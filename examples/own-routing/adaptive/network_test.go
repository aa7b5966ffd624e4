package adaptive

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// A network takes the routing without a registry, and delivers under transpose traffic
// what it delivered when the routing was written.
func TestNetworkWithoutRegistry(t *testing.T) {
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
	if err != nil {
		t.Fatal(err)
	}
	transpose, err := netsim.TrafficPattern{Name: "transpose"}.On(machine, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := netsim.Default(machine)
	c.Route = func(w *router.Wiring, _ uint64) (router.Routing, error) { return New(w, MostCredits) }
	c.VirtualChannels, c.BufferFlits, c.InputSpeedup = 4, 8, 0
	if err := c.CheckDeadlock(); err != nil {
		t.Fatal(err)
	}
	n, err := netsim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	traffic := netsim.Traffic{Destination: transpose.To, Load: 0.3, Flits: 8}
	traffic.Start(machine.Nodes(), rand.New(rand.NewPCG(1, 0)))
	if err := traffic.Run(n, 20_000); err != nil {
		t.Fatal(err)
	}
	total := n.Totals()
	got := fmt.Sprintf("%d of %d messages, mean latency %.1f", total.Messages,
		total.Messages+int64(n.Pending()), float64(total.Latency)/float64(total.Messages))
	if want := "41665 of 41750 messages, mean latency 37.8"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
