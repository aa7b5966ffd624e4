package plot

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
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
