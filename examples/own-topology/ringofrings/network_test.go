package ringofrings

import (
	"testing"

	"contend/netsim"
	"contend/router/routes"
	"contend/router/topology"
)

// A network takes the topology and its routing without a registry, and a message that is
// alone on it takes the time of the closed form.
func TestNetworkWithoutRegistry(t *testing.T) {
	machine, err := New(4, 5)
	if err != nil {
		t.Fatal(err)
	}
	c := netsim.Default(machine)
	c.Routes = append(routes.Builtin(), Routing())
	if err := c.CheckDeadlock(); err != nil {
		t.Fatal(err)
	}
	n, err := netsim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	from, to := topology.Node(2), topology.Node(13)
	n.Send(netsim.Message{From: from, To: to, Flits: 8})
	_, arrived, err := n.Advance(1000)
	if err != nil {
		t.Fatal(err)
	}
	hops := machine.Distance(from, to)
	got, want := arrived[0].Latency, c.ZeroLoadLatency(hops, 8)
	if hops != 6 || got != want || got != 29 {
		t.Errorf("%d channels take %d cycles, want 6 and %d", hops, got, want)
	}
}
