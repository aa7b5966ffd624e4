// Own-routing runs a network with a routing that contend does not have: minimal-
// adaptive with escape channels, beside dimension order.
package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"

	"own-routing/adaptive"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures both routings under traffic that dimension order does badly with.
func run(w io.Writer) error {
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
	if err != nil {
		return err
	}
	to, err := netsim.TrafficByName("transpose", machine)
	if err != nil {
		return err
	}
	for _, routing := range []string{"dimension-order", adaptive.Name} {
		c := netsim.Default(machine)
		c.Routes, c.Routing = append(router.Builtin(), adaptive.Maker()), routing
		c.VirtualChannels, c.BufferFlits, c.InputSpeedup = 4, 8, 0
		if err := c.CheckDeadlock(); err != nil {
			return err
		}
		n, err := netsim.New(c)
		if err != nil {
			return err
		}
		t := netsim.Traffic{Destination: to, Load: 0.3, Flits: 8}
		t.Start(machine.Nodes(), rand.New(rand.NewPCG(1, 0)))
		if err := t.Run(n, 20_000); err != nil {
			return err
		}
		total := n.Totals()
		fmt.Fprintf(w, "%-16s %d of %d messages delivered, mean latency %.1f cycles\n", routing,
			total.Messages, total.Messages+int64(n.Pending()),
			float64(total.Latency)/float64(total.Messages))
		if err := single(w, c); err != nil {
			return err
		}
	}
	return nil
}

// single sends one message from corner to corner.
func single(w io.Writer, c netsim.Config) error {
	n, err := netsim.New(c)
	if err != nil {
		return err
	}
	n.Send(netsim.Message{From: 0, To: 63, Flits: 8})
	_, arrived, err := n.Advance(1000)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%-16s one message over 14 channels: %d cycles, want %d\n", "",
		arrived[0].Latency, c.ZeroLoadLatency(14, 8))
	return err
}
