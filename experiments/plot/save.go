package plot

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"contend/internal/wholefile"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgeps"
	"gonum.org/v1/plot/vg/vgimg"
)

// dotsPerInch is the resolution of PNG files.
const dotsPerInch = 300

// Save writes the figure once for each format, as base with the format's name after a
// dot, one of Formats. pgf files end in tex. It writes nothing if a format fails. Each file
// appears whole or not at all.
func Save(fig Drawable, base string, formats []string) error {
	contents := make([][]byte, len(formats))
	for i, format := range formats {
		var b bytes.Buffer
		if err := Render(&b, fig, format); err != nil {
			return err
		}
		contents[i] = b.Bytes()
	}
	for i, format := range formats {
		write := func(w io.Writer) error {
			_, err := w.Write(contents[i])
			return err
		}
		if err := wholefile.Write(base+"."+ending(format), write); err != nil {
			return fmt.Errorf("figure: %w", err)
		}
	}
	return nil
}

// ending returns the ending of files of a format.
func ending(format string) string {
	if format == "pgf" {
		return "tex"
	}
	return format
}

// Drawable is what Save and Render write: a Figure or a Scene.
type Drawable interface {
	// arrange checks the figure and places its parts on a page.
	arrange() (page, error)
	// About returns the texts that are not drawn.
	About() (subject, description string)
	// writeCSV writes the numbers behind the figure.
	writeCSV(w io.Writer) error
}

func (f Figure) arrange() (page, error) { return newPage(f) }

func (f Figure) About() (subject, description string) { return f.Subject, f.Description }

func (f Figure) writeCSV(w io.Writer) error { return WriteCSV(w, f) }

func (s Scene) arrange() (page, error) { return newScenePage(s) }

func (s Scene) About() (subject, description string) { return s.Subject, s.Description }

func (s Scene) writeCSV(w io.Writer) error { return csv.NewWriter(w).WriteAll(s.Table) }

// Render writes the figure in one of Formats.
func Render(w io.Writer, fig Drawable, format string) error {
	if format == "csv" {
		return fig.writeCSV(w)
	}
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("figure: format %q: want one of %s", format, strings.Join(Formats(), ", "))
	}
	l, err := fig.arrange()
	if err != nil {
		return err
	}
	file, err := rendered(l, fig, format)
	if err != nil {
		return fmt.Errorf("figure: %s: %w", format, err)
	}
	_, err = w.Write(file)
	return err
}

// Formats lists the formats of Render, the numbers last.
func Formats() []string { return []string{"svg", "png", "pdf", "eps", "pgf", "csv"} }

// file is a pen whose drawing becomes a file.
type file interface {
	pen
	// bytes returns the whole file.
	bytes(title, description string) ([]byte, error)
}

// pens has the pens of the formats in which text stays text.
var pens = map[string]func(size vg.Point) file{
	"svg": func(size vg.Point) file { return &svgPen{size: size} },
	"pdf": func(size vg.Point) file { return newPDFPen(size) },
	"pgf": func(size vg.Point) file { return &pgfPen{size: size} },
}

// rendered returns a page in a format.
func rendered(l page, fig Drawable, format string) ([]byte, error) {
	size := l.pageSize()
	switch format {
	case "eps":
		canvas := vgeps.New(size.X, size.Y)
		file, err := drawOutlined(l, canvas, canvas)
		return finishEPS(file, size), err
	case "png":
		image := vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(dotsPerInch))
		file, err := drawOutlined(l, dots{image}, vgimg.PngCanvas{Canvas: image})
		return finishPNG(file), err
	}
	p := pens[format](size)
	l.draw(newSheet(p))
	return p.bytes(fig.About())
}

// drawOutlined draws a page on one of gonum's canvases, with text as outlines, and returns its file.
func drawOutlined(l page, canvas vg.Canvas, file io.WriterTo) ([]byte, error) {
	l.draw(outlined{canvas})
	var b bytes.Buffer
	_, err := file.WriteTo(&b)
	return b.Bytes(), err
}

// page is a figure with all its parts in place.
type page interface {
	pageSize() vg.Point
	draw(vg.Canvas)
}

func newPage(fig Figure) (page, error) {
	if len(fig.Panels) > 0 {
		return newMultiples(fig)
	}
	return newLayout(fig)
}

// finishEPS replaces the header of gonum's canvas, which is not a valid comment, has a
// fractional bounding box and contains the date.
func finishEPS(eps []byte, size vg.Point) []byte {
	_, body, _ := bytes.Cut(eps, []byte("%%EndComments\n"))
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%!PS-Adobe-3.0 EPSF-3.0\n%%%%BoundingBox: 0 0 %d %d\n",
		int(math.Ceil(float64(size.X))), int(math.Ceil(float64(size.Y))))
	fmt.Fprintf(&b, "%%%%HiResBoundingBox: 0 0 %.3f %.3f\n%%%%EndComments\n1 setlinejoin\n", size.X,
		size.Y)
	b.Write(body)
	b.WriteString("%%EOF\n")
	return b.Bytes()
}

// finishPNG adds the resolution. Without it programs assume three times the size.
func finishPNG(png []byte) []byte {
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
