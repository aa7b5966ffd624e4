package allocation

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Rows that are counted, by the machine's structure or hop by hop, are those of the table. The
// bound of a machine without structure holds, and is at most twice the greatest distance.
func TestRowsWithoutATable(t *testing.T) {
	slim := must.Have(topology.NewTree(topology.TreeConfig{Arity: 3, Levels: 4, UpPorts: []int{2},
		Nodes: 70}))
	shared := topologytest.Cube(t, topology.CubeConfig{Dims: []int{5, 4}, Wrap: []bool{true, false},
		Concentration: 3})
	for _, m := range []topology.Topology{topologytest.Tree(t, 4, 3, 0),
		topologytest.Tree(t, 2, 5, 27), slim, shared, topologytest.Mesh(t, 6, 5, 3),
		topologytest.Torus(t, []int{5, 6}, true, true),
		topologytest.Cplant(t), topologytest.Machine(t, "dragonfly:a4h2p2g7"),
		topologytest.Machine(t, "hyperx:3x4x2:p3"), topologytest.Sparse(t, 40), middleFirst(t)} {
		d, bounded := must.Have(NewRows(m)), homesOfMachine(m)
		if err := bounded.bound(m); err != nil || bounded.Max < d.Max || bounded.Max > 2*d.Max {
			t.Errorf("%T: %d hops at most, and the bound is %d, %v", m, d.Max, bounded.Max, err)
		}
		for _, metric := range []topology.Metric{m.(topology.Metric),
			hopsOnly{m, m.(topology.Metric)}} {
			other := homesOfMachine(m)
			other.count = metric
			counted := other.rows()
			for home := range int32(d.Homes) {
				if want, got := d.Row(home), counted.Row(home); !slices.Equal(got, want) {
					t.Fatalf("%T: from home %d %v, the table has %v", m, home, got, want)
				}
			}
		}
	}
}

// Distances that two bytes cannot hold are refused, with a table and without.
func TestDistancesHaveTwoBytes(t *testing.T) {
	chain := topology.GraphConfig{Routers: 1 << 17, Nodes: []topology.Router{0, 1<<17 - 1}}
	for r := range topology.Router(chain.Routers - 1) {
		chain.Links = append(chain.Links, topology.GraphLink{From: r, To: r + 1})
	}
	ends := must.Have(topology.NewGraph(chain))
	for _, m := range []topology.Topology{ends, topologytest.Mesh(t, 1<<17)} {
		if _, err := NewRows(m); err == nil || !strings.Contains(err.Error(), "131071 hops apart") {
			t.Errorf("%T: %v", m, err)
		}
	}
}

// The greatest distance of a machine of more routers than a table has room for is known.
func TestManyHomesNeedNoTable(t *testing.T) {
	large := topologytest.Cube(t, topology.CubeConfig{Dims: []int{maxHomes + 2, 1, 1, 1},
		Concentration: 2,
		Wrap:          []bool{true, false, false, false}})
	if d, err := NewDistances(large); err != nil || d.table != nil || d.Max != maxHomes/2+1 {
		t.Fatalf("distances %v, %v", d, err)
	}
	tall := topologytest.Tree(t, 2, 15, 0)
	if d, err := NewDistances(tall); err != nil || d.table != nil || d.Max != 28 {
		t.Fatalf("distances %v, %v", d, err)
	}
	if _, err := NewDistances(topologytest.Unnamed{Topology: large}); err == nil {
		t.Error("distances of a machine that does not count them")
	}
}

// hopsOnly hides that a machine is of a kind that the allocators know. It counts its hops one
// by one.
type hopsOnly struct {
	topology.Topology
	topology.Metric
}

// middleFirst returns a line of seven routers whose first node is in the middle.
func middleFirst(t testing.TB) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: 7, Nodes: []topology.Router{3, 0, 6, 1, 2, 4, 5}}
	for r := range topology.Router(6) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: r + 1})
	}
	return must.Have(topology.NewGraph(c))
}

// Sums of distances are the same by single hops and by rows, where there is no table.
func TestSumsWithoutATable(t *testing.T) {
	for _, m := range []topology.Topology{topologytest.Machine(t, "dragonfly:a8h2p2g17"),
		topologytest.Machine(t, "hyperx:9x4x4:p3"), topologytest.Sparse(t, 240)} {
		d := homesOfMachine(m)
		d.count = m.(topology.Metric)
		meter := newPairMeter(d.rows())
		for _, homes := range []int{2, fewHomes, fewHomes + 1, d.Homes} {
			nodes := append(slices.Clone(d.first[:homes]), d.first[1]+1) // two of one router
			if got, want := meter.Sum(nodes), sumOfPairs(m, nodes); got != int64(want) {
				t.Errorf("%T: %d homes have the sum %d, want %d", m, homes, got, want)
			}
		}
	}
}

// On a HyperX the sum over coordinates is that of the hops.
func TestSumsOnHyperX(t *testing.T) {
	m := topologytest.Machine(t, "hyperx:5x3x4:p3w2")
	meter, stream := PairSumOf(m, nil), rand.New(rand.NewPCG(3, 4))
	if _, is := meter.(*hyperMeter); !is {
		t.Fatalf("a %T adds up the hops", meter)
	}
	for range 50 {
		nodes := drawnNodes(stream, m.Nodes())
		if got, want := meter.Sum(nodes), sumOfPairs(m, nodes); got != int64(want) {
			t.Fatalf("%v: %d hops, want %d", nodes, got, want)
		}
	}
}

// drawnNodes draws some nodes of a machine.
func drawnNodes(stream *rand.Rand, nodes int) (drawn []topology.Node) {
	for _, n := range stream.Perm(nodes)[:1+stream.IntN(nodes)] {
		drawn = append(drawn, topology.Node(n))
	}
	return drawn
}

// sumOfPairs adds up the distances of all pairs.
func sumOfPairs(m topology.Topology, nodes []topology.Node) (sum int) {
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += m.(topology.Metric).Distance(a, b)
		}
	}
	return sum
}
