package netsim_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/router"
)

// stepped is what a run shows: packets and entries in their order, and the use of all links.
type stepped struct {
	packets []router.Arrival
	entries []router.Entry
	usage   []router.Usage
}

// stepWith runs uniform traffic on a network that some threads step.
func stepWith(r *rapid.T, c netsim.Config, threads int, load float64, flits int32) (s stepped) {
	c.Threads = threads
	n := must.Have(netsim.New(c))
	n.ReportEntries()
	n.Watch(func(p *router.Arrival) { s.packets = append(s.packets, *p) })
	nodes := c.Topology.Nodes()
	tr := netsim.Traffic{Load: load, Flits: flits, Destination: netsim.Uniform(nodes)}
	tr.Start(nodes, rand.New(rand.NewPCG(1, 2)))
	for t := netsim.Cycle(20); t < 1500; t += 20 {
		if err := tr.Run(n, t); err != nil {
			r.Fatal(err)
		}
		s.entries = append(s.entries, n.Entries()...)
	}
	for l := range n.Wiring().Links() {
		s.usage = append(s.usage, n.Usage(router.Link(l)))
	}
	return s
}

// Any number of threads steps a network to the same packets, entries and uses of links, in the same
// order, also where cycles are so short that one thread goes on alone.
func TestThreadsGiveTheSameRuns(t *testing.T) {
	laws.AtMost(t, 10)
	rapid.Check(t, func(r *rapid.T) {
		c := drawRouted(r).Config
		if c.Topology.Nodes() < 2 {
			r.Skip("there is nobody to send to")
		}
		c.Engine, c.MessageFlits, c.MessageMultiple = "cycle", 0, 0
		load, flits := rapid.Float64Range(0.01, 0.5).Draw(r, "load"), int32(c.PacketFlits)
		want := stepWith(r, c, 1, load, flits)
		for _, threads := range []int{2, 3, 8} {
			if got := stepWith(r, c, threads, load, flits); !reflect.DeepEqual(got, want) {
				r.Fatalf("%d threads give another run", threads)
			}
		}
	})
}
