package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// svgFonts are the families of text in SVG. All of them have the widths of Liberation
// Sans, except for the last.
const svgFonts = "Liberation Sans, Arimo, Arial, Helvetica, sans-serif"

// svgPen draws SVG. Text remains text: it can be searched, edited and read aloud.
// textLength holds the layout where the reader of the file has another font.
type svgPen struct {
	body bytes.Buffer
	size vg.Point // of the page
}

// fill implements pen.
func (p *svgPen) fill(path vg.Path, c color.RGBA) {
	fmt.Fprintf(&p.body, "<path d=\"%s\" fill=\"%s\"/>\n", p.data(path), hexColour(c))
}

// stroke implements pen.
func (p *svgPen) stroke(path vg.Path, s stroke) {
	fmt.Fprintf(&p.body, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"",
		p.data(path), hexColour(s.colour), hundredths(s.width))
	if len(s.dashes) > 0 {
		var parts []string
		for _, d := range s.dashes {
			parts = append(parts, hundredths(d))
		}
		fmt.Fprintf(&p.body, " stroke-dasharray=\"%s\"", strings.Join(parts, " "))
	}
	p.body.WriteString("/>\n")
}

// text implements pen.
func (p *svgPen) text(t inscription) {
	x, y := hundredths(t.at.X), hundredths(p.size.Y-t.at.Y)
	fmt.Fprintf(&p.body, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" textLength=\"%s\" "+
		"lengthAdjust=\"spacingAndGlyphs\"", x, y,
		hundredths(t.size), hundredths(t.width))
	if t.angle != 0 {
		fmt.Fprintf(&p.body, " transform=\"rotate(%s %s %s)\"",
			strconv.FormatFloat(-t.angle, 'f', -1, 64), x, y)
	}
	if t.colour != (color.RGBA{A: 255}) {
		fmt.Fprintf(&p.body, " fill=\"%s\"", hexColour(t.colour))
	}
	fmt.Fprintf(&p.body, ">%s</text>\n", escapedXML(t.words))
}

// data returns a path in the syntax of SVG, whose y axis points down.
func (p *svgPen) data(path vg.Path) string {
	var b strings.Builder
	point := func(q vg.Point) string { return hundredths(q.X) + " " + hundredths(p.size.Y-q.Y) }
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			b.WriteString("M" + point(c.Pos))
		case vg.LineComp:
			b.WriteString("L" + point(c.Pos))
		case vg.CurveComp:
			b.WriteString("C" + point(c.Control[0]) + " " + point(c.Control[1]) + " " + point(c.Pos))
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// bytes returns the whole SVG. Corners are rounded as in PNG, since mitred ones show
// spikes.
func (p *svgPen) bytes(title, description string) ([]byte, error) {
	var b bytes.Buffer
	w, h := hundredths(p.size.X), hundredths(p.size.Y)
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%spt\" height=\"%spt\" "+
		"viewBox=\"0 0 %s %s\" role=\"img\" font-family=\"%s\" stroke-linejoin=\"round\">\n",
		w, h, w, h, svgFonts)
	if title != "" {
		fmt.Fprintf(&b, "<title>%s</title>\n", escapedXML(title))
	}
	if description != "" {
		fmt.Fprintf(&b, "<desc>%s</desc>\n", escapedXML(description))
	}
	b.Write(p.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// hexColour returns a colour as #rrggbb.
func hexColour(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// hundredths formats a length to a hundredth of a point, 3.5 µm.
func hundredths(v vg.Length) string {
	x := math.Round(float64(v)*100) / 100
	if x == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// escapedXML returns text for use between tags.
func escapedXML(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(fmt.Sprintf("figure: %v", err)) // a builder takes everything
	}
	return b.String()
}
