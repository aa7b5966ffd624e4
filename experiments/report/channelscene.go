package report

import (
	"fmt"
	"math"
	"strconv"

	"contend/experiments/decimal"
	"contend/experiments/figure"
	"contend/netsim/topology"
)

// channelLabels are the labels of the colours, by column of links.csv.
var channelLabels = map[string]string{
	"utilization_percent":   "Utilization (%)",
	"flits":                 "Flits",
	"held_cycles":           "Held (cycles)",
	"stalled_cycles":        "Stalled (cycles)",
	"waited_own_cycles":     "Waits for own job (cycles)",
	"waited_foreign_cycles": "Waits for other jobs (cycles)",
}

// channel is a network channel with a value.
type channel struct {
	link     string
	from, to topology.Router
	port     topology.Port // output port at from
	value    float64
}

// channelScene draws the load of channels on the machine.
func channelScene(k *recorded) (figure.Drawable, error) {
	plan, err := k.plan()
	if err != nil {
		return nil, err
	}
	metric := k.figure.Metric
	if metric == "" {
		metric = "utilization_percent"
	}
	channels, when, err := k.channels(metric)
	if err != nil {
		return nil, err
	}
	colour := figure.Axis{Label: channelLabels[metric]}
	if !k.logY {
		colour.Min = new(0.0)
		if _, high := span(valuesOf(channels)); high <= 0 {
			colour.Max = new(1.0)
		}
	}
	subject := fmt.Sprintf("Load of channels (%s)", k.pointText())
	about := fmt.Sprintf("%s of the network channels %s. First replication. ", metric, when)
	m := plan.Machine
	var s figure.Scene
	if g, ok := m.(topology.Grid); ok && flat(g.Dims()) {
		s = gridChannels(g, channels)
		about += gridText(g)
	} else if t, ok := m.(*topology.Tree); ok && t.Levels() > 1 {
		s = treeChannels(t, channels)
		about += "A row of cells for the channels between two levels in each direction, in the " +
			"order of the lower routers and their ports."
	} else {
		return matrixOfPorts(k, m, channels, colour, subject, about), nil
	}
	s.Colour, s.Subject, s.Description = colour, subject, about
	s.Table = [][]string{{"link", "from_router", "to_router", "value"}}
	for _, c := range channels {
		s.Table = append(s.Table, []string{c.link, fmt.Sprint(c.from), fmt.Sprint(c.to),
			decimal.Number(c.value)})
	}
	if k.logY {
		s.Colour.Log = true
		tiles := s.Tiles[:0]
		for _, t := range s.Tiles {
			if t.Fill == figure.Valued && t.Value <= 0 {
				t.Fill = figure.Blank
			}
			tiles = append(tiles, t)
		}
		s.Tiles = tiles
	}
	return s, nil
}

// valuesOf returns the values of channels.
func valuesOf(channels []channel) (values []float64) {
	for _, c := range channels {
		values = append(values, c.value)
	}
	return values
}

// channels returns the network channels with a column of links.csv, or with their load in the
// bin of load.csv that holds the time of the figure.
func (k *recorded) channels(metric string) (list []channel, when string, err error) {
	links, err := k.table("links", k.points[0])
	if err != nil {
		return nil, "", err
	}
	if err := links.has("link", "kind", "from_router", "from_port", "to_router", metric); err != nil {
		return nil, "", err
	}
	number := func(i int, column string) int {
		n, _ := strconv.Atoi(links.text(i, column))
		return n
	}
	for i := range links.rows {
		if links.text(i, "kind") == "network" {
			list = append(list, channel{links.text(i, "link"),
				topology.Router(number(i, "from_router")), topology.Router(number(i, "to_router")),
				topology.Port(number(i, "from_port")), links.number(i, metric)})
		}
	}
	if len(list) == 0 {
		return nil, "", k.bad("its runs have no network channels",
			`run jobs with messages, job.run = "messages"`)
	}
	if !k.figure.Timed() {
		return list, "over the whole run", nil
	}
	when, err = k.loadsAt(list)
	return list, when, err
}

// loadsAt sets the values of channels to their loads at the time of the figure.
func (k *recorded) loadsAt(list []channel) (when string, err error) {
	load, err := k.table("load", k.points[0])
	if err != nil {
		return "", err
	}
	if err := load.has("time", "duration", "link", "utilization_percent"); err != nil {
		return "", err
	}
	busy, end := map[string]float64{}, 0.0
	for i := range load.rows {
		end = max(end, load.number(i, "time")+load.number(i, "duration"))
	}
	at := k.figure.Moment(end)
	for i := range load.rows {
		from := load.number(i, "time")
		until := from + load.number(i, "duration")
		if from <= at && at < until {
			busy[load.text(i, "link")] = load.number(i, "utilization_percent")
			when = fmt.Sprintf("from time %s to %s", decimal.Significant(from, 9),
				decimal.Significant(until, 9))
		}
	}
	if at >= end {
		return "", k.bad(fmt.Sprintf("no flit moves at time %g or later", at),
			fmt.Sprintf("give a time below %s", decimal.Significant(end, 6)))
	}
	for i := range list {
		list[i].value = busy[list[i].link]
	}
	if when == "" {
		when = "at a time at which no flit moves"
	}
	return when, nil
}

// Measures of channels on a grid of routers one unit apart.
const (
	routerHalf = 0.22 // half the side of a router
	laneWidth  = 0.17 // width of a channel
	laneGap    = 0.02 // from the middle between two routers to a channel
	edgeRoom   = 0.5  // around the routers of a layer
)

// gridChannels draws the channels of a grid between its routers. Traffic keeps to the right.
// A channel around the end of a dimension is drawn as a piece at each end. Channels along the
// third dimension and beyond are cells within the router that they leave.
func gridChannels(g topology.Grid, channels []channel) figure.Scene {
	dims := g.Dims()
	layers, columns := layersOf(dims)
	rows := (layers + columns - 1) / columns
	w, h := float64(dims[0]-1)+2*edgeRoom, float64(dims[1]-1)+2*edgeRoom
	head := 0.0
	if layers > 1 {
		head = 0.8
	}
	pitch := w
	if layers > 1 {
		pitch += 0.6 // between layers
	}
	width, height := float64(columns)*pitch-(pitch-w), float64(rows)*(h+head)
	s := figure.Scene{Equal: true, X: figure.Axis{Min: new(0.0), Max: new(width)},
		Y: figure.Axis{Min: new(0.0), Max: new(height)}}
	corner := func(layer int) (x, y float64) {
		return float64(layer%columns) * pitch, height - float64(layer/columns+1)*(h+head)
	}
	at := func(r topology.Router) (x, y float64) {
		x, y = corner(layerNumber(g, r))
		return x + edgeRoom + float64(g.Coordinate(r, 0)), y + edgeRoom + float64(g.Coordinate(r, 1))
	}
	for r := range topology.Router(g.Routers()) {
		x, y := at(r)
		s.Tiles = append(s.Tiles, figure.Tile{X0: x - routerHalf, X1: x + routerHalf,
			Y0: y - routerHalf, Y1: y + routerHalf, Fill: figure.Faint})
		if layers > 1 {
			s.Strokes = append(s.Strokes, rectangle(x-routerHalf, y-routerHalf, x+routerHalf,
				y+routerHalf))
		}
	}
	for _, c := range channels {
		x, y := at(c.from)
		x2, y2 := at(c.to)
		d, step := direction(g, c)
		switch {
		case d >= 2:
			s.Tiles = append(s.Tiles, cellOfPort(x, y, d, step, len(dims), c.value))
		case g.Coordinate(c.to, d)-g.Coordinate(c.from, d) == step:
			s.Tiles = append(s.Tiles, lane(x, y, d, step, routerHalf, 1-routerHalf, c.value))
		default: // around the end: a piece behind this router and one before the other
			s.Tiles = append(s.Tiles, lane(x, y, d, step, routerHalf, edgeRoom, c.value),
				lane(x2, y2, d, step, -edgeRoom, -routerHalf, c.value))
		}
	}
	for layer := range layers {
		if x, y := corner(layer); layers > 1 {
			s.Texts = append(s.Texts, figure.Text{X: x + w/2, Y: y + h + head/2 - 0.1,
				Words: layerName(dims, layer), Width: w, Height: head})
		}
	}
	return s
}

// direction returns the dimension along which a channel leads and whether up, 1, or down, -1.
// Port 2d leads down dimension d and port 2d + 1 up; a machine of one's own may number them
// otherwise, so coordinates tell.
func direction(g topology.Grid, c channel) (d, step int) {
	for d = range g.Dims() {
		a, b, n := g.Coordinate(c.from, d), g.Coordinate(c.to, d), g.Dims()[d]
		switch {
		case a == b:
			continue
		case n == 2 && g.Wrap()[d]: // two channels between the same routers
			return d, 2*int(c.port%2) - 1
		case b-a == 1, b-a == 1-n:
			return d, 1
		}
		return d, -1
	}
	return 0, 1
}

// lane returns the tile of a channel from one distance of its router to another, on the right
// hand of who looks along it.
func lane(x, y float64, d, step int, from, to, value float64) figure.Tile {
	t := figure.Tile{Fill: figure.Valued, Value: value}
	a, b := float64(step)*from, float64(step)*to
	near, far := min(a, b), max(a, b)
	side := -float64(step) // right of east is south
	if d == 1 {
		side = float64(step) // right of north is east
	}
	low, high := side*laneGap, side*(laneGap+laneWidth)
	if low > high {
		low, high = high, low
	}
	if d == 0 {
		t.X0, t.X1, t.Y0, t.Y1 = x+near, x+far, y+low, y+high
	} else {
		t.X0, t.X1, t.Y0, t.Y1 = x+low, x+high, y+near, y+far
	}
	return t
}

// cellOfPort returns the tile of a channel along a dimension from the third on: a cell within
// its router, down on the left and up on the right.
func cellOfPort(x, y float64, d, step, dims int, value float64) figure.Tile {
	height := 2 * routerHalf / float64(dims-2)
	t := figure.Tile{Fill: figure.Valued, Value: value, X0: x - routerHalf, X1: x,
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

// treeChannels draws two rows of cells for each pair of levels: channels down and up.
func treeChannels(t *topology.Tree, channels []channel) figure.Scene {
	level := func(r topology.Router) int {
		l, _, _ := t.Place(r)
		return l
	}
	pairs := t.Levels() - 1
	strips := make([][]channel, 2*pairs) // up and down of the lowest pair first
	for _, c := range channels {
		if a, b := level(c.from), level(c.to); a < b {
			strips[2*a] = append(strips[2*a], c)
		} else {
			strips[2*b+1] = append(strips[2*b+1], c)
		}
	}
	const width, high, pitch = 12.0, 0.9, 1.5
	s := figure.Scene{X: figure.Axis{Min: new(0.0), Max: new(width)},
		Y: figure.Axis{Min: new(0.0), Max: new(pitch * float64(len(strips)))}, Equal: true}
	for i, strip := range strips {
		y := pitch * float64(i)
		if i%2 == 1 {
			strip = byLowerRouter(t, strip)
		} else {
			strip = sortedBy(strip, func(c channel) int { return int(c.from)*t.Ports() + int(c.port) })
		}
		cell := width / float64(max(1, len(strip)))
		for n, c := range strip {
			s.Tiles = append(s.Tiles, figure.Tile{X0: cell * float64(n), X1: cell * float64(n+1), Y0: y,
				Y1: y + high, Fill: figure.Valued, Value: c.value, Seamless: true})
		}
		name := fmt.Sprintf("up from level %d to %d", i/2, i/2+1)
		if i%2 == 1 {
			name = fmt.Sprintf("down from level %d to %d", i/2+1, i/2)
		}
		s.Strokes = append(s.Strokes, rectangle(0, y, width, y+high))
		s.Texts = append(s.Texts, figure.Text{X: width / 2, Y: y + (high+pitch)/2, Words: name,
			Width: width, Height: pitch - high})
	}
	return s
}

// byLowerRouter returns the channels down in the order of those up: by the lower router, then
// by its port.
func byLowerRouter(t *topology.Tree, down []channel) []channel {
	ports := topology.Port(t.Ports())
	place := func(c channel) int {
		for p := range ports {
			if r, q, ok := t.Peer(c.to, p); ok && r == c.from && q == c.port {
				return int(c.to)*int(ports) + int(p)
			}
		}
		return math.MaxInt
	}
	return sortedBy(down, place)
}

// matrixOfPorts draws a row of cells for each output port and a column for each router.
func matrixOfPorts(k *recorded, m topology.Topology, channels []channel, colour figure.Axis,
	subject, about string) figure.Figure {
	values, ports := map[[2]int]float64{}, 0
	for _, c := range channels {
		values[[2]int{int(c.from), int(c.port)}] = c.value
		ports = max(ports, int(c.port)+1)
	}
	colour.Log = k.logY
	d := figure.Figure{Kind: figure.HeatMap, X: figure.Axis{Label: "Router"},
		Y: figure.Axis{Label: "Output port"}, Colour: colour, Blank: true,
		Aspect: min(1, max(0.15, float64(ports)*0.06)), Subject: subject,
		Description: about + "A column for each router and a row for each of its output ports."}
	for p := range ports {
		s := figure.Series{Name: strconv.Itoa(p)}
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
