//go:build long

package report

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// Every kind of machine can be drawn, with a tile for each node and each channel.
func TestLongMachinesAreDrawn(t *testing.T) {
	for name, machine := range map[string]string{
		"torus":     "topology = \"torus\"\ndims = [4, 3]",
		"layers":    "topology = \"torus\"\ndims = [3, 3, 3]",
		"ring of 2": "topology = \"torus\"\ndims = [4, 2]",
		"four":      "dims = [3, 3, 2, 2]",
		"hypercube": "topology = \"hypercube\"\ndims = [4]",
		"line":      "dims = [12]",
		"tree":      "topology = \"tree\"\narity = 4\nlevels = 3",
		"slim tree": "topology = \"tree\"\narity = 3\nlevels = 3\nup_ports = [2]\nnodes = 20",
		"nodes":     "dims = [4, 4]\nconcentration = 3",
		"dragonfly": "topology = \"dragonfly\"\ngroup_routers = 2\nglobal_links = 2\nconcentration = 3",
	} {
		text := strings.Replace(experimentstest.RecordedStudy, "dims = [8, 6]", machine, 1)
		text = strings.Replace(text, "min = 1, max = 4", "min = 1, max = 2", 1)
		text = strings.Replace(text, `["mbs", "random"]`, `["random"]`, 1)
		r := experimentstest.Recorded(t, text, experimentstest.Everything)
		nodes := draw(t, r, study.Figure{Kind: "map"}).(plot.Scene)
		plan := configtest.Plan(t, r.Points[0].Spec)
		inside := 0
		for _, tile := range nodes.Tiles {
			if tile.X0 < 0 || tile.Y0 < -1e-9 || tile.X1 > *nodes.X.Max+1e-9 || tile.Y1 > *nodes.Y.Max+1e-9 {
				t.Errorf("%s: %+v lies outside of %v x %v", name, tile, *nodes.X.Max, *nodes.Y.Max)
			}
			if tile.Fill == plot.Hued || tile.Fill == plot.Blank {
				inside++
			}
		}
		if inside != plan.Machine.Nodes() {
			t.Errorf("%s: %d nodes are drawn, the machine has %d", name, inside, plan.Machine.Nodes())
		}
		channels := 0
		for _, l := range rowsOf(t, r, "links", 0) {
			if l["kind"] == "network" {
				channels++
			}
		}
		switch d := draw(t, r, study.Figure{Kind: "channel-load"}).(type) {
		case plot.Scene:
			if len(d.Table) != channels+1 {
				t.Errorf("%s: %d channels, want %d", name, len(d.Table)-1, channels)
			}
		case plot.Figure:
			cells := 0
			for _, s := range d.Series {
				for _, v := range s.Y {
					if !math.IsNaN(v) {
						cells++
					}
				}
			}
			if cells != channels {
				t.Errorf("%s: %d cells, want %d", name, cells, channels)
			}
		}
	}
}
