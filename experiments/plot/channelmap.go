package plot

import (
	"fmt"
	"math"
	"strconv"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/router/topology"
)

// FloorChannel is a network channel with a value, such as its load.
type FloorChannel struct {
	// Link names the channel in the CSV table of a scene.
	Link string
	// From and To are the routers at its ends.
	From, To topology.Router
	// Port is its output port at From.
	Port topology.Port
	// Value is the number that is drawn, at least 0.
	Value float64
}

// ChannelMap draws values of the network channels on the machine.
type ChannelMap struct {
	// Channels are the network channels.
	Channels []FloorChannel
	// Label is that of the scale of colours, with the unit of the values.
	Label string
	// Log takes a logarithmic scale.
	Log bool
	// Subject is the title of the figure.
	Subject string
	// About is the beginning of its description, with a space at its end.
	About string
}

// Drawable returns the map on machine t: a Scene if t is a grid, a fat tree of several levels, or a
// machine of groups that fits on a circle, otherwise a heat map (Figure) with a row for each output
// port and a column for each router. In a scene, channels whose value is 0 have no colour.
func (m ChannelMap) Drawable(t topology.Topology) Drawable {
	t = config.Unwrap(t)
	colour := Axis{Label: m.Label, Log: m.Log}
	if !m.Log {
		colour.Min = new(0.0)
		if _, high := Span(valuesOf(m.Channels)); high <= 0 {
			colour.Max = new(1.0)
		}
	}
	s, how, ok := m.layOut(t)
	if !ok {
		d := portHeatMap(t, m.Channels, colour)
		d.Subject, d.Description = m.Subject, m.About+d.Description
		if m.Log {
			d.Description += " White: 0, or no channel."
		}
		return d
	}
	s.Description = m.About + how
	s.Colour, s.Subject = colour, m.Subject
	s.Table = [][]string{{"link", "from_router", "to_router", "value"}}
	for _, c := range m.Channels {
		s.Table = append(s.Table, []string{c.Link, fmt.Sprint(c.From), fmt.Sprint(c.To),
			decimal.Number(c.Value)})
	}
	if blankZeros(&s) {
		s.Description += " A channel whose value is 0 is white or, as a line, thin and grey."
	}
	return s
}

// layOut places the channels on a grid, a fat tree of several levels or a machine of groups, and
// returns a sentence that says how to read the picture. It reports false for any other machine.
// The caller adds title, scale of colours and table.
func (m ChannelMap) layOut(t topology.Topology) (s Scene, how string, ok bool) {
	if g, ok := gridOf(t); ok {
		return gridChannels(g, m.Channels), gridText(g), true
	}
	if f, ok := topology.FatTreeOf(t); ok && f.Levels() > 1 {
		how := "A row of cells for the channels between two levels in each direction, in the order of " +
			"the lower routers and their ports."
		if f.Rails() > 1 {
			how += " Each rail has a strip of its own."
		}
		return treeChannels(f, m.Channels), how, true
	}
	if g, ok := t.(topology.Grouped); ok && drawsGroups(g, m.Channels) {
		return groupChannels(g, m.Channels), groupText, true
	}
	return Scene{}, "", false
}

// blankZeros removes the colour of tiles and strokes whose value is 0, so that idle channels do not
// stand out. It reports whether there were any.
func blankZeros(s *Scene) (found bool) {
	for i, t := range s.Tiles {
		if t.Fill == Valued && t.Value <= 0 {
			s.Tiles[i].Fill, found = Blank, true
		}
	}
	for i, k := range s.Strokes {
		if k.Valued && k.Value <= 0 {
			s.Strokes[i].Valued, found = false, true
		}
	}
	return found
}

// valuesOf returns the values of channels.
func valuesOf(channels []FloorChannel) (values []float64) {
	for _, c := range channels {
		values = append(values, c.Value)
	}
	return values
}

// routerNames returns the names of the routers of a machine, nil where it has only numbers or
// names that do not tell them apart.
func routerNames(m topology.Topology) (names []string) {
	labelled, ok := m.(topology.Labelled)
	if !ok {
		return nil
	}
	numbers, known := true, map[string]bool{}
	for r := range topology.Router(m.Routers()) {
		names = append(names, labelled.Label(r))
		numbers = numbers && names[r] == fmt.Sprint(r)
		known[names[r]] = true
	}
	if numbers || len(known) < len(names) {
		return nil
	}
	return names
}

// matrixText explains the rows of cells of a machine without a drawing.
const matrixText = "A column for each router and a row for each of its output ports."

// portHeatMap returns a heat map of the values: a column for each router, a row for each output
// port up to the highest with a channel. A cell is blank if no channel leaves there or, on a
// logarithmic scale, if its value is 0.
func portHeatMap(m topology.Topology, channels []FloorChannel, colour Axis) Figure {
	values, ports := map[[2]int]float64{}, 0
	for _, c := range channels {
		values[[2]int{int(c.From), int(c.Port)}] = c.Value
		ports = max(ports, int(c.Port)+1)
	}
	d := Figure{Kind: HeatMap, X: Axis{Label: "Router"},
		Categories: routerNames(m),
		Y:          Axis{Label: "Output port"}, Colour: colour,
		Aspect:      min(1, max(0.15, float64(ports)*0.06)),
		Description: matrixText}
	for p := range ports {
		s := Series{Name: strconv.Itoa(p)}
		for r := range m.Routers() {
			v, ok := values[[2]int{r, p}]
			if !ok || colour.Log && v <= 0 {
				v = math.NaN()
			}
			s.Y = append(s.Y, v)
		}
		d.Series = append(d.Series, s)
	}
	return d
}
