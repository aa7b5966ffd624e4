package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"contend/experiments/wholefile"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgeps"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// dotsPerInch is the resolution of PNG files.
const dotsPerInch = 300

// Save writes the figure once for each format, as base with the format's name after a
// dot: svg, png, pdf, eps or csv. It writes nothing if a format fails. Each file
// appears whole or not at all.
func Save(fig Figure, base string, formats []string) error {
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
		if err := wholefile.Write(base+"."+format, write); err != nil {
			return fmt.Errorf("figure: %w", err)
		}
	}
	return nil
}

// Render writes the figure in one format: svg, png, pdf, eps or csv.
func Render(w io.Writer, fig Figure, format string) error {
	if format == "csv" {
		return WriteCSV(w, fig)
	}
	l, err := newPage(fig)
	if err != nil {
		return err
	}
	var (
		canvas vg.CanvasWriterTo
		finish func([]byte, vg.Point) []byte
	)
	switch format {
	case "svg":
		canvas, finish = vgsvg.New(l.pageSize().X, l.pageSize().Y), finishSVG
	case "pdf":
		canvas, finish = vgpdf.New(l.pageSize().X, l.pageSize().Y), finishPDF
	case "eps":
		canvas, finish = vgeps.New(l.pageSize().X, l.pageSize().Y), finishEPS
	case "png":
		image := vgimg.NewWith(vgimg.UseWH(l.pageSize().X, l.pageSize().Y), vgimg.UseDPI(dotsPerInch))
		canvas, finish = vgimg.PngCanvas{Canvas: image}, finishPNG
	default:
		return fmt.Errorf("figure: format %q: want svg, png, pdf, eps or csv", format)
	}
	l.draw(outlined{canvas})
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("figure: %s: %w", format, err)
	}
	_, err = w.Write(finish(b.Bytes(), l.pageSize()))
	return err
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

// finishSVG rounds the corners of lines, as PNG does. Mitred corners show spikes.
func finishSVG(svg []byte, _ vg.Point) []byte {
	return bytes.Replace(svg, []byte("<svg "), []byte(`<svg stroke-linejoin="round" `), 1)
}

// finishPDF blanks the dates in the document's information. Their length stays, so that
// the table of offsets remains valid.
func finishPDF(pdf []byte, _ vg.Point) []byte {
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
func finishPNG(png []byte, _ vg.Point) []byte {
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
