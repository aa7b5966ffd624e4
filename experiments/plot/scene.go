package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/experiments/plot/limits"
)

// Scene is a figure of rectangles, lines and texts at given places: a machine with its
// nodes and channels, or jobs over time. Places are in units of the scene, with y
// upwards.
type Scene struct {
	// Subject and Description are those of a Figure.
	Subject, Description string
	// X and Y are the ranges of the scene. Their Min and Max are given. With a frame, they
	// are axes with ticks and labels; otherwise only the labels are drawn.
	X, Y Axis
	// Frame draws axes to the left and below.
	Frame bool
	// Equal makes a unit as long along y as along x.
	Equal bool
	// Tiles are drawn first, in this order.
	Tiles []Tile
	// Strokes are drawn over the tiles.
	Strokes []Stroke
	// Texts are drawn last.
	Texts []Text
	// Colour, if it has a label, is the scale of the tiles with a value. It stands beside
	// the scene.
	Colour Axis
	// Table is what CSV holds: a header and rows.
	Table [][]string
	// WidthMM and Aspect are those of a Figure. With Equal, the height follows from the
	// width.
	WidthMM, Aspect float64
}

// Tile is a filled rectangle.
type Tile struct {
	// X0 to X1 and Y0 to Y1 are its place, with X0 < X1 and Y0 < Y1.
	X0, Y0, X1, Y1 float64
	// Fill says what Hue and Value mean.
	Fill Fill
	// Hue is the number of a colour for labelled areas, from 0 to Hues-1.
	Hue int
	// Value is a value of the colour scale.
	Value float64
	// Rim draws a thin line around the tile.
	Rim bool
	// Seamless extends the tile under its right and upper neighbours, which are drawn
	// after it.
	Seamless bool
}

// Fill is the way in which a tile is filled.
type Fill int

const (
	// Blank fills a tile with the white of the paper.
	Blank Fill = iota
	// Hued fills it with the light colour of its Hue.
	Hued
	// Valued fills it with the colour of its Value.
	Valued
	// Faint fills it with light grey.
	Faint
	// Dark fills it with dark grey.
	Dark
)

// Stroke is a line through points.
type Stroke struct {
	// X and Y are the points, two or more.
	X, Y []float64
	// Bold draws it wider than the axes, otherwise it is a thin grey line.
	Bold bool
	// Valued draws it in the colour of its Value instead, and the wider the darker it is.
	Valued bool
	// Value is a value of the colour scale.
	Value float64
}

// Text is a line of text.
type Text struct {
	// X and Y are its middle.
	X, Y float64
	// Words is the text.
	Words string
	// Width and Height are the room for it, in units of the scene. It is left out where
	// it does not fit. The value 0 means any.
	Width, Height float64
}

// Hues is the number of light colours for labelled areas. Black text is legible on each.
const Hues = 8

// maxTiles limits a scene to what a reader can draw.
const maxTiles = 500_000

// checked returns the scene with defaults applied, or an error that says what is wrong.
func (s Scene) checked() (Scene, error) {
	s.WidthMM, s.Aspect = cmp.Or(s.WidthMM, OneColumnMM), cmp.Or(s.Aspect, 0.6)
	switch {
	case !(s.WidthMM >= limits.MinWidthMM && s.WidthMM <= limits.MaxWidthMM):
		return s, fmt.Errorf("figure: width %g mm: want %d to %d", s.WidthMM,
			limits.MinWidthMM, limits.MaxWidthMM)
	case len(s.Tiles) > maxTiles:
		return s, fmt.Errorf("figure: %d tiles: at most %d", len(s.Tiles), maxTiles)
	}
	for i, t := range s.Tiles {
		if err := s.check([]float64{t.X0, t.Y0, t.X1, t.Y1}, t.Fill == Valued, t.Value); err != nil {
			return s, fmt.Errorf("figure: tile %d: %w", i+1, err)
		}
	}
	for i, k := range s.Strokes {
		if err := s.check(slices.Concat(k.X, k.Y), k.Valued, k.Value); err != nil {
			return s, fmt.Errorf("figure: line %d: %w", i+1, err)
		}
	}
	texts := []string{s.X.Label, s.Y.Label, s.Colour.Label}
	for _, t := range s.Texts {
		texts = append(texts, t.Words)
	}
	return s, checkTexts(texts)
}

// check returns an error if numbers of a tile or a line cannot be drawn.
func (s Scene) check(places []float64, valued bool, value float64) error {
	for _, v := range places {
		if err := drawable(v, false); err != nil {
			return err
		}
	}
	if valued {
		return drawable(value, s.Colour.Log)
	}
	return nil
}

// values returns the values of tiles and strokes.
func (s Scene) values() (values []float64) {
	for _, k := range s.Strokes {
		if k.Valued {
			values = append(values, k.Value)
		}
	}
	for _, t := range s.Tiles {
		if t.Fill == Valued {
			values = append(values, t.Value)
		}
	}
	if len(values) == 0 {
		values = []float64{math.NaN()}
	}
	return values
}
