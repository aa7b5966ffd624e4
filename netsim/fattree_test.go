package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

func fatTree(t *testing.T, c topology.FatTreeConfig) *topology.FatTree {
	t.Helper()
	m, err := topology.NewFatTree(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// railed is a fat tree of 12 nodes with three rails and bundles of two links.
func railed(t *testing.T) *topology.FatTree {
	return fatTree(t, topology.FatTreeConfig{Children: []int{3, 4}, Parents: []int{2},
		Bundle: []int{2}, Rails: 3})
}

// On an empty fat tree a packet takes what the closed form says for the way up and down, by
// any rail and any link of a bundle, in every engine.
func TestZeroLoadLatencyOfFatTrees(t *testing.T) {
	for name, m := range map[string]*topology.FatTree{"rails": railed(t),
		"levels": fatTree(t, topology.FatTreeConfig{Children: []int{2, 3, 2}, Parents: []int{1, 2},
			Bundle: []int{3, 1}})} {
		for _, routing := range []string{"d-mod-k", "s-mod-k", "random", "adaptive", "adaptive-credits"} {
			for _, engine := range []string{"cycle", "auto"} {
				c := Default(m)
				c.Engine, c.Routing = engine, routing
				zeroLoad(t, name+" "+routing, c, m.Distance)
				c.Rail = RailByDestination
				zeroLoad(t, name+" "+routing, c, m.Distance)
			}
		}
	}
}

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
			var list []timedMessage
			for i := range 600 {
				list = append(list, timedMessage{Cycle(i), Message{From: topology.Node(rng.IntN(12)),
					To: topology.Node(rng.IntN(12)), Flits: int32(1 + rng.IntN(40)), User: int32(i)}})
			}
			got := played(t, c, list)
			c.Topology = alone
			var want []string
			for _, part := range byRail(list, choice) {
				if len(part) < 100 {
					t.Fatalf("%d messages take a rail", len(part))
				}
				want = append(want, played(t, c, part)...)
			}
			slices.Sort(want)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s, choice %d: messages have other times on three rails than on planes alone",
					routing, choice)
			}
		}
	}
}

type timedMessage struct {
	at Cycle
	Message
}

// byRail divides messages by the rail of three that they take.
func byRail(list []timedMessage, choice RailChoice) (parts [3][]timedMessage) {
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

// played sends messages at their times and returns all deliveries.
func played(t *testing.T, c Config, list []timedMessage) (lines []string) {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	note := func(list []Delivery) {
		for _, d := range list {
			lines = append(lines, fmt.Sprintf("%+v", d))
		}
	}
	for _, k := range list {
		for n.Now() < k.at {
			_, d, err := n.Advance(k.at)
			if err != nil {
				t.Fatal(err)
			}
			note(d)
		}
		n.Send(k.Message)
	}
	note(drain(t, n))
	return lines
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
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		tr := Traffic{Load: k.bound * 1.1, Flits: 4,
			Destination: func(from topology.Node, _ *rand.Rand) topology.Node { return (from + 16) % 48 }}
		tr.Start(48, rand.New(rand.NewPCG(1, 1)))
		if err := tr.Run(n, 2000); err != nil {
			t.Fatal(err)
		}
		before := n.Totals().Flits
		if err := tr.Run(n, 6000); err != nil {
			t.Fatal(err)
		}
		got := float64(n.Totals().Flits-before) / 4000 / 48
		if got > k.bound*1.001 || got < 0.97*k.bound {
			t.Errorf("bundles of %d and %d rails accept %.4f flits per node and cycle, want %v", k.bundle,
				k.rails, got, k.bound)
		}
	}
}

// The channels of each interface of a node are the node's.
func TestInterfacesBelongToTheirNodes(t *testing.T) {
	n, err := New(Default(railed(t)))
	if err != nil {
		t.Fatal(err)
	}
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
