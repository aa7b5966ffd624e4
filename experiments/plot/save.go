package plot

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Save writes the figure once for each format by a function, as base with the format's name after a
// dot, one of Formats. It writes nothing if a format fails.
func Save(fig Drawable, write func(name string, text []byte) error, base string,
	formats []string) error {
	contents := make([][]byte, len(formats))
	for i, format := range formats {
		var b bytes.Buffer
		if err := Render(&b, fig, format); err != nil {
			return err
		}
		contents[i] = b.Bytes()
	}
	for i, format := range formats {
		if err := write(base+"."+format, contents[i]); err != nil {
			return fmt.Errorf("figure: %w", err)
		}
	}
	return nil
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

// arrange checks the figure and places its parts, or those of its panels.
func (f Figure) arrange() (page, error) {
	if len(f.Panels) > 0 {
		return newMultiples(f)
	}
	return newLayout(f)
}

// arrange checks the scene and places its parts.
func (s Scene) arrange() (page, error) { return newScenePage(s) }

// About returns the subject and the description of the figure.
func (f Figure) About() (subject, description string) { return f.Subject, f.Description }

// About returns the subject and the description of the scene.
func (s Scene) About() (subject, description string) { return s.Subject, s.Description }

// writeCSV writes the table of the scene.
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
func Formats() []string { return []string{"svg", "png", "pdf", "csv"} }

// file is a pen whose drawing becomes a file.
type file interface {
	pen
	// bytes returns the whole file.
	bytes(title, description string) ([]byte, error)
}

// rendered returns a page in one of the formats that draw.
func rendered(p page, fig Drawable, format string) ([]byte, error) {
	var to file
	switch size := p.pageSize(); format {
	case "svg":
		to = &svgPen{size: size}
	case "png":
		to = newPNGPen(size)
	case "pdf":
		to = newPDFPen(size)
	}
	p.draw(newSheet(to))
	return to.bytes(fig.About())
}

// page is a figure with all its parts in place.
type page interface {
	pageSize() vg.Point
	draw(vg.Canvas)
}
