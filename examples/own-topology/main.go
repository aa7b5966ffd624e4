// Own-topology runs a network on a topology that contend does not have: a ring of
// rings, with a routing of its own.
package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"

	"own-topology/ringofrings"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures uniform traffic, and then one message on an empty network.
func run(w io.Writer) error {
	machine, err := ringofrings.Kind{}.Parse("4x5")
	if err != nil {
		return err
	}
	c := netsim.Default(machine)
	c.Routes = append(router.Builtin(), ringofrings.Routing())
	if err := c.CheckDeadlock(); err != nil {
		return err
	}
	n, err := netsim.New(c)
	if err != nil {
		return err
	}
	t := netsim.Traffic{Destination: netsim.Uniform(machine.Nodes()), Load: 0.1, Flits: 8}
	t.Start(machine.Nodes(), rand.New(rand.NewPCG(1, 0)))
	if err := t.Run(n, 20_000); err != nil {
		return err
	}
	total := n.Totals()
	fmt.Fprintf(w, "uniform traffic: %d messages, mean latency %.1f cycles\n",
		total.Messages, float64(total.Latency)/float64(total.Messages))
	return single(w, c)
}

// single sends one message from the far side of a ring to that of the ring across.
func single(w io.Writer, c netsim.Config) error {
	n, err := netsim.New(c)
	if err != nil {
		return err
	}
	from, to := topology.Node(2), topology.Node(13)
	n.Send(netsim.Message{From: from, To: to, Flits: 8})
	_, arrived, err := n.Advance(1000)
	if err != nil {
		return err
	}
	hops := c.Topology.(topology.Metric).Distance(from, to)
	fmt.Fprintf(w, "one message over %d channels: %d cycles, want %d\n",
		hops, arrived[0].Latency, c.ZeroLoadLatency(hops, 8))
	return nil
}
