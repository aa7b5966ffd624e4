package netsim

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// The tests of ASTRA-sim's analytical network, congestion aware (astra-network-analytical, commit
// 599a047, test/test_congestion_aware.cpp and input/*.yml): chunks of 1 MiB on links of 50 GB/s, GB
// as 2^30 bytes, with a latency of 500 ns. A chunk has a link for 2^20 B / (50 · 2^30 B/s) = 19531
// ns and is at its other end after 20031 ns, which its events cut to whole nanoseconds. It moves on
// when it is there as a whole, in the order of arrival, and waits in queues of links without limit.
//
// So a chunk is a flit here and a cycle a nanosecond. A node is not its router: a message takes a
// cycle into the network and one out of it, and a node injects a chunk a cycle.
const (
	astraFlit = 19531
	astraLink = 20031
)

func astraSim(t topology.Topology) Config {
	c := Default(t)
	c.PacketFlits, c.BufferFlits, c.Switching = 1, 1<<14, router.StoreAndForward
	c.RoutingCycles, c.LinkCycles, c.FlitCycles = 0, astraLink, astraFlit
	c.NodeLinkCycles, c.NodeFlitCycles, c.CreditCycles, c.InputSpeedup = 1, 1, 1, 0
	return c
}

// endOfChunks sends messages at once and returns the cycle in which the last arrives.
func endOfChunks(t *testing.T, c Config, pairs ...[2]topology.Node) int64 {
	t.Helper()
	n := must.Have(New(c))
	for _, p := range pairs {
		n.Send(Message{From: p[0], To: p[1], Flits: 1})
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(1 << 40); err != nil {
			t.Fatal(err)
		}
	}
	return n.Now()
}

// A lone chunk from NPU 1 to NPU 4 takes what it takes in ASTRA-sim, and a cycle in and out.
func TestChunksOfASTRASim(t *testing.T) {
	full := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{16}}))
	star := astraSim(fatTree(t, topology.FatTreeConfig{Children: []int{16}}))
	star.NodeLinkCycles, star.NodeFlitCycles = astraLink, astraFlit // a switch has no other links
	for _, x := range []struct {
		name        string
		c           Config
		astra, more int64
	}{
		{"Ring", astraSim(cube(t, true, 16)), 60093, 2},
		{"FullyConnected", astraSim(full), 20031, 2},
		{"Switch", star, 40062, 0},
	} {
		got := endOfChunks(t, x.c, [2]topology.Node{1, 4})
		if got != x.astra+x.more {
			t.Errorf("%s: %d ns, want %d of ASTRA-sim and %d", x.name, got, x.astra, x.more)
		}
	}
}

// In its all-gather on a ring every NPU sends a chunk to every other. A link then carries 36
// chunks, and is never idle: 36 · 19531 + 2 · 500 ns. Here node 7 injects the 7 chunks that go
// back first, so the last link begins 7 cycles later. That is with a virtual channel for each
// chunk of a node. With the 2 that a ring needs, chunks for one side wait behind those for the
// other in the node's one channel into its router, where ASTRA-sim has a queue for each link.
func TestAllGatherOfASTRASim(t *testing.T) {
	if slow {
		return // TestChunksOfASTRASim checks invariants on these networks
	}
	var all [][2]topology.Node
	for i := range topology.Node(16) {
		for j := range topology.Node(16) {
			if i != j {
				all = append(all, [2]topology.Node{i, j})
			}
		}
	}
	c := astraSim(cube(t, true, 16))
	c.Routing = "dateline" // of two ways round that are as long all go upwards
	if two := endOfChunks(t, c, all...); two != 821305 {
		t.Errorf("%d ns with 2 virtual channels, was 821305", two)
	}
	c.VirtualChannels = 32 // 16 on each side of the dateline
	const astra, in, out, later = 704116, 1, 1, 7
	if got := endOfChunks(t, c, all...); got != astra+in+out+later {
		t.Errorf("%d ns, want %d of ASTRA-sim and %d", got, astra, in+out+later)
	}
}
