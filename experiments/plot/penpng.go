package plot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// dotsPerInch is the resolution of PNG files.
const dotsPerInch = 300

// pngPen draws PNG, with text as the outlines of its glyphs.
type pngPen struct{ canvas *vgimg.Canvas }

// newPNGPen returns a pen on a page of white pixels.
func newPNGPen(size vg.Point) *pngPen {
	return &pngPen{vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(dotsPerInch))}
}

// fill implements pen.
func (p *pngPen) fill(path vg.Path, c color.RGBA) {
	p.canvas.SetColor(c)
	p.canvas.Fill(pathOnGrid(path))
}

// stroke implements pen.
func (p *pngPen) stroke(path vg.Path, s stroke) {
	p.canvas.SetColor(s.colour)
	p.canvas.SetLineWidth(onGrid(s.width))
	dashes := make([]vg.Length, len(s.dashes))
	for i, d := range s.dashes {
		dashes[i] = onGrid(d)
	}
	p.canvas.SetLineDash(dashes, 0)
	p.canvas.Stroke(pathOnGrid(path))
}

// text implements pen.
func (p *pngPen) text(t inscription) { p.fill(t.outlines(), t.colour) }

// dotGrid is the number of points, in a point of the page, of the grid of 1/64 of a dot on which
// gonum's canvas of pixels rounds coordinates.
const dotGrid = 64 * dotsPerInch / vg.Length(72)

// onGrid rounds a length to the grid. Processors differ in the last digits of coordinates,
// because some fuse a multiplication and an addition. Near the middle between two points of the
// grid that would make other pixels, so onGrid breaks ties by far more than these digits.
func onGrid(x vg.Length) vg.Length {
	const tie = 1e-6
	return vg.Length(math.Floor(float64(x*dotGrid)+0.5+tie)) / dotGrid
}

// pathOnGrid returns a path of lines with its points on the grid. The canvas would make lines of
// curves too, but round their points as they come, of which many lie in the middle.
func pathOnGrid(p vg.Path) (out vg.Path) {
	round := func(q vg.Point) vg.Point { return vg.Point{X: onGrid(q.X), Y: onGrid(q.Y)} }
	at := vg.Point{}
	for _, c := range p {
		if c.Type == vg.CurveComp {
			for _, q := range pointsOf(at, &c) {
				out.Line(round(q))
			}
		} else {
			out = append(out, vg.PathComp{Type: c.Type, Pos: round(c.Pos)})
		}
		at = c.Pos
	}
	return out
}

// pointsOf returns points of a cubic curve, about a dot from each other and at least three.
func pointsOf(from vg.Point, c *vg.PathComp) []vg.Point {
	corners := []vg.Point{from, c.Control[0], c.Control[1], c.Pos}
	length := vg.Length(0)
	for i, q := range corners[1:] {
		d := q.Sub(corners[i])
		length += vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	}
	n := max(3, int(onGrid(length)*dotsPerInch/72))
	points := make([]vg.Point, n)
	for i := range points {
		t := float64(i+1) / float64(n)
		u := 1 - t
		for j, weight := range []float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t} {
			points[i] = points[i].Add(corners[j].Scale(vg.Length(weight)))
		}
	}
	return points
}

// bytes returns the whole PNG, which has no place for the texts.
func (p *pngPen) bytes(_, _ string) ([]byte, error) {
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: p.canvas}).WriteTo(&b); err != nil {
		return nil, err
	}
	return withResolution(b.Bytes()), nil
}

// withResolution adds the resolution to a PNG. Without it programs assume three times the size.
func withResolution(png []byte) []byte {
	const afterHeader = 8 + 25 // signature, then the IHDR chunk
	perMetre := uint32(math.Round(dotsPerInch / 0.0254))
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return append(append(png[:afterHeader:afterHeader], chunk...), png[afterHeader:]...)
}
