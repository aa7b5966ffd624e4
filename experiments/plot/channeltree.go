package plot

import (
	"fmt"
	"math"
	"slices"

	"contend/router/topology"
)

// Measures of the strips of a tree, in units of the scene.
const (
	stripWidth = 12.0 // of the strips of all rails, and the gaps between them
	stripHigh  = 0.9  // of the cells
	stripPitch = 1.5  // from one strip to the next
	railGap    = 0.2  // between the strips of two rails
)

// treeChannels draws two rows of cells for each pair of levels: channels down and up. Where nodes
// have several network interfaces, a row has a strip for the plane of each of them.
func treeChannels(t *topology.FatTree, channels []FloorChannel) Scene {
	rows, rails := 2*(t.Levels()-1), t.Rails()
	strips := make([][]FloorChannel, rows*rails) // those of a row together, the lowest one first
	for _, c := range channels {
		at := rowOf(t, c)*rails + t.Rail(c.From)
		strips[at] = append(strips[at], c)
	}
	top := stripPitch * float64(rows)
	s := Scene{X: Axis{Min: new(0.0), Max: new(stripWidth)},
		Y: Axis{Min: new(0.0), Max: new(top)}, Equal: true}
	wide := (stripWidth - railGap*float64(rails-1)) / float64(rails)
	for i, strip := range strips {
		row, rail := i/rails, i%rails
		x, y := float64(rail)*(wide+railGap), stripPitch*float64(row)
		s.Tiles = append(s.Tiles, stripCells(inOrder(t, strip, row), x, y, wide)...)
		s.Strokes = append(s.Strokes, floorRectangle(x, y, x+wide, y+stripHigh))
	}
	for row := range rows {
		name := fmt.Sprintf("up from level %d to %d", row/2, row/2+1)
		if row%2 == 1 {
			name = fmt.Sprintf("down from level %d to %d", row/2+1, row/2)
		}
		s.Texts = append(s.Texts, Text{X: stripWidth / 2,
			Y: stripPitch*float64(row) + (stripHigh+stripPitch)/2, Words: name, Width: stripWidth,
			Height: stripPitch - stripHigh})
	}
	if rails > 1 {
		nameRails(&s, rails, wide, top)
	}
	return s
}

// nameRails writes the numbers of the rails above the strips.
func nameRails(s *Scene, rails int, wide, top float64) {
	const high = stripPitch - stripHigh
	s.Y.Max = new(top + high)
	for rail := range rails {
		s.Texts = append(s.Texts, Text{X: float64(rail)*(wide+railGap) + wide/2,
			Y: top + high/2, Words: fmt.Sprintf("rail %d", rail), Width: wide + railGap, Height: high})
	}
}

// rowOf returns the row of a channel: up and down of the lowest pair of levels come first.
func rowOf(t *topology.FatTree, c FloorChannel) int {
	from, _, _ := t.Place(c.From)
	to, _, _ := t.Place(c.To)
	if from < to {
		return 2 * from
	}
	return 2*to + 1
}

// inOrder returns the channels of a strip of a row by the lower router, then by its port.
func inOrder(t *topology.FatTree, strip []FloorChannel, row int) []FloorChannel {
	if row%2 == 1 {
		return byLowerRouter(t, strip)
	}
	return sortedBy(strip, func(c FloorChannel) int { return int(c.From)*t.Ports() + int(c.Port) })
}

// stripCells returns a cell for each channel of a strip that begins at x and y.
func stripCells(strip []FloorChannel, x, y, wide float64) (tiles []Tile) {
	cell := wide / float64(max(1, len(strip)))
	for n, c := range strip {
		tiles = append(tiles, Tile{X0: x + cell*float64(n), X1: x + cell*float64(n+1), Y0: y,
			Y1: y + stripHigh, Fill: Valued, Value: c.Value, Seamless: true})
	}
	return tiles
}

// byLowerRouter returns the channels down in the order of those up: by the lower router, then
// by its port.
func byLowerRouter(t *topology.FatTree, down []FloorChannel) []FloorChannel {
	ports := topology.Port(t.Ports())
	place := func(c FloorChannel) int {
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
