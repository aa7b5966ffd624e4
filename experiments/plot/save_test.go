package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"

	"contend/internal/must"
	"contend/internal/written"
)

// drawnAs returns the figure in one format.
func drawnAs(t *testing.T, fig Drawable, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, fig, format); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

func TestSameBytesTwice(t *testing.T) {
	for _, f := range Formats() {
		if !bytes.Equal(drawnAs(t, groupedSample(), f), drawnAs(t, groupedSample(), f)) {
			t.Errorf("%s: other bytes the second time", f)
		}
	}
}

// An SVG is XML of few elements, and its colours are opaque.
func TestSVGIsWellFormed(t *testing.T) {
	for name, fig := range samples() {
		svg := drawnAs(t, fig, "svg")
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if ok && !slices.Contains([]string{"svg", "path", "text"}, e.Name.Local) {
				t.Errorf("%s: element <%s>", name, e.Name.Local)
			}
		}
		if bytes.Contains(svg, []byte("opacity")) {
			t.Errorf("%s: colours are not flattened", name)
		}
	}
}

func TestPNGHasTheSizeAndResolution(t *testing.T) {
	data := drawnAs(t, latencySample(), "png")
	image := must.Have(png.Decode(bytes.NewReader(data)))
	if got, want := image.Bounds().Dx(), int(math.Round(OneColumnMM/25.4*300)); got != want {
		t.Errorf("%d pixels wide, want %d", got, want)
	}
	if !bytes.Contains(data[:64], []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01")) {
		t.Error("no resolution of 11811 pixels a metre")
	}
}

// lineAt is a page with a line at a height, in points.
type lineAt vg.Length

func (lineAt) pageSize() vg.Point { return vg.Point{X: 20, Y: 20} }

func (y lineAt) draw(c vg.Canvas) {
	c.SetLineWidth(1)
	c.SetLineDash([]vg.Length{vg.Length(y)}, 0)
	var p vg.Path
	p.Move(vg.Point{X: vg.Length(y), Y: vg.Length(y)})
	p.Line(vg.Point{X: 19, Y: vg.Length(y)})
	c.Stroke(p)
}

// The last digits of a coordinate, which differ between processors, do not change a pixel, even
// in the middle between two points of the grid on which pixels are rounded.
func TestPNGIsTheSameOnEveryProcessor(t *testing.T) {
	const middle = 500.5 / float64(dotGrid)
	first := must.Have(rendered(lineAt(middle*(1-1e-15)), Scene{}, "png"))
	second := must.Have(rendered(lineAt(middle*(1+1e-15)), Scene{}, "png"))
	if !bytes.Equal(first, second) {
		t.Error("the last digit of a coordinate changes pixels")
	}
}

// The canvas gets lines between points of the grid, also for curves. This one rises to 3/4 of its
// controls.
func TestCurvesAreOnTheGrid(t *testing.T) {
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x / dotGrid, Y: y / dotGrid} }
	var p vg.Path
	p.Move(at(0, 0))
	p.CubeTo(at(64, 256), at(257, 256), at(320, 0))
	p.Close()
	got := pathOnGrid(p)
	var highest vg.Length
	for _, c := range got {
		x, y := float64(c.Pos.X*dotGrid), float64(c.Pos.Y*dotGrid)
		if c.Type == vg.CurveComp || math.Abs(x-math.Round(x))+math.Abs(y-math.Round(y)) > 1e-9 {
			t.Errorf("%v at %v, %v", c.Type, x, y)
		}
		highest = max(highest, c.Pos.Y*dotGrid)
	}
	last := got[len(got)-2].Pos
	if last != at(320, 0) || len(got) < 10 || highest < 190 || highest > 192 {
		t.Errorf("the curve rises to %v and ends at %v, in %d points", highest, last, len(got))
	}
}

func TestPDFHasNoDates(t *testing.T) {
	pdf := drawnAs(t, logLogSample(), "pdf")
	if !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("starts with %q", pdf[:8])
	}
	for _, word := range []string{"CreationDate", "ModDate"} {
		if bytes.Contains(pdf, []byte(word)) {
			t.Errorf("contains %s", word)
		}
	}
	// The cross-reference table must still be at the place that the trailer names.
	var offset int
	trailer := pdf[bytes.LastIndex(pdf, []byte("startxref")):]
	if _, err := fmt.Sscanf(string(trailer), "startxref\n%d\n", &offset); err != nil ||
		!bytes.HasPrefix(pdf[offset:], []byte("xref")) {
		t.Errorf("no table at %d: %v", offset, err)
	}
}

func TestSaveWritesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	out := written.In(dir)
	if err := Save(loadSample(), out.WriteText, "load", []string{"svg", "gif"}); err == nil ||
		!strings.Contains(err.Error(), `"gif"`) {
		t.Errorf("error %v, want one that names the format", err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("wrote %v despite the error", files)
	}
	must.Do(Save(loadSample(), out.WriteText, "load", []string{"svg", "csv"}))
	for _, name := range []string{"load.csv", "load.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := Save(loadSample(), out.WriteText, "load.csv/x", []string{"csv"}); err == nil {
		t.Error("no error for a file in place of a folder")
	}
}

func TestWriteCSV(t *testing.T) {
	nan := math.NaN()
	fig := Figure{
		Kind:       Bars,
		Categories: []string{"All-to-all", "FFT, 2D"},
		Series: []Series{
			{Name: "MBS", Y: []float64{1.25, nan}, Low: []float64{1, nan}, High: []float64{1.5, nan},
				Published: []float64{nan, 0.1}},
			{Name: "First Fit", Y: []float64{1, 1e-7}},
		},
	}
	want := `series,x,y,y_low,y_high,published
MBS,All-to-all,1.25,1,1.5,
MBS,"FFT, 2D",,,,0.1
First Fit,All-to-all,1,,,
First Fit,"FFT, 2D",0.0000001,,,
`
	if diff := cmp.Diff(want, string(drawnAs(t, fig, "csv"))); diff != "" {
		t.Error(diff)
	}
	lines := Figure{Kind: Lines,
		Series: []Series{{Name: "a", X: []float64{0.5, 2}, Y: []float64{3, 4}}}}
	if diff := cmp.Diff("series,x,y,y_low,y_high,published\na,0.5,3,,,\na,2,4,,,\n",
		string(drawnAs(t, lines, "csv"))); diff != "" {
		t.Error(diff)
	}
}
