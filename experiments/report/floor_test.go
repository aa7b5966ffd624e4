package report

import (
	"strings"
	"testing"

	"contend/experiments/figure"
	"contend/netsim/topology"
)

// checkApart fails if two channels of a drawing overlap or one lies outside of it.
func checkApart(t *testing.T, name string, s figure.Scene) {
	t.Helper()
	var channels []figure.Tile
	for _, tile := range s.Tiles {
		if tile.Fill == figure.Valued {
			channels = append(channels, tile)
		}
	}
	const eps = 1e-9
	for i, a := range channels {
		if a.X0 < -eps || a.Y0 < -eps || a.X1 > *s.X.Max+eps || a.Y1 > *s.Y.Max+eps {
			t.Fatalf("%s: %+v lies outside", name, a)
		}
		for _, b := range channels[:i] {
			if a.X0 < b.X1-eps && b.X0 < a.X1-eps && a.Y0 < b.Y1-eps && b.Y0 < a.Y1-eps {
				t.Fatalf("%s: %+v and %+v overlap", name, a, b)
			}
		}
	}
}

// A graph without groups, which counts as one group, has rows as other machines have.
func TestOneGroupIsNoRow(t *testing.T) {
	c := topology.GraphConfig{Routers: 10}
	for r := range topology.Router(10) {
		c.Nodes = append(c.Nodes, r)
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % 10})
	}
	m, err := topology.NewGraph(c)
	if err != nil {
		t.Fatal(err)
	}
	if f := floorOf(m); strings.Contains(f.below, "group") || f.cells[9].column != 1 {
		t.Errorf("%q, and node 9 is in column %d", f.below, f.cells[9].column)
	}
}

// A machine of groups has a group in each row.
func TestGroupsAreRows(t *testing.T) {
	m, err := topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 2, GlobalLinks: 2,
		Concentration: 3})
	if err != nil {
		t.Fatal(err)
	}
	f := floorOf(m)
	if want := "A group of 6 nodes in each row, group 0 at the top"; f.below != want {
		t.Errorf("%q, want %q", f.below, want)
	}
	for n, c := range f.cells {
		if c.column != n%6 || c.row != 4-n/6 {
			t.Errorf("node %d is in column %d of row %d", n, c.column, c.row)
		}
	}
}
