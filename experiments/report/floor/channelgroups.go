package floor

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/experiments/plot"
	"contend/router/topology"
)

// groupText explains the drawing of a machine of groups to a reader.
const groupText = "Routers stand on a circle, group by group. Lines across are channels between " +
	"groups; of the two between the same routers, each bends to the right of its direction. The " +
	"square outside of a group has its channels within, a row for the router that a channel " +
	"leaves and a column for the one that it leads to, in their order from the lower left."

// maxChords is the maximum number of lines across a circle that a page can show.
const maxChords = 20_000

// drawsGroups reports whether a machine has groups that can be drawn as a circle.
func drawsGroups(g topology.Grouped, channels []Channel) bool {
	across := 0
	for _, c := range channels {
		if g.Group(c.From) != g.Group(c.To) {
			across++
		}
	}
	return g.Groups() > 1 && across > 0 && across <= maxChords
}

// Measures of a circle of groups with the radius 1.
const (
	groupShare     = 0.72 // share of the circle that routers take; gaps between groups take the rest
	squareDistance = 1.05 // of the inner edges of the squares from the middle
	chordBend      = 0.06 // distance of the middle of a line from the straight one, over its length
	nameDistance   = 0.07 // of the names of groups from their squares
)

// manyGroups is the minimum number of groups of a map that takes two columns.
const manyGroups = 17

// circle holds the places of groups and routers. The circle has the radius 1.
type circle struct {
	group  func(r topology.Router) int
	index  []int // of each router in its group
	size   []int // routers of each group
	groups int
	side   float64 // of the square of a group
	ring   float64 // distance of the middles of the squares from the middle of the circle
	names  float64 // distance of the names of groups from it
	middle float64 // both coordinates of the middle of the circle
}

// newCircle places the groups of a machine around the circle.
func newCircle(g topology.Grouped) *circle {
	c := &circle{group: g.Group, groups: g.Groups(), size: make([]int, g.Groups())}
	for r := range topology.Router(g.Routers()) {
		c.index = append(c.index, c.size[g.Group(r)])
		c.size[g.Group(r)]++
	}
	// Squares whose middles are a diagonal apart do not overlap, however they are turned.
	turn := math.Sin(math.Pi / float64(c.groups))
	c.side = min(0.5, math.Sqrt2*squareDistance*turn/(1-min(0.6, turn)))
	c.ring = squareDistance + c.side/math.Sqrt2
	c.names = c.ring + c.side/math.Sqrt2 + nameDistance
	c.middle = c.names + nameDistance
	return c
}

// angle returns the direction of a group from the middle: the first is at the top, and the
// others follow clockwise.
func (c *circle) angle(group int) float64 {
	return math.Pi/2 - 2*math.Pi*float64(group)/float64(c.groups)
}

// router returns the place of a router on the circle.
func (c *circle) router(r topology.Router) (x, y float64) {
	group := c.group(r)
	at := (float64(c.index[r])+0.5)/float64(c.size[group]) - 0.5
	angle := c.angle(group) - at*groupShare*2*math.Pi/float64(c.groups)
	return c.at(angle, 1)
}

// at returns the place in a direction at a distance from the middle.
func (c *circle) at(angle, distance float64) (x, y float64) {
	return c.middle + distance*math.Cos(angle), c.middle + distance*math.Sin(angle)
}

// cell returns the lower left corner and the side of the cell of a channel within a group.
func (c *circle) cell(from, to topology.Router) (x, y, side float64) {
	group := c.group(from)
	side = c.side / float64(c.size[group])
	x, y = c.corner(group)
	return x + side*float64(c.index[to]), y + side*float64(c.index[from]), side
}

// corner returns the lower left corner of the square of a group.
func (c *circle) corner(group int) (x, y float64) {
	x, y = c.at(c.angle(group), c.ring)
	return x - c.side/2, y - c.side/2
}

// groupChannels draws the channels of a machine of groups. The most loaded lines are on top.
func groupChannels(g topology.Grouped, channels []Channel) plot.Scene {
	c := newCircle(g)
	s := plot.Scene{Equal: true, X: plot.Axis{Min: new(0.0), Max: new(2 * c.middle)},
		Y: plot.Axis{Min: new(0.0), Max: new(2 * c.middle)}}
	if c.groups >= manyGroups {
		s.WidthMM = plot.TwoColumnMM
	}
	var chords []Channel
	type pair struct{ from, to topology.Router }
	parallel, drawn := map[pair]int{}, map[pair]int{}
	for _, k := range channels {
		parallel[pair{k.From, k.To}]++
	}
	for _, k := range channels {
		if g.Group(k.From) != g.Group(k.To) {
			chords = append(chords, k)
			continue
		}
		x, y, side := c.cell(k.From, k.To)
		lane := side / float64(parallel[pair{k.From, k.To}]) // parallel channels share the cell
		x += lane * float64(drawn[pair{k.From, k.To}])
		drawn[pair{k.From, k.To}]++
		s.Tiles = append(s.Tiles, plot.Tile{X0: x, X1: x + lane, Y0: y, Y1: y + side,
			Fill: plot.Valued, Value: k.Value})
	}
	slices.SortStableFunc(chords, func(a, b Channel) int { return cmp.Compare(a.Value, b.Value) })
	for _, k := range chords {
		s.Strokes = append(s.Strokes, c.chord(k))
	}
	for group := range c.groups {
		x, y := c.corner(group)
		s.Strokes = append(s.Strokes, rectangle(x, y, x+c.side, y+c.side))
		x, y = c.at(c.angle(group), c.names)
		s.Texts = append(s.Texts, plot.Text{X: x, Y: y, Words: fmt.Sprint(group), Width: 0.16,
			Height: 0.12})
	}
	half := min(0.02, 0.4*groupShare*2*math.Pi/float64(g.Routers()))
	for r := range topology.Router(g.Routers()) {
		x, y := c.router(r)
		s.Tiles = append(s.Tiles, plot.Tile{X0: x - half, X1: x + half, Y0: y - half, Y1: y + half,
			Fill: plot.Dark})
	}
	return s
}

// chord returns the line of a channel between groups: an arc that bends to the right of its
// direction.
func (c *circle) chord(k Channel) plot.Stroke {
	x0, y0 := c.router(k.From)
	x1, y1 := c.router(k.To)
	const pieces = 16
	s := plot.Stroke{Valued: true, Value: k.Value}
	for i := range pieces + 1 {
		t := float64(i) / pieces
		aside := 4 * chordBend * t * (1 - t)
		s.X = append(s.X, x0+t*(x1-x0)+aside*(y1-y0))
		s.Y = append(s.Y, y0+t*(y1-y0)-aside*(x1-x0))
	}
	return s
}

// Measures of the strips of a tree, in units of the scene.
const (
	stripWidth = 12.0 // of the strips of all rails, and the gaps between them
	stripHigh  = 0.9  // of the cells
	stripPitch = 1.5  // from one strip to the next
	railGap    = 0.2  // between the strips of two rails
)

// treeChannels draws two rows of cells for each pair of levels: channels down and up. Where nodes
// have several network interfaces, a row has a strip for the plane of each of them.
func treeChannels(t *topology.FatTree, channels []Channel) plot.Scene {
	rows, rails := 2*(t.Levels()-1), t.Rails()
	strips := make([][]Channel, rows*rails) // those of a row together, the lowest one first
	for _, c := range channels {
		at := rowOf(t, c)*rails + t.Rail(c.From)
		strips[at] = append(strips[at], c)
	}
	top := stripPitch * float64(rows)
	s := plot.Scene{X: plot.Axis{Min: new(0.0), Max: new(stripWidth)},
		Y: plot.Axis{Min: new(0.0), Max: new(top)}, Equal: true}
	wide := (stripWidth - railGap*float64(rails-1)) / float64(rails)
	for i, strip := range strips {
		row, rail := i/rails, i%rails
		x, y := float64(rail)*(wide+railGap), stripPitch*float64(row)
		s.Tiles = append(s.Tiles, stripCells(inOrder(t, strip, row), x, y, wide)...)
		s.Strokes = append(s.Strokes, rectangle(x, y, x+wide, y+stripHigh))
	}
	for row := range rows {
		name := fmt.Sprintf("up from level %d to %d", row/2, row/2+1)
		if row%2 == 1 {
			name = fmt.Sprintf("down from level %d to %d", row/2+1, row/2)
		}
		s.Texts = append(s.Texts, plot.Text{X: stripWidth / 2,
			Y: stripPitch*float64(row) + (stripHigh+stripPitch)/2, Words: name, Width: stripWidth,
			Height: stripPitch - stripHigh})
	}
	if rails > 1 {
		nameRails(&s, rails, wide, top)
	}
	return s
}

// nameRails writes the numbers of the rails above the strips.
func nameRails(s *plot.Scene, rails int, wide, top float64) {
	const high = stripPitch - stripHigh
	s.Y.Max = new(top + high)
	for rail := range rails {
		s.Texts = append(s.Texts, plot.Text{X: float64(rail)*(wide+railGap) + wide/2,
			Y: top + high/2, Words: fmt.Sprintf("rail %d", rail), Width: wide + railGap, Height: high})
	}
}

// rowOf returns the row of a channel: up and down of the lowest pair of levels come first.
func rowOf(t *topology.FatTree, c Channel) int {
	from, _, _ := t.Place(c.From)
	to, _, _ := t.Place(c.To)
	if from < to {
		return 2 * from
	}
	return 2*to + 1
}

// inOrder returns the channels of a strip of a row by the lower router, then by its port.
func inOrder(t *topology.FatTree, strip []Channel, row int) []Channel {
	if row%2 == 1 {
		return byLowerRouter(t, strip)
	}
	return sortedBy(strip, func(c Channel) int { return int(c.From)*t.Ports() + int(c.Port) })
}

// stripCells returns a cell for each channel of a strip that begins at x and y.
func stripCells(strip []Channel, x, y, wide float64) (tiles []plot.Tile) {
	cell := wide / float64(max(1, len(strip)))
	for n, c := range strip {
		tiles = append(tiles, plot.Tile{X0: x + cell*float64(n), X1: x + cell*float64(n+1), Y0: y,
			Y1: y + stripHigh, Fill: plot.Valued, Value: c.Value, Seamless: true})
	}
	return tiles
}

// byLowerRouter returns the channels down in the order of those up: by the lower router, then
// by its port.
func byLowerRouter(t *topology.FatTree, down []Channel) []Channel {
	ports := topology.Port(t.Ports())
	place := func(c Channel) int {
		for p := range ports {
			if r, q, ok := t.Peer(c.To, p); ok && r == c.From && q == c.Port {
				return int(c.To)*int(ports) + int(p)
			}
		}
		return math.MaxInt
	}
	return sortedBy(down, place)
}

// sortedBy returns the elements in rising order of a number, equal ones in their order.
func sortedBy[T any](list []T, by func(T) int) []T {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b T) int { return by(a) - by(b) })
	return list
}
