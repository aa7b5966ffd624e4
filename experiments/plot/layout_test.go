package plot

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"contend/internal/must"
)

// recorder is a pen that draws nothing. It keeps where ink would lie on the page, the boxes
// around what is drawn, and the texts.
type recorder struct {
	fills, strokes []box
	labels         []label
	ink            vg.Rectangle
}

// box is a path with its look.
type box struct {
	vg.Rectangle
	colour color.RGBA
}

// label is a drawn text with the corners of the box around its ink.
type label struct {
	text    string
	corners [4]vg.Point
}

// recorded returns what a page draws.
func recorded(l page) *recorder {
	r := &recorder{ink: bounds(nil)}
	l.draw(newSheet(r))
	return r
}

func (r *recorder) fill(p vg.Path, c color.RGBA) {
	r.fills = append(r.fills, box{bounds(p), c})
	r.note(p, 0)
}

func (r *recorder) stroke(p vg.Path, s stroke) {
	r.strokes = append(r.strokes, box{bounds(p), s.colour})
	r.note(p, s.width/2)
}

func (r *recorder) text(t inscription) {
	p := textPath(t.face, vg.Point{}, t.words)
	b := bounds(p)
	at := matrix{a: 1, d: 1, e: float64(t.at.X), f: float64(t.at.Y)}.times(turned(t.angle))
	r.note(t.outlines(), 0)
	r.labels = append(r.labels, label{t.words, [4]vg.Point{at.on(b.Min),
		at.on(vg.Point{X: b.Max.X, Y: b.Min.Y}), at.on(b.Max), at.on(vg.Point{X: b.Min.X, Y: b.Max.Y})}})
}

// note extends the inked region by a path.
func (r *recorder) note(p vg.Path, rim vg.Length) {
	b := bounds(p)
	r.ink.Min.X, r.ink.Max.X = min(r.ink.Min.X, b.Min.X-rim), max(r.ink.Max.X, b.Max.X+rim)
	r.ink.Min.Y, r.ink.Max.Y = min(r.ink.Min.Y, b.Min.Y-rim), max(r.ink.Max.Y, b.Max.Y+rim)
}

// bounds returns the box around the end points of a path.
func bounds(p vg.Path) vg.Rectangle {
	inf := vg.Length(math.Inf(1))
	b := vg.Rectangle{Min: vg.Point{X: inf, Y: inf}, Max: vg.Point{X: -inf, Y: -inf}}
	for _, c := range cubic(p) {
		if c.Type != vg.CloseComp {
			b.Min.X, b.Max.X = min(b.Min.X, c.Pos.X), max(b.Max.X, c.Pos.X)
			b.Min.Y, b.Max.Y = min(b.Min.Y, c.Pos.Y), max(b.Max.Y, c.Pos.Y)
		}
	}
	return b
}

// meet reports whether two boxes, turned or not, have a point in common: whether no edge
// of either separates them.
func meet(a, b label) bool {
	for _, box := range []label{a, b} {
		for i := range box.corners {
			edge := box.corners[(i+1)%4].Sub(box.corners[i])
			normal := vg.Point{X: -edge.Y, Y: edge.X}
			aLow, aHigh := shadow(a, normal)
			bLow, bHigh := shadow(b, normal)
			if aHigh < bLow || bHigh < aLow {
				return false
			}
		}
	}
	return true
}

// shadow returns the extent of a box along a direction.
func shadow(l label, along vg.Point) (low, high vg.Length) {
	low, high = l.corners[0].Dot(along), l.corners[0].Dot(along)
	for _, c := range l.corners[1:] {
		low, high = min(low, c.Dot(along)), max(high, c.Dot(along))
	}
	return low, high
}

// faults lists the parts of a layout that are cut off or cover something else.
func faults(l page) (all []string) {
	s := recorded(l)
	const slack = 1e-6
	if size := l.pageSize(); s.ink.Min.X < -slack || s.ink.Min.Y < -slack ||
		s.ink.Max.X > size.X+slack || s.ink.Max.Y > size.Y+slack {
		all = append(all, fmt.Sprintf("ink from %v to %v on a page of %v", s.ink.Min, s.ink.Max, size))
	}
	regions, g := regions(l)
	for i, a := range s.labels {
		for _, r := range regions {
			data := label{"the data", [4]vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max,
				{X: r.Min.X, Y: r.Max.Y}}}
			if meet(a, data) {
				all = append(all, fmt.Sprintf("label %q lies over the data", a.text))
			}
		}
		for _, b := range s.labels[:i] {
			if meet(a, b) {
				all = append(all, fmt.Sprintf("labels %q and %q overlap", a.text, b.text))
			}
		}
	}
	for _, r := range regions {
		if g == nil {
			break
		}
		low := vg.Point{X: g.topLeft.X, Y: g.topLeft.Y - g.size.Y}
		high := vg.Point{X: g.topLeft.X + g.size.X, Y: g.topLeft.Y}
		if low.X < r.Max.X && high.X > r.Min.X && low.Y < r.Max.Y && high.Y > r.Min.Y {
			all = append(all, "the legend lies over the data")
		}
	}
	return all
}

// regions returns the regions of the data of a page, and its legend.
func regions(l page) (data []vg.Rectangle, g *legend) {
	if one, ok := l.(*layout); ok {
		return []vg.Rectangle{one.data}, one.legend
	}
	m := l.(*multiples)
	for i, p := range m.panels {
		data = append(data, vg.Rectangle{Min: p.data.Min.Add(m.corners[i]),
			Max: p.data.Max.Add(m.corners[i])})
	}
	return data, m.legend
}

func TestNothingOverlapsOrIsCut(t *testing.T) {
	for name, fig := range samples() {
		l, err := fig.arrange()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, fault := range faults(l) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// The checks above must be able to fail.
func TestFaultsAreSeen(t *testing.T) {
	l := must.Have(newLayout(groupedSample()))
	l.title = "A title where no room was left for one"
	got := strings.Join(faults(l), "\n")
	l.legend.topLeft.Y = l.data.Max.Y
	l.size.X -= 10
	got += strings.Join(faults(l), "\n")
	for _, want := range []string{"ink from", "lies over the data", "the legend", "overlap"} {
		if !strings.Contains(got, want) {
			t.Errorf("faults %q: want one with %q", got, want)
		}
	}
}

func TestCellsAreSquare(t *testing.T) {
	l := must.Have(newLayout(heatSample()))
	if size := l.data.Size(); math.Abs(float64(size.X-size.Y)) > 0.1 {
		t.Errorf("16 × 16 cells take %v", size)
	}
}

func TestLegendColumns(t *testing.T) {
	narrow, wide := groupedSample(), groupedSample()
	wide.WidthMM = TwoColumnMM
	for _, c := range []struct {
		fig        Figure
		rows, cols int
	}{{narrow, 2, 4}, {wide, 1, 8}} {
		l := must.Have(newLayout(c.fig))
		if l.legend.rows != c.rows || len(l.legend.columnWidths) != c.cols {
			t.Errorf("legend of %d rows and %d columns, want %d and %d", l.legend.rows,
				len(l.legend.columnWidths), c.rows, c.cols)
		}
	}
}
