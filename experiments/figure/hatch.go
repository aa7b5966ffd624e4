package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barLook is a colour with a hatch over it.
type barLook struct {
	fill color.RGBA
	ink  color.Color // colour of the hatch lines
	hatch
}

// hatch is a pattern of parallel lines.
type hatch struct {
	angles []float64 // directions of the lines, in degrees
	gap    vg.Length // distance between lines
	width  vg.Length
	dashes []vg.Length // as in stroke
}

// barLooks holds looks that differ from their neighbours in lightness and hatch.
var barLooks = [MaxSeries]barLook{
	{blue, white, hatch{}},
	{yellow, black, hatch{angles: []float64{45}, gap: 2.4, width: hatchWidth}},
	{bluishGreen, white, hatch{angles: []float64{0}, gap: 2.4, width: hatchWidth}},
	{lightGrey, black, hatch{angles: []float64{0}, gap: 1.8, width: 0.7,
		dashes: []vg.Length{0.7, 1.6}}},
	{vermillion, white, hatch{angles: []float64{45, -45}, gap: 2.4, width: hatchWidth}},
	{skyBlue, black, hatch{angles: []float64{-45}, gap: 2.4, width: hatchWidth}},
	{indigo, white, hatch{angles: []float64{90}, gap: 1.8, width: hatchWidth}},
	{orange, black, hatch{angles: []float64{45}, gap: 5, width: 1.2}},
	{wine, white, hatch{angles: []float64{0, 90}, gap: 2.4, width: hatchWidth}},
}

// fillBar fills a rectangle with the look of the i-th series.
func fillBar(c draw.Canvas, i int, box vg.Rectangle) {
	look := barLooks[i]
	corners := []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}}
	c.FillPolygon(look.fill, corners)
	for _, angle := range look.angles {
		var lines vg.Path // one path for all lines keeps files small
		for _, l := range hatchLines(box, angle, look.gap) {
			lines.Move(l[0])
			lines.Line(l[1])
		}
		c.SetLineStyle(draw.LineStyle{Color: look.ink, Width: look.width, Dashes: look.dashes})
		if len(lines) > 0 {
			c.Stroke(lines)
		}
	}
	c.StrokeLines(draw.LineStyle{Color: black, Width: hatchWidth},
		append(corners, corners[0], corners[1]))
}

// hatchLines returns parallel lines at an angle, cut to the box by gonum's clipping.
func hatchLines(box vg.Rectangle, degrees float64, gap vg.Length) [][]vg.Point {
	sin64, cos64 := math.Sincos(degrees * math.Pi / 180)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	size := box.Size()
	reach := size.X + size.Y
	origin := box.Min
	if degrees < 0 {
		origin.Y = box.Max.Y
	}
	var lines [][]vg.Point
	for d := -reach - gap/2; d <= reach; d += gap {
		foot := vg.Point{X: origin.X - d*sin, Y: origin.Y + d*cos}
		lines = append(lines, []vg.Point{
			{X: foot.X - reach*cos, Y: foot.Y - reach*sin}, {X: foot.X + reach*cos, Y: foot.Y + reach*sin},
		})
	}
	clip := draw.Canvas{Rectangle: box}
	return clip.ClipLinesXY(lines...)
}
