package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
)

// Planes share nothing: with several rails every message has the times that it has in a network
// of its plane alone, under the messages of that plane.
func TestPlanesShareNothing(t *testing.T) {
	m := railed(t)
	alone := fatTree(t, topology.FatTreeConfig{Children: []int{3, 4}, Parents: []int{2},
		Bundle: []int{2}})
	for _, routing := range []string{"d-mod-k", "adaptive-credits"} {
		for _, choice := range []RailChoice{RailInTurn, RailByDestination} {
			c := Default(m)
			c.Routing, c.Rail = routing, choice
			rng := rand.New(rand.NewPCG(2, 9))
			var list []timed
			for i := range 600 {
				list = append(list, timed{Cycle(i), Message{From: topology.Node(rng.IntN(12)),
					To: topology.Node(rng.IntN(12)), Flits: int32(1 + rng.IntN(40)), User: int32(i)}})
			}
			got := play(t, must.Have(New(c)), list)
			c.Topology = alone
			var want []Delivery
			for _, part := range byRail(list, choice) {
				if len(part) < 100 {
					t.Fatalf("%d messages take a rail", len(part))
				}
				want = append(want, play(t, must.Have(New(c)), part)...)
			}
			byUser := func(a, b Delivery) int { return int(a.User - b.User) }
			slices.SortFunc(want, byUser)
			if slices.SortFunc(got, byUser); !slices.Equal(got, want) {
				t.Errorf("%s, choice %d: messages have other times on three rails than on planes alone",
					routing, choice)
			}
		}
	}
}

// byRail divides messages by the rail of three that they take.
func byRail(list []timed, choice RailChoice) (parts [3][]timed) {
	sent := map[topology.Node]int{}
	for _, k := range list {
		rail := sent[k.From] % 3
		if choice == RailByDestination {
			rail = int(k.To) % 3
		}
		sent[k.From]++
		parts[rail] = append(parts[rail], k)
	}
	return parts
}

// Where all nodes of a leaf send to another leaf, the links up carry what they can: 16 nodes
// with 4 links up get a quarter of a flit a cycle each, with bundles of two links a half, and
// with two rails twice as much.
func TestTaperBoundsThroughput(t *testing.T) {
	for _, k := range []struct {
		bundle, rails int
		bound         float64
	}{{1, 1, 0.25}, {2, 1, 0.5}, {1, 2, 0.5}, {1, 4, 1}} {
		m := fatTree(t, topology.FatTreeConfig{Children: []int{16, 3}, Parents: []int{4},
			Bundle: []int{k.bundle}, Rails: k.rails})
		c := Default(m)
		c.BufferFlits, c.RoutingCycles, c.PacketFlits = 32, 0, 4
		n := must.Have(New(c))
		tr := started(n, Traffic{Load: k.bound * 1.1, Flits: 4,
			Destination: func(from topology.Node, _ *rand.Rand) topology.Node {
				return (from + 16) % 48
			}}, 1, 1)
		run(t, n, tr, 2000)
		before := n.Totals().Flits
		run(t, n, tr, 6000)
		got := float64(n.Totals().Flits-before) / 4000 / 48
		if got > k.bound*1.001 || got < 0.97*k.bound {
			t.Errorf("bundles of %d and %d rails accept %.4f flits per node and cycle, want %v", k.bundle,
				k.rails, got, k.bound)
		}
	}
}

// The channels of each interface of a node are the node's.
func TestInterfacesBelongToTheirNodes(t *testing.T) {
	n := must.Have(New(Default(railed(t))))
	seen := map[string]int{}
	for l := range router.Link(n.Wiring().Links()) {
		from, to := n.Wiring().Ends(l)
		switch n.Wiring().Kind(l) {
		case router.Injection:
			seen[fmt.Sprint("from ", from.Node, " by ", from.Rail)]++
		case router.Ejection:
			seen[fmt.Sprint("to ", to.Node, " by ", to.Rail)]++
		}
	}
	for node := range 12 {
		for rail := range 3 {
			from, to := fmt.Sprint("from ", node, " by ", rail), fmt.Sprint("to ", node, " by ", rail)
			if seen[from] != 1 || seen[to] != 1 {
				t.Errorf("%d channels %s, %d %s", seen[from], from, seen[to], to)
			}
		}
	}
}
