package plot

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pen draws on a page of one file format. Coordinates are points from the lower left
// corner of the page. Paths have lines and cubic curves only, and colours are opaque.
type pen interface {
	fill(path vg.Path, c color.RGBA)
	stroke(path vg.Path, s stroke)
	text(t inscription)
}

// stroke is the look of a line.
type stroke struct {
	colour color.RGBA
	width  vg.Length
	dashes []vg.Length // lengths of dashes and gaps in turn; nil for a solid line
}

// inscription is a line of text with its place and look.
type inscription struct {
	words  string
	size   vg.Length // size of the type
	at     vg.Point  // start of the baseline
	angle  float64   // direction of the baseline, in degrees from the x axis
	width  vg.Length // width as measured in Liberation Sans
	colour color.RGBA
	face   font.Face
}

// outlines returns the outlines of the text on the page.
func (t inscription) outlines() vg.Path {
	at := matrix{a: 1, d: 1, e: float64(t.at.X), f: float64(t.at.Y)}.times(turned(t.angle))
	return at.path(textPath(t.face, vg.Point{}, t.words))
}

// sheet is a canvas that passes paths and texts to a pen, in coordinates of the page. gonum's
// backends change text outside ASCII, and leave turning and moving to the reader of the file.
type sheet struct {
	pen   pen
	now   state
	stack []state
}

// state is the drawing state that Push saves and Pop restores.
type state struct {
	at     matrix // transform from the canvas to the page
	colour color.RGBA
	width  vg.Length
	dashes []vg.Length
}

// newSheet returns a canvas that passes what is drawn to a pen.
func newSheet(p pen) *sheet {
	return &sheet{pen: p, now: state{at: matrix{a: 1, d: 1}, colour: color.RGBA{A: 255}, width: 1}}
}

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix struct{ a, b, c, d, e, f float64 }

// times returns the matrix that applies n, then m.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

// on returns the image of a point under m.
func (m matrix) on(p vg.Point) vg.Point {
	x, y := float64(p.X), float64(p.Y)
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.e), Y: vg.Length(m.b*x + m.d*y + m.f)}
}

// path returns the image of a path under m, in lines and cubic curves.
func (m matrix) path(p vg.Path) vg.Path { return mapped(cubic(p), m.on) }

// mapped returns a path whose points are the images of those of p.
func mapped(p vg.Path, image func(vg.Point) vg.Point) vg.Path {
	out := slices.Clone(p)
	for i := range out {
		out[i].Pos = image(out[i].Pos)
		out[i].Control = nil
		for _, q := range p[i].Control {
			out[i].Control = append(out[i].Control, image(q))
		}
	}
	return out
}

// SetLineWidth implements vg.Canvas.
func (s *sheet) SetLineWidth(w vg.Length) { s.now.width = w }

// SetLineDash implements vg.Canvas.
func (s *sheet) SetLineDash(pattern []vg.Length, _ vg.Length) { s.now.dashes = pattern }

// SetColor implements vg.Canvas.
func (s *sheet) SetColor(c color.Color) {
	s.now.colour = color.RGBAModel.Convert(opaque(c)).(color.RGBA)
}

// Rotate implements vg.Canvas.
func (s *sheet) Rotate(angle float64) {
	s.now.at = s.now.at.times(turned(angle * 180 / math.Pi))
}

// Translate implements vg.Canvas.
func (s *sheet) Translate(p vg.Point) {
	s.now.at = s.now.at.times(matrix{a: 1, d: 1, e: float64(p.X), f: float64(p.Y)})
}

// Scale implements vg.Canvas.
func (s *sheet) Scale(x, y float64) { s.now.at = s.now.at.times(matrix{a: x, d: y}) }

// Push implements vg.Canvas.
func (s *sheet) Push() { s.stack = append(s.stack, s.now) }

// Pop implements vg.Canvas.
func (s *sheet) Pop() {
	s.now, s.stack = s.stack[len(s.stack)-1], s.stack[:len(s.stack)-1]
}

// Stroke implements vg.Canvas.
func (s *sheet) Stroke(p vg.Path) {
	if s.now.width > 0 && len(p) > 0 {
		s.pen.stroke(s.now.at.path(p), stroke{s.now.colour, s.now.width, s.now.dashes})
	}
}

// Fill implements vg.Canvas.
func (s *sheet) Fill(p vg.Path) {
	if len(p) > 0 {
		s.pen.fill(s.now.at.path(p), s.now.colour)
	}
}

// FillString implements vg.Canvas.
func (s *sheet) FillString(f font.Face, pt vg.Point, words string) {
	eachPart(f, pt, words, func(pt vg.Point, part string) { s.inscribe(f, pt, part) })
}

// inscribe passes a text without the blanks at its ends to the pen.
func (s *sheet) inscribe(f font.Face, pt vg.Point, words string) {
	// Blanks at the ends have no ink, and file formats treat them differently.
	trimmed := strings.TrimLeft(words, " ")
	pt.X += f.Width(words[:len(words)-len(trimmed)])
	if words = strings.TrimRight(trimmed, " "); words == "" {
		return
	}
	m := s.now.at
	s.pen.text(inscription{words: words, size: f.Font.Size, at: m.on(pt), width: f.Width(words),
		angle:  math.Round(math.Atan2(m.b, m.a)*180/math.Pi*1e6) / 1e6,
		colour: s.now.colour, face: f})
}

// DrawImage implements vg.Canvas.
func (s *sheet) DrawImage(vg.Rectangle, image.Image) { panic("figure: images are not drawn") }

// turned returns the matrix that turns by an angle in degrees.
func turned(degrees float64) matrix {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return matrix{a: cos, b: sin, c: -sin, d: cos}
}
