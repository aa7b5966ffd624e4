package netsim

import (
	"fmt"
	"maps"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// waysOfNode returns the links of the packets of a node, in the order in which it sends them, while
// other nodes send too.
func waysOfNode(t *testing.T, c Config, node topology.Node, others int, again bool) map[int]string {
	t.Helper()
	n := must.Have(New(c))
	f := &flowWays{n.Wiring(), map[int64]string{}}
	n.Trace(f)
	last, own, number := topology.Node(c.Topology.Nodes()-1), map[int]string{}, int64(0)
	send := func(from topology.Node, packets int) {
		n.Send(Message{From: from, To: last - from, Flits: int32(packets * c.PacketFlits)})
		number += int64(packets)
	}
	if again { // a process before it
		send(node, 3)
	}
	n.Begin(node, 77)
	first := map[int]int64{}
	for i := range 12 {
		for k := range others {
			send(node+1+topology.Node(k), 1+k)
		}
		first[i] = number
		send(node, 2)
	}
	drain(t, n)
	for i, k := range first {
		for p := range 2 {
			own[2*i+p] = f.ways[k+int64(p)]
		}
	}
	return own
}

// What a routing draws for a packet depends on its process, its message and its place in that:
// neither on what other nodes send before nor on what another process of the node has sent.
func TestDrawsDependOnTheProcessAlone(t *testing.T) {
	for _, routing := range []string{"random", "ecmp"} {
		for _, perPair := range []int{3, FlowPerMessage} {
			c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{4, 4}, Parents: []int{4}}))
			c.Routing, c.FlowsPerPair = routing, perPair
			c.Engine, c.FlitByFlit = "worm", true
			alone := waysOfNode(t, c, 0, 0, false)
			ways := map[string]bool{}
			for _, way := range alone {
				ways[way] = true
			}
			if len(alone) != 24 || len(ways) < 2 {
				t.Errorf("%s, %d flows: %d packets take %d ways", routing, perPair, len(alone), len(ways))
			}
			for _, k := range []struct {
				others int
				again  bool
			}{{1, false}, {3, false}, {0, true}, {2, true}} {
				if got := waysOfNode(t, c, 0, k.others, k.again); !maps.Equal(got, alone) {
					t.Errorf("%s, %d flows, %+v: ways %v, alone %v", routing, perPair, k, fmt.Sprint(got),
						fmt.Sprint(alone))
				}
			}
		}
	}
}
