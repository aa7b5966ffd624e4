package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// pgfPen draws with the commands of PGF, for LaTeX. Text is set by LaTeX, in Helvetica,
// which has the widths of Liberation Sans. The file compiles by itself, and \input takes
// it into a paper that loads the package pgf. A paper may define \figurefont, the family
// of the text; labels of a wider one can run into the axes.
type pgfPen struct {
	body bytes.Buffer
	size vg.Point // of the page
}

func (p *pgfPen) fill(path vg.Path, c color.RGBA) {
	p.colour(c)
	p.trace(path)
	p.body.WriteString("\\pgfusepath{fill}\n")
}

func (p *pgfPen) stroke(path vg.Path, s stroke) {
	p.colour(s.colour)
	fmt.Fprintf(&p.body, "\\pgfsetlinewidth{%sbp}", hundredths(s.width))
	var dashes strings.Builder
	for _, d := range s.dashes {
		fmt.Fprintf(&dashes, "{%sbp}", hundredths(d))
	}
	fmt.Fprintf(&p.body, "\\pgfsetdash{%s}{0bp}\n", dashes.String())
	p.trace(path)
	p.body.WriteString("\\pgfusepath{stroke}\n")
}

func (p *pgfPen) colour(c color.RGBA) {
	fmt.Fprintf(&p.body, "\\definecolor{c}{RGB}{%d,%d,%d}\\pgfsetcolor{c}\n", c.R, c.G, c.B)
}

func (p *pgfPen) trace(path vg.Path) {
	point := func(q vg.Point) string {
		return "{\\pgfqpoint{" + hundredths(q.X) + "bp}{" + hundredths(q.Y) + "bp}}"
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			p.body.WriteString("\\pgfpathmoveto" + point(c.Pos) + "\n")
		case vg.LineComp:
			p.body.WriteString("\\pgfpathlineto" + point(c.Pos) + "\n")
		case vg.CurveComp:
			p.body.WriteString("\\pgfpathcurveto" + point(c.Control[0]) + point(c.Control[1]) +
				point(c.Pos) + "\n")
		case vg.CloseComp:
			p.body.WriteString("\\pgfpathclose\n")
		}
	}
}

func (p *pgfPen) text(t inscription) {
	words, ok := escapedTeX(t.words)
	if !ok { // a character that LaTeX may not know is drawn instead
		m := matrix{a: 1, d: 1, e: float64(t.at.X), f: float64(t.at.Y)}.times(turned(t.angle))
		p.fill(m.path(textPath(t.face, vg.Point{}, t.words)), t.colour)
		return
	}
	p.colour(t.colour)
	fmt.Fprintf(&p.body, "\\pgftext[left,base,x=%sbp,y=%sbp,rotate=%s]"+
		"{\\fontfamily{\\figurefont}\\fontsize{%s}{%s}\\selectfont %s}\n",
		hundredths(t.at.X), hundredths(t.at.Y), strconv.FormatFloat(t.angle, 'f', -1, 64),
		bigPoints(t.size), bigPoints(1.2*t.size), words)
}

// bigPoints returns a length for \fontsize.
func bigPoints(v vg.Length) string { return hundredths(v) + "bp" }

// pgfStart is the beginning of the document, up to the first command that draws. Its page
// has the size of the figure. In a document that has begun, \@nodocument is \relax.
const pgfStart = `\makeatletter
\ifx\@nodocument\relax\makeatother\let\figureend\relax\else\makeatother
\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{pgf}
\usepackage[paperwidth=%[1]sbp,paperheight=%[2]sbp,margin=0bp]{geometry}
\setlength{\parindent}{0bp}
\setlength{\topskip}{0bp}
\pagestyle{empty}
\begin{document}%%
\def\figureend{\end{document}}\fi
\providecommand{\figurefont}{phv}
\begin{pgfpicture}
\pgfpathrectangle{\pgfpointorigin}{\pgfqpoint{%[1]sbp}{%[2]sbp}}
\pgfusepath{use as bounding box}
\pgfsetroundjoin
`

// bytes returns the whole document.
func (p *pgfPen) bytes(title, description string) ([]byte, error) {
	var b bytes.Buffer
	for _, text := range []string{title, description} {
		for _, line := range strings.Split(text, "\n") {
			if line != "" {
				fmt.Fprintf(&b, "%% %s\n", line)
			}
		}
	}
	fmt.Fprintf(&b, pgfStart, hundredths(p.size.X), hundredths(p.size.Y))
	b.Write(p.body.Bytes())
	b.WriteString("\\end{pgfpicture}%\n\\figureend\n")
	return b.Bytes(), nil
}

// texCharacters has what LaTeX needs for characters that are special to it or outside of
// ASCII.
var texCharacters = map[rune]string{
	'\\': "\\textbackslash{}", '{': "\\{", '}': "\\}", '#': "\\#", '$': "\\$", '%': "\\%",
	'&': "\\&", '_': "\\_", '~': "\\textasciitilde{}", '^': "\\textasciicircum{}",
	'<': "\\textless{}", '>': "\\textgreater{}", '|': "\\textbar{}", '"': "\\textquotedbl{}",
	'−': "$-$", '×': "\\texttimes{}", '·': "\\textperiodcentered{}", '±': "\\textpm{}",
	'µ': "\\textmu{}", '≤': "$\\leq$", '≥': "$\\geq$", '\u2009': "\\,", '\u00a0': "~",
	'λ': "$\\lambda$", 'ρ': "$\\rho$", 'α': "$\\alpha$", 'β': "$\\beta$", 'σ': "$\\sigma$",
	'°': "\\textdegree{}", '–': "--", '—': "---", '’': "'", '“': "``", '”': "''",
	'⁻': "$^{-}$", '⁰': "$^0$", '¹': "$^1$", '²': "$^2$", '³': "$^3$", '⁴': "$^4$",
	'⁵': "$^5$", '⁶': "$^6$", '⁷': "$^7$", '⁸': "$^8$", '⁹': "$^9$",
}

// escapedTeX returns text for LaTeX. It reports false if LaTeX may not have a character.
func escapedTeX(text string) (string, bool) {
	var b strings.Builder
	for _, r := range text {
		tex, special := texCharacters[r]
		switch {
		case special:
			b.WriteString(tex)
		case r == '-':
			b.WriteString("{-}") // two of them are no dash
		case r >= ' ' && r < 0x7f, r >= 0xc0 && r <= 0xff: // T1 has the letters of Latin 1
			b.WriteRune(r)
		default:
			return "", false
		}
	}
	return b.String(), true
}
