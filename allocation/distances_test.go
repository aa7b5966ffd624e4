package allocation

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// Rows that are counted are those of the table.
func TestRowsWithoutATable(t *testing.T) {
	slim, err := topology.NewTree(topology.TreeConfig{Arity: 3, Levels: 4, UpPorts: []int{2},
		Nodes: 70})
	if err != nil {
		t.Fatal(err)
	}
	shared := cube(t, topology.CubeConfig{Dims: []int{5, 4}, Wrap: []bool{true, false},
		Concentration: 3})
	for _, m := range []topology.Topology{tree(t, 4, 3, 0), tree(t, 2, 5, 27), slim, shared,
		mesh(t, 6, 5, 3), torus(t, []int{5, 6}, true, true), cplant(t),
		topologytest.Machine(t, "dragonfly:a4h2p2g7"), topologytest.Machine(t, "hyperx:3x4x2:p3"),
		sparse(t, 40)} {
		d, err := newDistances(m)
		if err != nil {
			t.Fatal(err)
		}
		other := homesOfMachine(m)
		other.count = m.(topology.Metric)
		counted := other.rows()
		for home := range int32(d.homes) {
			if want, got := d.row(home), counted.row(home); !slices.Equal(got, want) {
				t.Fatalf("%T: from home %d %v, the table has %v", m, home, got, want)
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
	ends, err := topology.NewGraph(chain)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []topology.Topology{ends, mesh(t, 1<<17)} {
		if _, err := newDistances(m); err == nil || !strings.Contains(err.Error(), "131071 hops apart") {
			t.Errorf("%T: %v", m, err)
		}
	}
}

// A machine of more routers than a table has room for allocates as smaller ones do, and its
// greatest distance is known.
func TestManyHomesNeedNoTable(t *testing.T) {
	line := func(routers int) *topology.Cube {
		return cube(t, topology.CubeConfig{Dims: []int{routers, 1, 1, 1}, Concentration: 2,
			Wrap: []bool{true, false, false, false}})
	}
	large, small := line(maxHomes+2), line(60)
	if d, err := NewDistances(large); err != nil || d.table != nil || d.most != maxHomes/2+1 {
		t.Fatalf("distances %v, %v", d, err)
	}
	tall := tree(t, 2, 15, 0)
	if d, err := NewDistances(tall); err != nil || d.table != nil || d.most != 28 {
		t.Fatalf("distances %v, %v", d, err)
	}
	if _, err := NewDistances(unnamed{large}); err == nil {
		t.Error("distances of a machine that does not count them")
	}
	for _, short := range []string{"gen-alg", "mm-inc"} {
		var got [2][]topology.Node
		for i, m := range []*topology.Cube{large, small} {
			free := NewFreeSet(m.Nodes())
			for n := range topology.Node(m.Nodes()) {
				if n%7 < 3 || n >= 50 {
					free.Take([]topology.Node{n})
				}
			}
			got[i], _ = makeAllocator(t, short, m).Allocate(nil, free, Request{Size: 9})
		}
		if len(got[0]) != 9 || !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %v on the large machine, %v on the small one", short, got[0], got[1])
		}
	}
}

// sparse returns a ring of routers with some chords, two nodes on every router but each third.
func sparse(t testing.TB, routers int) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: routers}
	for r := range topology.Router(routers) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % topology.Router(routers)})
		if r%7 == 0 {
			c.Links = append(c.Links, topology.GraphLink{From: r,
				To: (r*r + 11) % topology.Router(routers)})
		}
		if r%3 != 0 {
			c.Nodes = append(c.Nodes, r, r)
		}
	}
	m, err := topology.NewGraph(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
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
	m, err := topology.NewGraph(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The bound of a machine that is known by its hops only holds, and is at most twice the
// greatest distance.
func TestBoundOfDistances(t *testing.T) {
	for _, m := range []topology.Topology{topologytest.Machine(t, "dragonfly:a4h2p2g7"),
		topologytest.Machine(t, "hyperx:3x4x2:p3"), sparse(t, 40), mesh(t, 7, 3),
		middleFirst(t)} {
		d, err := newDistances(m)
		if err != nil {
			t.Fatal(err)
		}
		other := homesOfMachine(m)
		if err := other.bound(m); err != nil || other.most < d.most || other.most > 2*d.most {
			t.Errorf("%T: %d hops at most, and the bound is %d, %v", m, d.most, other.most, err)
		}
		other.count = hopsOnly{m, m.(topology.Metric)}
		counted := other.rows()
		for home := range int32(d.homes) {
			if want, got := d.row(home), counted.row(home); !slices.Equal(got, want) {
				t.Fatalf("%T: from home %d %v, the table has %v", m, home, got, want)
			}
		}
	}
}

// Allocators that count hops decide on 65,536 nodes of today's networks, whose 16,384 routers
// are more than a table has room for. On an otherwise full machine the choice is that among
// few free processors, so it can be done again by their distances.
func TestDecisionsOnLargeNetworksOfToday(t *testing.T) {
	for _, short := range []string{"dragonfly:a32h16p4g512", "hyperx:32x32x16:p4"} {
		m := topologytest.Machine(t, short)
		if m.Nodes() != 1<<16 {
			t.Fatalf("%s has %d nodes", short, m.Nodes())
		}
		d, err := NewDistances(m)
		if err != nil || d.table != nil {
			t.Fatalf("%s: %v", short, err)
		}
		for _, name := range []string{"gen-alg", "mm", "optimal"} {
			free := NewFreeSet(m.Nodes())
			for n := range topology.Node(m.Nodes()) {
				if n%5461 != 7 {
					free.Take([]topology.Node{n})
				}
			}
			left := free.AppendTo(nil)
			c, err := Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			a, err := NewAt(c, Site{Machine: m, Distances: func(topology.Topology) (*Distances, error) {
				return d, nil
			}})
			if err != nil {
				t.Fatalf("%s on %s: %v", name, short, err)
			}
			got, ok := a.Allocate(nil, free, Request{Size: 3})
			sum := pairsApart(m, got)
			if !ok || name == "optimal" && sum != closest(m, left) || sum > 2*closest(m, left) {
				t.Errorf("%s on %s: nodes %v with distances of %d, the closest have %d", name, short, got,
					sum, closest(m, left))
			}
		}
	}
}

// Sums of distances are the same by single hops and by rows, where there is no table.
func TestSumsWithoutATable(t *testing.T) {
	for _, m := range []topology.Topology{topologytest.Machine(t, "dragonfly:a8h2p2g17"),
		topologytest.Machine(t, "hyperx:9x4x4:p3"), sparse(t, 240)} {
		d := homesOfMachine(m)
		d.count = m.(topology.Metric)
		meter := newPairMeter(d.rows())
		for _, homes := range []int{2, fewHomes, fewHomes + 1, d.homes} {
			nodes := append(slices.Clone(d.first[:homes]), d.first[1]+1) // two of one router
			if got, want := meter.sum(nodes), pairsApart(m, nodes); got != int64(want) {
				t.Errorf("%T: %d homes have the sum %d, want %d", m, homes, got, want)
			}
		}
	}
}

// On a HyperX the sum over coordinates is that of the hops.
func TestSumsOnHyperX(t *testing.T) {
	m := topologytest.Machine(t, "hyperx:5x3x4:p3w2")
	meter, stream := pairSumOf(m, nil), rand.New(rand.NewPCG(3, 4))
	if _, is := meter.(*hyperMeter); !is {
		t.Fatalf("a %T adds up the hops", meter)
	}
	for range 50 {
		nodes := drawnFree(stream, m.Nodes(), 1+stream.IntN(m.Nodes())).AppendTo(nil)
		if got, want := meter.sum(nodes), pairsApart(m, nodes); got != int64(want) {
			t.Fatalf("%v: %d hops, want %d", nodes, got, want)
		}
	}
}

// pairsApart adds up the distances of all pairs.
func pairsApart(m topology.Topology, nodes []topology.Node) (sum int) {
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += m.(topology.Metric).Distance(a, b)
		}
	}
	return sum
}

// closest returns the least sum of distances of three nodes of a list.
func closest(m topology.Topology, list []topology.Node) int {
	least := 1 << 30
	for i := range list {
		for j := range i {
			for k := range j {
				least = min(least, pairsApart(m, []topology.Node{list[i], list[j], list[k]}))
			}
		}
	}
	return least
}
