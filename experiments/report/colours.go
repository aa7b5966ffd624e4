package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
)

// pageColours are the colours of the page, as red, green and blue, in a light and in a dark theme.
// Styles name each --NAME.
var pageColours = []struct {
	name        string
	light, dark uint32
}{
	{"ground", 0xffffff, 0x14181c},
	{"panel", 0xf5f7f9, 0x1c2227},
	{"line", 0xd4dae1, 0x363f48},
	{"ink", 0x1b2026, 0xe6eaee},
	{"soft", 0x56606c, 0xa3afba},
	{"link", 0x0a5ca8, 0x82c2ff},
	{"good", 0x1a6b36, 0x72d592},
	{"bad", 0xa8231c, 0xff9a8f},
	{"focus", 0xd55e00, 0xffb45c},
	{"mark", 0x1b2026, 0xffffff},
	{"free", 0xdbe1e7, 0x303941},
	{"idle", 0xc6ced6, 0x424d57},
	{"stripe", 0xf7f9fa, 0x191e23},
	{"load1", 0xf0bd68, 0x6d4c20},
	{"load2", 0xea9436, 0x9d641d},
	{"load3", 0xd4661a, 0xd1801f},
	{"load4", 0xad3517, 0xf3ab48},
	{"load5", 0x6e0d1c, 0xffeab0},
	{"second", 0x0072b2, 0x56b4e9},
}

// jobColours are the colours of jobs, in a light and in a dark theme. Styles name them --job0 and
// so on.
var jobColours = [][2]uint32{
	{0x88ccee, 0x88ccee},
	{0xcc6677, 0xd9707f},
	{0xddcc77, 0xddcc77},
	{0x117733, 0x3da35d},
	{0xaa4499, 0xc468b4},
	{0x44aa99, 0x44aa99},
	{0x332288, 0x8479dd},
	{0xee8866, 0xee8866},
	{0x999933, 0xa5a53c},
	{0x882255, 0xc45890},
	{0x4477aa, 0x5f95cc},
	{0xbbcc33, 0xbbcc33},
}

// colourStyles returns the styles that define all colours. A browser without themes has the light
// ones.
func colourStyles() string {
	var light, both strings.Builder
	add := func(name string, inLight, inDark uint32) {
		fmt.Fprintf(&light, "  --%s: #%06x;\n", name, inLight)
		fmt.Fprintf(&both, "    --%s: light-dark(#%06x, #%06x);\n", name, inLight, inDark)
	}
	for _, c := range pageColours {
		add(c.name, c.light, c.dark)
	}
	for i, c := range jobColours {
		add(fmt.Sprint("job", i), c[0], c[1])
	}
	return ":root {\n" + light.String() + "}\n@supports (color: light-dark(#000, #fff)) {\n" +
		"  :root {\n" + both.String() + "  }\n}\n"
}

// jobGreys returns how light each colour of jobs is in print without colours, from 0 for black to
// 1 for white.
func jobGreys() (greys []float64) {
	for _, c := range jobColours {
		greys = append(greys, plot.Grey(uint8(c[0]>>16), uint8(c[0]>>8), uint8(c[0])))
	}
	return greys
}

// coloursOf returns the colours of the jobs in a recorded table, so that jobs differ that touch on
// the map or over time.
func coloursOf(plan *floor.Plan, table []byte) ([]int, error) {
	var rows struct {
		Start, End []float64
		Nodes      []json.RawMessage // a string, the number of a single node, or null
	}
	if err := json.Unmarshal(table, &rows); err != nil {
		return nil, err
	}
	jobs := make([]floor.Job, len(rows.Nodes))
	for i, text := range rows.Nodes {
		jobs[i] = floor.Job{Start: rows.Start[i], End: rows.End[i]}
		nodes, err := metrics.ParseNodes(strings.Trim(strings.TrimPrefix(string(text), "null"), `"`))
		if err != nil {
			return nil, err
		}
		jobs[i].Nodes = nodes
	}
	return floor.JobColours(jobs, len(plan.Cells), plan.NeighbourNodes(), jobGreys())
}
