package netsim

import (
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// A link of a graph has its own delay and its own width in each direction: with room in the
// buffers the flits of a packet follow each other as the narrowest link of the way lets them.
func TestGraphLinksOfTheirOwn(t *testing.T) {
	g := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 3,
		Nodes: []topology.Router{0, 1, 2},
		Links: []topology.GraphLink{{From: 0, To: 1, Cycles: 3, FlitCycles: 4},
			{From: 2, To: 1, FlitCycles: 5, BackFlit: 2}}}))
	c := Default(g)
	c.BufferFlits = 8
	for _, engine := range []string{"auto", "cycle"} {
		c.Engine = engine
		for _, k := range []struct {
			from, to topology.Node
			want     Cycle
		}{
			// The head is sent to the narrowest link after one link and one routing; the tail
			// leaves seven flits later, and catches up with those before it.
			{0, 1, 1 + 2 + 7*4 + 3 + 1},
			{1, 0, 1 + 2 + 1 + 2 + 7*1 + 1}, // all links are alike: as wide as the last
			{0, 2, 1 + 2 + 7*4 + 3 + 1 + 1},
			{2, 0, 1 + 2 + 7*5 + 1 + 1 + 1},
			{1, 2, 1 + 2 + 7*2 + 1 + 1},
		} {
			n := must.Have(New(c))
			n.Send(Message{From: k.from, To: k.to, Flits: 8})
			if _, got, err := n.Advance(1000); err != nil || len(got) != 1 || got[0].Latency != k.want {
				t.Errorf("%s: from %d to %d %+v, %v, want %d cycles", engine, k.from, k.to, got, err, k.want)
			}
		}
	}
}
