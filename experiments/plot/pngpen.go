package plot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// A raised six of Liberation Sans has the advance of a full digit, by so much of the font's size
// more than the other raised digits, and would leave a gap.
const (
	raisedSix    = "⁶"
	raisedSixGap = 0.223
)

// eachPart calls draw for the parts of a text that are drawn as they are: those that end with a
// raised six, and the rest.
func eachPart(f font.Face, pt vg.Point, text string, draw func(vg.Point, string)) {
	for {
		before, after, six := strings.Cut(text, raisedSix)
		if !six || after == "" {
			draw(pt, text)
			return
		}
		part := before + raisedSix
		draw(pt, part)
		pt.X += f.Width(part) - raisedSixGap*f.Font.Size
		text = after
	}
}

// opaque returns the colour of c over white.
func opaque(c color.Color) color.Color {
	if c == nil {
		return color.Black
	}
	r, g, b, a := c.RGBA() // premultiplied
	over := func(v uint32) uint8 { return uint8((v + 0xffff - a) >> 8) }
	return color.RGBA{R: over(r), G: over(g), B: over(b), A: 0xff}
}

// textPath returns the outlines of a line of text with the advances and kerning of
// font.Face.Width, so that the drawn text has the measured width.
func textPath(f font.Face, pt vg.Point, text string) vg.Path {
	var (
		path    vg.Path
		buf     sfnt.Buffer
		units   = fixed.Int26_6(f.Face.UnitsPerEm())
		scale   = f.Font.Size / vg.Length(units)
		advance fixed.Int26_6
		prev    sfnt.GlyphIndex
	)
	for i, r := range []rune(text) {
		glyph, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			panic(fmt.Sprintf("figure: no glyph for %q: %v", r, err))
		}
		if i > 0 {
			// An error means that the font has no kerning for the pair.
			if kern, err := f.Face.Kern(&buf, prev, glyph, units, 0); err == nil {
				advance += kern
			}
		}
		segments, err := f.Face.LoadGlyph(&buf, glyph, units, nil)
		if err != nil {
			panic(fmt.Sprintf("figure: glyph for %q: %v", r, err))
		}
		path = append(path, glyphPath(segments, func(p fixed.Point26_6) vg.Point {
			// The font's y axis points down.
			return vg.Point{X: pt.X + scale*vg.Length(p.X+advance), Y: pt.Y - scale*vg.Length(p.Y)}
		})...)
		width, err := f.Face.GlyphAdvance(&buf, glyph, units, 0)
		if err != nil {
			panic(fmt.Sprintf("figure: advance of %q: %v", r, err))
		}
		advance += width
		prev = glyph
	}
	return path
}

// glyphPath converts the contours of one glyph.
func glyphPath(segments sfnt.Segments, at func(fixed.Point26_6) vg.Point) (path vg.Path) {
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(path) > 0 {
		path.Close()
	}
	return path
}

// cubic converts arcs and quadratic curves to cubic ones.
func cubic(p vg.Path) vg.Path {
	var (
		out vg.Path
		at  vg.Point
	)
	for _, c := range p {
		switch {
		case c.Type == vg.CurveComp && len(c.Control) == 1:
			q := c.Control[0]
			out.CubeTo(at.Add(q.Sub(at).Scale(2.0/3)), c.Pos.Add(q.Sub(c.Pos).Scale(2.0/3)), c.Pos)
			at = c.Pos
		case c.Type == vg.ArcComp:
			at = arc(&out, c)
		default:
			out = append(out, c)
			at = c.Pos
		}
	}
	return out
}

// arc appends a circular arc of at most a full turn to a path that has begun, as four cubic curves,
// and returns its end.
func arc(out *vg.Path, c vg.PathComp) vg.Point {
	on := func(angle, radius float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)}
	}
	const pieces = 4
	step := c.Angle / pieces
	handle := 4.0 / 3 * math.Tan(step/4) * float64(c.Radius)
	from := c.Pos.Add(on(c.Start, float64(c.Radius)))
	out.Line(from)
	for i := range pieces {
		a, b := c.Start+float64(i)*step, c.Start+float64(i+1)*step
		to := c.Pos.Add(on(b, float64(c.Radius)))
		out.CubeTo(from.Add(on(a+math.Pi/2, handle)), to.Sub(on(b+math.Pi/2, handle)), to)
		from = to
	}
	return from
}

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
