package floor

import (
	"fmt"
	"math"
	"strconv"

	"contend/experiments/plot"
	"contend/internal/decimal"
	"contend/router/topology"
)

// Channel is a network channel with a value, such as its load.
type Channel struct {
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
	Channels []Channel
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
func (m ChannelMap) Drawable(t topology.Topology) plot.Drawable {
	t = topology.Unwrap(t)
	colour := plot.Axis{Label: m.Label, Log: m.Log}
	if !m.Log {
		colour.Min = new(0.0)
		if _, high := plot.Span(valuesOf(m.Channels)); high <= 0 {
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
func (m ChannelMap) layOut(t topology.Topology) (s plot.Scene, how string, ok bool) {
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
	return plot.Scene{}, "", false
}

// blankZeros removes the colour of tiles and strokes whose value is 0, so that idle channels do not
// stand out. It reports whether there were any.
func blankZeros(s *plot.Scene) (found bool) {
	for i, t := range s.Tiles {
		if t.Fill == plot.Valued && t.Value <= 0 {
			s.Tiles[i].Fill, found = plot.Blank, true
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
func valuesOf(channels []Channel) (values []float64) {
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
func portHeatMap(m topology.Topology, channels []Channel, colour plot.Axis) plot.Figure {
	values, ports := map[[2]int]float64{}, 0
	for _, c := range channels {
		values[[2]int{int(c.From), int(c.Port)}] = c.Value
		ports = max(ports, int(c.Port)+1)
	}
	d := plot.Figure{Kind: plot.HeatMap, X: plot.Axis{Label: "Router"},
		Categories: routerNames(m),
		Y:          plot.Axis{Label: "Output port"}, Colour: colour,
		Aspect:      min(1, max(0.15, float64(ports)*0.06)),
		Description: matrixText}
	for p := range ports {
		s := plot.Series{Name: strconv.Itoa(p)}
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

// Measures of channels on a grid of routers one unit apart.
const (
	routerHalf = 0.22 // half the side of a router
	laneWidth  = 0.17 // width of a channel
	laneGap    = 0.02 // from the line that joins two routers to a channel
	edgeRoom   = 0.5  // around the routers of a layer
)

// gridChannels draws the channels of a grid between its routers. Traffic keeps to the right.
// A channel around the end of a dimension is drawn as a piece at each end. Channels along the
// third dimension and beyond are cells within the router that they leave.
func gridChannels(g topology.Grid, channels []Channel) plot.Scene {
	dims := g.Dims()
	l := layersOf(dims)
	s := plot.Scene{Equal: true, X: plot.Axis{Min: new(0.0), Max: new(l.width)},
		Y: plot.Axis{Min: new(0.0), Max: new(l.height)}}
	at := func(r topology.Router) (x, y float64) {
		x, y = l.at(g, r)
		return x + edgeRoom, y + edgeRoom
	}
	for r := range topology.Router(g.Routers()) {
		x, y := at(r)
		s.Tiles = append(s.Tiles, plot.Tile{X0: x - routerHalf, X1: x + routerHalf,
			Y0: y - routerHalf, Y1: y + routerHalf, Fill: plot.Faint})
		if l.count > 1 {
			s.Strokes = append(s.Strokes, rectangle(x-routerHalf, y-routerHalf, x+routerHalf,
				y+routerHalf))
		}
	}
	for _, c := range channels {
		x, y := at(c.From)
		x2, y2 := at(c.To)
		d, step := stepOf(g, c.From, c.To)
		switch {
		case d >= 2:
			s.Tiles = append(s.Tiles, cellOfPort(x, y, d, step, len(dims), c.Value))
		case g.Coordinate(c.To, d)-g.Coordinate(c.From, d) == step:
			s.Tiles = append(s.Tiles, lane(x, y, d, step, routerHalf, 1-routerHalf, c.Value))
		default: // around the end: a piece behind this router and one before the other
			s.Tiles = append(s.Tiles, lane(x, y, d, step, routerHalf, edgeRoom, c.Value),
				lane(x2, y2, d, step, -edgeRoom, -routerHalf, c.Value))
		}
	}
	s.Texts = l.headings(dims)
	return s
}

// stepOf returns the dimension in which two neighbours differ, and 1 or -1 for the direction from
// the first to the second. It compares coordinates, because a machine from outside may number its
// ports in any order.
func stepOf(g topology.Grid, from, to topology.Router) (d, step int) {
	for d, n := range g.Dims() {
		switch by := g.Coordinate(to, d) - g.Coordinate(from, d); {
		case by == 0:
			continue
		case by == 1, by == 1-n && n > 2: // around the end
			return d, 1
		}
		return d, -1
	}
	return 0, 1
}

// lane returns the tile of a channel along dimension d, between two distances from the router at
// x and y. It lies on the right of the channel's direction.
func lane(x, y float64, d, step int, from, to, value float64) plot.Tile {
	direction := float64(step)
	right := -direction // right of east is south
	if d == 1 {
		right = direction // right of north is east
	}
	along := [2]float64{direction * from, direction * to}
	across := [2]float64{right * laneGap, right * (laneGap + laneWidth)}
	if d == 1 {
		along, across = across, along
	}
	return plot.Tile{Fill: plot.Valued, Value: value,
		X0: x + min(along[0], along[1]), X1: x + max(along[0], along[1]),
		Y0: y + min(across[0], across[1]), Y1: y + max(across[0], across[1])}
}

// cellOfPort returns the tile of a channel along dimension d, from the third on: a cell within
// its router, on the left for the negative direction and on the right for the positive one.
func cellOfPort(x, y float64, d, step, dims int, value float64) plot.Tile {
	height := 2 * routerHalf / float64(dims-2)
	t := plot.Tile{Fill: plot.Valued, Value: value, X0: x - routerHalf, X1: x,
		Y0: y - routerHalf + height*float64(d-2)}
	if step > 0 {
		t.X0, t.X1 = x, x+routerHalf
	}
	t.Y1 = t.Y0 + height
	return t
}

// gridText says how to read the channels of a grid.
func gridText(g topology.Grid) string {
	text := "Squares are routers; of the two channels between neighbours, each is on the right " +
		"hand of its direction."
	if topology.Wraps(g) {
		text += " Channels around the machine are drawn as a piece at each end."
	}
	if len(g.Dims()) > 2 {
		text += " Channels to other layers are the cells of the router that they leave, downwards " +
			"on the left and upwards on the right."
	}
	return text
}
