package floor

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"contend/experiments/plot"
	"contend/internal/must"
	"contend/router/topology"
)

// channelsOf returns the network channels of a machine with values from 1 up.
func channelsOf(m topology.Topology) (list []Channel) {
	for r := range topology.Router(m.Routers()) {
		for p := range topology.Port(m.Ports()) {
			if to, _, ok := m.Peer(r, p); ok {
				list = append(list, Channel{fmt.Sprint(len(list)), r, to, p, float64(len(list) + 1)})
			}
		}
	}
	return list
}

// On the map of a dragonfly a channel within a group is a cell of the square of its group, in the
// row of the router that it leaves and the column of the one it leads to; one between groups is
// a line that begins and ends where its routers stand and bends to the right.
func TestMapOfGroups(t *testing.T) {
	for _, c := range []topology.DragonflyConfig{{GroupRouters: 4, GlobalLinks: 2},
		{GroupRouters: 2, GlobalLinks: 1}, {GroupRouters: 8, GlobalLinks: 1, Groups: 2},
		{GroupRouters: 8, GlobalLinks: 4}} {
		m := must.Have(topology.NewDragonfly(c))
		channels := channelsOf(m)
		s := ChannelMap{Channels: channels, Label: "load", Subject: "Test"}.Drawable(m).(plot.Scene)
		if len(s.Table) != len(channels)+1 || s.Colour.Label != "load" {
			t.Errorf("%+v: %d rows for %d channels", c, len(s.Table), len(channels))
		}
		lines, cells := map[float64]plot.Stroke{}, map[float64]plot.Tile{}
		for _, k := range s.Strokes {
			if k.Valued {
				lines[k.Value] = k
			}
		}
		var routers []plot.Tile
		for _, tile := range s.Tiles {
			switch tile.Fill {
			case plot.Valued:
				cells[tile.Value] = tile
			case plot.Dark:
				routers = append(routers, tile)
			}
		}
		if len(routers) != m.Routers() || len(lines)+len(cells) != len(channels) {
			t.Fatalf("%+v: %d routers, %d lines and %d cells", c, len(routers), len(lines), len(cells))
		}
		at := func(r topology.Router) (x, y float64) {
			return (routers[r].X0 + routers[r].X1) / 2, (routers[r].Y0 + routers[r].Y1) / 2
		}
		for _, k := range channels {
			if m.Group(k.From) == m.Group(k.To) {
				continue
			}
			line := lines[k.Value]
			x0, y0 := at(k.From)
			x1, y1 := at(k.To)
			last, middle := len(line.X)-1, len(line.X)/2
			if math.Hypot(line.X[0]-x0, line.Y[0]-y0)+math.Hypot(line.X[last]-x1, line.Y[last]-y1) > 1e-9 {
				t.Errorf("%+v: the line of channel %s does not join its routers", c, k.Link)
			}
			cross := (x1-x0)*(line.Y[middle]-y0) - (y1-y0)*(line.X[middle]-x0)
			if cross >= 0 {
				t.Errorf("%+v: the line of channel %s bends to the left", c, k.Link)
			}
		}
		checkCells(t, m, cells, channels)
		checkApart(t, fmt.Sprint(c), s)
		if err := plot.Render(&bytes.Buffer{}, s, "svg"); err != nil {
			t.Error(err)
		}
	}
}

// checkCells fails unless the cells of the channels within a group are in the row of the router
// that they leave and the column of the one that they lead to.
func checkCells(t *testing.T, m *topology.Dragonfly, cells map[float64]plot.Tile,
	channels []Channel) {
	t.Helper()
	corner := map[int][2]float64{} // lower left corners of the groups' squares
	for _, k := range channels {
		if cell, ok := cells[k.Value]; ok {
			c, known := corner[m.Group(k.From)]
			if !known {
				c = [2]float64{math.Inf(1), math.Inf(1)}
			}
			corner[m.Group(k.From)] = [2]float64{min(c[0], cell.X0), min(c[1], cell.Y0)}
		}
	}
	for _, k := range channels {
		group := m.Group(k.From)
		if group != m.Group(k.To) {
			continue
		}
		cell, c, first := cells[k.Value], corner[group], group*m.GroupRouters()
		x := c[0] + (cell.X1-cell.X0)*float64(int(k.To)-first)
		y := c[1] + (cell.X1-cell.X0)*float64(int(k.From)-first)
		if math.Abs(cell.X0-x)+math.Abs(cell.Y0-y) > 1e-9 {
			t.Fatalf("channel %s is at %v, %v, want %v, %v", k.Link, cell.X0, cell.Y0, x, y)
		}
	}
}

// Parallel channels within a group share a cell, side by side.
func TestParallelChannelsShareACell(t *testing.T) {
	link := func(from, to topology.Router) topology.GraphLink {
		return topology.GraphLink{From: from, To: to}
	}
	m, err := topology.NewGraph(topology.GraphConfig{Routers: 4, Nodes: []topology.Router{0, 1, 2, 3},
		Groups: []int{0, 0, 1, 1},
		Links:  []topology.GraphLink{link(0, 1), link(0, 1), link(1, 2), link(2, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	s := ChannelMap{Channels: channelsOf(m), Label: "load"}.Drawable(m).(plot.Scene)
	checkApart(t, "parallel", s)
	var widths []string
	for _, tile := range s.Tiles {
		if tile.Fill == plot.Valued {
			widths = append(widths, fmt.Sprintf("%.3f", (tile.X1-tile.X0)/(tile.Y1-tile.Y0)))
		}
	}
	if got := fmt.Sprint(widths); got != "[0.500 0.500 0.500 0.500 1.000 1.000]" {
		t.Errorf("cells are as wide as %s of their height", got)
	}
}

// A machine that is no grid and no tree and has no groups has a row for each port.
func TestMapOfOtherMachines(t *testing.T) {
	m := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 3}}))
	d := ChannelMap{Channels: channelsOf(m), Label: "load"}.Drawable(m).(plot.Figure)
	if d.Kind != plot.HeatMap || len(d.Series) != 4 {
		t.Errorf("a %v of %d rows, want a heat map of 4", d.Kind, len(d.Series))
	}
}

// On the map of a fat tree with several rails the channels of each rail have strips of their own,
// and the strips say which.
func TestMapOfRails(t *testing.T) {
	m := must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: []int{2, 2, 2}, Rails: 3}))
	channels := channelsOf(m)
	s := ChannelMap{Channels: channels, Label: "load"}.Drawable(m).(plot.Scene)
	named := map[string]float64{}
	for _, text := range s.Texts {
		named[text.Words] = text.X
	}
	if len(s.Tiles) != len(channels) || len(s.Strokes) != 4*3 {
		t.Fatalf("%d cells in %d strips, want %d in 12", len(s.Tiles), len(s.Strokes), len(channels))
	}
	for _, tile := range s.Tiles {
		c := channels[int(tile.Value)-1]
		for rail := range 3 {
			middle, ok := named[fmt.Sprintf("rail %d", rail)]
			if near := math.Abs(tile.X0-middle) < 2.1; !ok || near != (m.Rail(c.From) == rail) {
				t.Errorf("a channel of rail %d is at %v, rail %d at %v (%v)", m.Rail(c.From), tile.X0,
					rail, middle, ok)
			}
		}
	}
	one := must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: []int{2, 2, 2}}))
	s = ChannelMap{Channels: channelsOf(one), Label: "load"}.Drawable(one).(plot.Scene)
	if len(s.Strokes) != 4 || len(s.Texts) != 4 {
		t.Errorf("%d strips and %d names of a tree without rails, want 4 and 4", len(s.Strokes),
			len(s.Texts))
	}
}

// A channel that carries nothing has no colour of the scale.
func TestIdleChannelsAreQuiet(t *testing.T) {
	m := must.Have(topology.NewFatTree(topology.FatTreeConfig{Children: []int{2, 2}}))
	for idle := range 2 {
		channels := channelsOf(m)
		for i := range idle {
			channels[i].Value = 0
		}
		s := ChannelMap{Channels: channels, Label: "load"}.Drawable(m).(plot.Scene)
		coloured := 0
		for _, tile := range s.Tiles {
			if tile.Fill == plot.Valued {
				coloured++
			}
		}
		said := strings.Contains(s.Description, "A channel whose value is 0 is white")
		if coloured != len(channels)-idle || said != (idle > 0) {
			t.Errorf("%d idle: %d of %d have a colour; the text says so: %v", idle, coloured,
				len(channels), said)
		}
	}
}
