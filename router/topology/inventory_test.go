package topology_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Inventories by hand: of a dragonfly of g groups of a routers with h global links and p nodes,
// g·a(a-1)/2 local and g·a·h/2 global links; of a 2:1 fat tree of 8 leaves with 16 nodes below 8
// spines, 64 links; of a HyperX of 4x4 with two links a pair, 2·4·6 of each dimension.
func TestInventoryByHand(t *testing.T) {
	for text, want := range map[string]topology.Inventory{
		"dragonfly:a8h4p4g33": {Nodes: 1056, Routers: 264, MaxPorts: 15, NodePorts: 1056,
			Links: []int{33 * 28, 33 * 16}},
		"fat-tree:16x8:8": {Nodes: 128, Routers: 16, MaxPorts: 24, NodePorts: 128, Links: []int{64}},
		"hyperx:4x4:p4w2": {Nodes: 64, Routers: 16, MaxPorts: 16, NodePorts: 64, Links: []int{48, 48}},
		"mesh:4x3":        {Nodes: 12, Routers: 12, MaxPorts: 5, NodePorts: 12, Links: []int{9, 8}},
		"fat-tree:4x4:2:b2r2": {Nodes: 16, Routers: 12, MaxPorts: 8, NodePorts: 32,
			Links: []int{2 * 4 * 2 * 2}},
	} {
		got := topology.InventoryOf(topologytest.Machine(t, text))
		if got.Nodes != want.Nodes || got.Routers != want.Routers || got.MaxPorts != want.MaxPorts ||
			got.NodePorts != want.NodePorts || !slices.Equal(got.Links, want.Links) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// Links of the bisection by hand, and the nodes of its smaller part: the rows or columns of a mesh,
// twice as many of a torus; of S routers in a line of a HyperX S²/4 links; of g groups of a
// dragonfly with n links a pair g²/4·n, and of those whose pairs have unequal numbers the fewest of
// all halves; of a fat tree the links up from half the subtrees, at the level where they are
// fewest. Of an odd number half of the middle row, or of its leaves, counts too.
func TestBisectionByHand(t *testing.T) {
	for text, want := range map[string][2]int{
		"mesh:4x8": {4, 16}, "mesh:16x4": {4, 32}, "mesh:5x4": {5, 10}, "mesh:9x4": {5, 18},
		"mesh:3x5": {4, 7}, "mesh:5x5x5": {31, 62}, "torus:4x4": {8, 8}, "torus:2x4": {4, 4},
		"hyperx:4x4:p4w2": {4 * 4 * 2, 32}, "hyperx:12x11:p8": {11 * 36, 66 * 8},
		"hyperx:5x3:p4": {16, 28}, "dragonfly:a8h4p4g33": {16 * 17, 16 * 32},
		"dragonfly:a4h2p2g2": {8, 8}, "dragonfly:a4h2p2g8": {16, 32}, "dragonfly:a8h3p6g8": {52, 192},
		"fat-tree:16x8:8": {32, 64}, "fat-tree:33x32:16": {16 * 16, 16 * 33}, "fat-tree:9x7:9": {27, 27},
		"fat-tree:4x4x4:2x4": {2 * 4 * 2, 32}, "fat-tree:4x4x4:4x2": {2 * 4 * 2, 32},
		"fat-tree:4x4x3:2x2": {4 + 4, 24}, "fat-tree:4x4:2:b2r2": {2 * 2 * 2 * 2, 8}, "tree:4x2": {8, 8},
	} {
		got, nodes, ok := topology.Bisection(topologytest.Machine(t, text))
		if got != want[0] || nodes != want[1] || !ok {
			t.Errorf("%s: %d links cut off %d nodes, %v, want %d", text, got, nodes, ok, want)
		}
	}
}

// No division of a drawn grid, HyperX or tree in parts of these numbers of nodes has fewer links,
// and no other parts are nearer to halves: all divisions of up to 15 routers are tried. A HyperX
// whose widths differ may have one with a few percent fewer.
func TestBisectionIsTheFewestLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for drawn := 0; drawn < 1000; drawn++ {
		a, b, c := 1+rng.IntN(7), 1+rng.IntN(5), 1+rng.IntN(4)
		wrap := []bool{rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0}
		width := []int{1 + rng.IntN(4), 1 + rng.IntN(4), 1 + rng.IntN(4)}
		var m topology.Topology
		switch drawn % 3 {
		case 0:
			m = must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{a, b, c}, Wrap: wrap,
				Concentration: width[0]}))
		case 1:
			m = must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{a, b, c}, Width: width}))
		case 2:
			m = must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: []int{width[0], b, c},
				Parents: []int{1 + rng.IntN(2), 1 + rng.IntN(2)}, Bundle: width[1:]}))
		}
		if m.Routers() > 15 || m.Routers() < 2 {
			drawn--
			continue
		}
		got, nodes, ok := topology.Bisection(m)
		if !ok && (drawn%3 != 2 || b*c > 1) {
			t.Fatalf("%T %v %v: no bisection", m, []int{a, b, c}, width)
		}
		fewest, part := fewestLinks(m, nodes)
		near := drawn%3 == 1 && slices.Min(width) < slices.Max(width) && got > fewest &&
			float64(got) <= 1.06*float64(fewest)
		if ok && (got != fewest && !near || nodes != part) {
			t.Errorf("%T %v wrap %v width %v: %d links cut off %d nodes, a division has %d and %d", m,
				[]int{a, b, c}, wrap, width, got, nodes, fewest, part)
		}
	}
}

// fewestLinks returns the fewest links that cut off so many nodes, and the most nodes up to half of
// them that some routers have.
func fewestLinks(m topology.Topology, nodes int) (fewest, part int) {
	type link struct{ r, s topology.Router }
	var links []link
	has := make([]int, m.Routers())
	for n := range topology.Node(m.Nodes()) {
		r, _ := m.Attach(n)
		has[r]++
	}
	for r := range topology.Router(m.Routers()) {
		for p := range topology.Port(m.Ports()) {
			if s, _, ok := m.Peer(r, p); ok && r < s {
				links = append(links, link{r, s})
			}
		}
	}
	fewest = 1 << 30
	for set := range uint32(1) << m.Routers() {
		in := 0
		for r, n := range has {
			in += int(set>>r&1) * n
		}
		if 2*in <= m.Nodes() {
			part = max(part, in)
		}
		if in != nodes {
			continue
		}
		cut := 0
		for _, l := range links {
			cut += int((set>>l.r ^ set>>l.s) & 1)
		}
		fewest = min(fewest, cut)
	}
	return fewest, part
}
