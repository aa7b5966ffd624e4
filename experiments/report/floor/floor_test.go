package floor

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments/plot"
	"contend/internal/must"
	"contend/router/topology"
)

// checkApart fails if two channels of a drawing overlap or one lies outside of it.
func checkApart(t *testing.T, name string, s plot.Scene) {
	t.Helper()
	var channels []plot.Tile
	for _, tile := range s.Tiles {
		if tile.Fill == plot.Valued {
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
	m := must.Have(topology.NewGraph(c))
	if f := NewPlan(m); strings.Contains(f.Below, "group") || f.Cells[9].Column != 1 {
		t.Errorf("%q, and node 9 is in column %d", f.Below, f.Cells[9].Column)
	}
}

// A machine of groups has a group in each row.
func TestGroupsAreRows(t *testing.T) {
	m, err := topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 2, GlobalLinks: 2,
		Concentration: 3})
	if err != nil {
		t.Fatal(err)
	}
	f := NewPlan(m)
	if want := "A group of 6 nodes in each row, group 0 at the top"; f.Below != want {
		t.Errorf("%q, want %q", f.Below, want)
	}
	for n, c := range f.Cells {
		if c.Column != n%6 || c.Row != 4-n/6 {
			t.Errorf("node %d is in column %d of row %d", n, c.Column, c.Row)
		}
	}
}

// A row or block of a fat tree has the nodes below one router of the lowest level, or of several,
// however many those are.
func TestLeavesAreRows(t *testing.T) {
	for _, c := range []struct {
		children []int
		row      int
		below    string
	}{
		{[]int{40, 4}, 40, "Leaves in order of number, 40 in a row, below the routers of level 0"},
		{[]int{10, 9}, 10, "Leaves in order of number, 10 in a block, below the routers of level 0"},
		{[]int{12, 18}, 12, "Leaves in order of number, 12 in a block, below the routers of level 0"},
		{[]int{6, 3, 8}, 18, "Leaves in order of number, 18 in a block, below router levels 0 to 1"},
	} {
		m := must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: c.children}))
		f := NewPlan(m)
		if f.Below != c.below {
			t.Errorf("%v: %q, want %q", c.children, f.Below, c.below)
		}
		if f.Height > 1.1*f.Width {
			t.Errorf("%v: %v high and %v wide", c.children, f.Height, f.Width)
		}
		for n, at := range f.Cells[1:] {
			before := f.Cells[n]
			if within := (n+1)%c.row != 0; within != (at.Row == before.Row && at.X-before.X < 2) {
				t.Errorf("%v: nodes %d and %d are at %v and %v", c.children, n, n+1, before, at)
			}
		}
	}
}

// A map of channels calls the routers of a graph by their names.
func TestRoutersHaveTheirNames(t *testing.T) {
	c := topology.GraphConfig{Routers: 3, Names: []string{"edge-a", "edge-b", "core"}}
	for r := range topology.Router(3) {
		c.Nodes = append(c.Nodes, r)
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % 3})
	}
	g := must.Have(topology.NewGraph(c))
	m := ChannelMap{Channels: []Channel{{Link: "0", From: 0, To: 1, Value: 1}}, Label: "load"}
	d := m.Drawable(g).(plot.Figure)
	if !slices.Equal(d.Categories, c.Names) {
		t.Errorf("the columns are %q", d.Categories)
	}
	c.Names = nil
	g = must.Have(topology.NewGraph(c))
	if d := m.Drawable(g).(plot.Figure); d.Categories != nil {
		t.Errorf("without names the columns are %q", d.Categories)
	}
}
