package allocation

import (
	"slices"
	"testing"

	"contend/netsim/topology"
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
		mesh(t, 6, 5, 3), torus(t, []int{5, 6}, true, true), cplant(t)} {
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

// A machine of more routers than a table has room for allocates as smaller ones do, and its
// greatest distance is known.
func TestManyHomesNeedNoTable(t *testing.T) {
	line := func(routers int) *topology.Cube {
		return cube(t, topology.CubeConfig{Dims: []int{routers}, Concentration: 2,
			Wrap: []bool{true}})
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
