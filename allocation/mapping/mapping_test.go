package mapping_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/mapping"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// placesOf returns the places of nodes.
func placesOf(m topology.Topology, nodes []topology.Node) *mapping.Places {
	return mapping.NewPlaces(m, must.Have(allocation.NewRows(m)), nodes)
}

// drawNodes draws nodes of a machine, in a drawn order.
func drawNodes(m topology.Topology, n int, rng *rand.Rand) []topology.Node {
	nodes := make([]topology.Node, 0, n)
	for _, i := range rng.Perm(m.Nodes())[:n] {
		nodes = append(nodes, topology.Node(i))
	}
	return nodes
}

// isPermutation reports whether a mapping uses each place once.
func isPermutation(at []int32) bool {
	sorted := slices.Sorted(slices.Values(at))
	for i, place := range sorted {
		if int(place) != i {
			return false
		}
	}
	return true
}

// Every mapping puts one process on each node, and depends on which nodes there are and not on
// their order.
func TestMappingsArePermutations(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := topologytest.Machine(r, rapid.SampledFrom([]string{"mesh:5x4", "torus:4x4x2", "tree:3x3",
			"dragonfly:a4h2p1", "hyperx:4x3:p2", "fat-tree:4x4:2"}).Draw(r, "machine"))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		n := rapid.IntRange(1, m.Nodes()).Draw(r, "processes")
		bytes := make([]int64, n*n)
		for range rapid.IntRange(0, 3*n).Draw(r, "pairs") {
			bytes[rng.IntN(n*n)] += rng.Int64N(1 << uint(1+rng.IntN(50)))
		}
		traffic := mapping.NewTraffic(n, bytes)
		nodes := drawNodes(m, n, rng)
		other := slices.Clone(nodes)
		rng.Shuffle(n, func(i, j int) { other[i], other[j] = other[j], other[i] })
		seed := rng.Uint64()
		for name, mapped := range map[string]func(nodes []topology.Node) []int32{
			mapping.Random: func(k []topology.Node) []int32 {
				return mapping.Draw(k, rand.New(rand.NewPCG(seed, 0)))
			},
			mapping.RowMajor:  func(k []topology.Node) []int32 { return mapping.Sort(k, nil) },
			mapping.Bisection: func(k []topology.Node) []int32 { return placesOf(m, k).Bisect(traffic) },
			mapping.Greedy:    func(k []topology.Node) []int32 { return placesOf(m, k).Grow(traffic) },
		} {
			a, b := mapped(nodes), mapped(other)
			if len(a) != n || !isPermutation(a) {
				r.Fatalf("%s maps %d processes to %v", name, n, a)
			}
			for i := range a {
				if nodes[a[i]] != other[b[i]] {
					r.Fatalf("%s puts process %d on node %d, and with the nodes in another order on %d", name,
						i, nodes[a[i]], other[b[i]])
				}
			}
		}
	})
}

// gridTraffic is that of processes on a grid that exchange with their neighbours, a byte each way.
func gridTraffic(x, y int) mapping.Traffic {
	n := x * y
	bytes := make([]int64, n*n)
	for i := range n {
		if i%x+1 < x {
			bytes[i*n+i+1], bytes[(i+1)*n+i] = 1, 1
		}
		if i+x < n {
			bytes[i*n+i+x], bytes[(i+x)*n+i] = 1, 1
		}
	}
	return mapping.NewTraffic(n, bytes)
}

// Where the least is known, bisection finds it: four groups of four in four leaves exchange nothing
// between leaves, a chain on a line and a grid on a mesh of its sides only with neighbours.
func TestBisectionIsExactOnKnownCases(t *testing.T) {
	groups := make([]int64, 16*16)
	for i := range 16 {
		for j := range 16 {
			if i%4 == j%4 && i != j { // scattered by number
				groups[i*16+j] = 1000
			}
		}
	}
	for _, k := range []struct {
		machine string
		traffic mapping.Traffic
		want    int64
	}{
		{"fat-tree:4x4", mapping.NewTraffic(16, groups), 0},
		{"mesh:16", gridTraffic(16, 1), 2 * 15},
		{"mesh:4x4", gridTraffic(4, 4), 2 * 24},
		{"mesh:8x8", gridTraffic(8, 8), 2 * 112},
	} {
		m := topologytest.Machine(t, k.machine)
		for seed := range uint64(5) {
			nodes := drawNodes(m, len(k.traffic), rand.New(rand.NewPCG(seed, 1)))
			p := placesOf(m, nodes)
			if got := p.HopBytes(k.traffic, p.Bisect(k.traffic)); got != k.want {
				t.Errorf("%s: %d hop-bytes, want %d", k.machine, got, k.want)
			}
		}
	}
}

// By its traffic a job that exchanges between neighbours on a grid costs less than by the order of
// nodes, and much less than at random, wherever its nodes are. Where all exchange with all no
// mapping differs.
func TestMappingsByTrafficSaveHops(t *testing.T) {
	const jobs = 20
	for _, machine := range []string{"mesh:12x12", "torus:6x6x4", "fat-tree:12x12:3",
		"dragonfly:a6h3p2"} {
		m := topologytest.Machine(t, machine)
		sums := map[string]int64{}
		traffic := gridTraffic(8, 8)
		all := make([]int64, 64*64)
		for i := range all {
			all[i] = 1
		}
		alike := mapping.NewTraffic(64, all)
		for seed := range uint64(jobs) {
			rng := rand.New(rand.NewPCG(seed, 2))
			nodes := drawNodes(m, 64, rng)
			p := placesOf(m, nodes)
			random := mapping.Draw(nodes, rng)
			for name, at := range map[string][]int32{mapping.Random: random,
				mapping.RowMajor:  mapping.Sort(nodes, nil),
				mapping.Bisection: p.Bisect(traffic), mapping.Greedy: p.Grow(traffic)} {
				sums[name] += p.HopBytes(traffic, at)
			}
			if a, b := p.HopBytes(alike, p.Bisect(alike)), p.HopBytes(alike, random); a != b {
				t.Errorf("%s: all to all costs %d, and %d at random", machine, a, b)
			}
		}
		t.Logf("%s: %v", machine, sums)
		if 10*sums[mapping.Bisection] > 7*sums[mapping.Random] ||
			10*sums[mapping.Greedy] > 8*sums[mapping.Random] ||
			sums[mapping.Bisection] > sums[mapping.RowMajor] {
			t.Errorf("%s: hop-bytes %v", machine, sums)
		}
	}
}
