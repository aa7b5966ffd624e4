package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"
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

// pdfPen draws PDF with text as text, in a subset of Liberation Sans that is part of the
// file. gonum's own backend writes text in a code page of western Europe.
type pdfPen struct {
	doc    *fpdf.Fpdf
	height vg.Length
	font   bool // the font is in the document
	used   map[rune]bool
}

// pdfFont is the name of the font in fpdf, which puts utf8 before it. subsetName takes its
// place, so both have the same length.
const (
	pdfFont    = "ab+liberationsans"
	fpdfName   = "utf8" + pdfFont
	subsetName = "%s+LiberationSans" // with six letters that stand for the characters in it
)

// newPDFPen returns a pen on the only page of a new document.
func newPDFPen(size vg.Point) *pdfPen {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt",
		Size: fpdf.SizeType{Wd: float64(size.X), Ht: float64(size.Y)}})
	doc.SetCatalogSort(true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	doc.SetLineJoinStyle("round")
	return &pdfPen{doc: doc, height: size.Y, used: map[rune]bool{}}
}

// fill implements pen.
func (p *pdfPen) fill(path vg.Path, c color.RGBA) {
	p.doc.SetFillColor(int(c.R), int(c.G), int(c.B))
	p.trace(path)
	p.doc.DrawPath("F")
}

// stroke implements pen.
func (p *pdfPen) stroke(path vg.Path, s stroke) {
	p.doc.SetDrawColor(int(s.colour.R), int(s.colour.G), int(s.colour.B))
	p.doc.SetLineWidth(float64(s.width))
	dashes := make([]float64, len(s.dashes))
	for i, d := range s.dashes {
		dashes[i] = float64(d)
	}
	p.doc.SetDashPattern(dashes, 0)
	p.trace(path)
	p.doc.DrawPath("D")
}

// trace makes a path the current one. fpdf's y axis points down.
func (p *pdfPen) trace(path vg.Path) {
	flip := func(q vg.Point) (x, y float64) { return float64(q.X), float64(p.height - q.Y) }
	for _, c := range path {
		x, y := flip(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(x, y)
		case vg.LineComp:
			p.doc.LineTo(x, y)
		case vg.CurveComp:
			ax, ay := flip(c.Control[0])
			bx, by := flip(c.Control[1])
			p.doc.CurveBezierCubicTo(ax, ay, bx, by, x, y)
		case vg.CloseComp:
			p.doc.ClosePath()
		}
	}
}

// text implements pen.
func (p *pdfPen) text(t inscription) {
	if !p.font {
		var source bytes.Buffer
		if _, err := t.face.Face.WriteSourceTo(nil, &source); err != nil {
			panic(fmt.Sprintf("figure: the font cannot be read: %v", err))
		}
		p.doc.AddUTF8FontFromBytes(pdfFont, "", source.Bytes())
		p.font = true
	}
	for _, r := range t.words {
		p.used[r] = true
	}
	p.doc.SetFont(pdfFont, "", float64(t.size))
	p.doc.SetTextColor(int(t.colour.R), int(t.colour.G), int(t.colour.B))
	x, y := float64(t.at.X), float64(p.height-t.at.Y)
	p.doc.TransformBegin()
	if t.angle != 0 {
		p.doc.TransformRotate(t.angle, x, y)
	}
	// fpdf knows no kerning. Spacing shares it out, so that the text is as wide as measured.
	letters := len([]rune(t.words))
	spacing := (float64(t.width) - p.doc.GetStringWidth(t.words)) / float64(letters)
	p.doc.RawWriteStr(fmt.Sprintf("%.4f Tc\n", spacing))
	p.doc.Text(x, y, t.words)
	p.doc.TransformEnd()
}

// bytes returns the whole PDF, without dates.
func (p *pdfPen) bytes(title, description string) ([]byte, error) {
	if title != "" {
		p.doc.SetTitle(title, true)
	}
	if description != "" {
		p.doc.SetSubject(description, true)
	}
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return nil, err
	}
	name := fmt.Sprintf(subsetName, p.subset())
	return withoutDates(bytes.ReplaceAll(b.Bytes(), []byte(fpdfName), []byte(name))), nil
}

// subset returns six letters that stand for the characters used, as PDF wants before the
// name of a subset of a font.
func (p *pdfPen) subset() string {
	var used []rune
	for r := range p.used {
		used = append(used, r)
	}
	slices.Sort(used)
	h := fnv.New64a()
	h.Write([]byte(string(used)))
	var letters strings.Builder
	for n, i := h.Sum64(), 0; i < 6; n, i = n/26, i+1 {
		letters.WriteByte('A' + byte(n%26))
	}
	return letters.String()
}

// withoutDates blanks the dates in the document's information. Their length stays, so that
// the table of offsets remains valid.
func withoutDates(pdf []byte) []byte {
	for _, key := range []string{"/CreationDate (", "/ModDate ("} {
		from := bytes.LastIndex(pdf, []byte(key))
		if from < 0 {
			continue
		}
		end := from + bytes.IndexByte(pdf[from:], ')')
		for i := from; i <= end; i++ {
			pdf[i] = ' '
		}
	}
	return pdf
}
