package plot

import "contend/router/topology"

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
func gridChannels(g topology.Grid, channels []FloorChannel) Scene {
	dims := g.Dims()
	l := layersOf(dims)
	s := Scene{Equal: true, X: Axis{Min: new(0.0), Max: new(l.width)},
		Y: Axis{Min: new(0.0), Max: new(l.height)}}
	at := func(r topology.Router) (x, y float64) {
		x, y = l.at(g, r)
		return x + edgeRoom, y + edgeRoom
	}
	for r := range topology.Router(g.Routers()) {
		x, y := at(r)
		s.Tiles = append(s.Tiles, Tile{X0: x - routerHalf, X1: x + routerHalf,
			Y0: y - routerHalf, Y1: y + routerHalf, Fill: Faint})
		if l.count > 1 {
			s.Strokes = append(s.Strokes, floorRectangle(x-routerHalf, y-routerHalf, x+routerHalf,
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
func lane(x, y float64, d, step int, from, to, value float64) Tile {
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
	return Tile{Fill: Valued, Value: value,
		X0: x + min(along[0], along[1]), X1: x + max(along[0], along[1]),
		Y0: y + min(across[0], across[1]), Y1: y + max(across[0], across[1])}
}

// cellOfPort returns the tile of a channel along dimension d, from the third on: a cell within
// its router, on the left for the negative direction and on the right for the positive one.
func cellOfPort(x, y float64, d, step, dims int, value float64) Tile {
	height := 2 * routerHalf / float64(dims-2)
	t := Tile{Fill: Valued, Value: value, X0: x - routerHalf, X1: x,
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
