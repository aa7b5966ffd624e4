package plot

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"contend/internal/decimal"
	"contend/internal/table"

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

// Columns are those of the numbers behind a figure, after its panels' keys. The last one is only
// in figures that cross points out.
var Columns = []table.Column{
	table.Plain("series", "", "line, group of bars or row of a matrix"),
	table.Plain("x", "of the abscissa", "category or position"),
	table.Plain("y", "of the ordinate", "value drawn"),
	table.Plain("y_low", "of the ordinate", "lower end of the interval, or empty"),
	table.Plain("y_high", "of the ordinate", "upper end of the interval, or empty"),
	table.Plain("published", "of the ordinate", "value a paper printed, or empty"),
	table.Plain("crossed", "", "only in figures that cross points out: whether this one is"),
}

// writeCSV writes the numbers of the figure in long form, one line for each value, with
// the header series,x,y,y_low,y_high,published. x is the category in a figure with
// categories. A cell without a number is empty. A column crossed follows if points may
// be crossed out. In a heat map a series is a row, and y is the value of a cell.
// Columns with the panels' values come first.
//
// Numbers are plain decimals; see the package decimal.
func (f Figure) writeCSV(w io.Writer) error {
	header := append(slices.Clone(f.PanelKeys), table.Names(Columns)...)
	if !f.crosses() {
		header = header[:len(header)-1]
	}
	if f.boxed() {
		header = append(header, "lower_quartile", "upper_quartile")
	}
	lines := [][]string{header}
	if len(f.Panels) == 0 {
		f, err := f.checked()
		if err != nil {
			return err
		}
		lines = append(lines, f.csvLines()...)
	} else if err := f.checkPanels(); err != nil {
		return err
	}
	for i, p := range f.Panels {
		panel, err := f.panel(i).checked()
		if err != nil {
			return err
		}
		for _, line := range panel.csvLines() {
			lines = append(lines, append(slices.Clone(p.Values), line...))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// csvLines returns the lines of a figure without panels.
func (f Figure) csvLines() (lines [][]string) {
	x, value, crosses := f.X.text(), f.valueAxis().text(), f.crosses()
	for _, s := range f.Series {
		for i, y := range s.Y {
			at := strconv.Itoa(i)
			switch {
			case len(f.Categories) > 0 && f.Kind != Scatter:
				at = f.Categories[i]
			case s.X != nil:
				at = x(s.X[i])
			}
			line := []string{s.Name, at, value(y), "", "", ""}
			if s.Low != nil {
				line[3], line[4] = value(s.Low[i]), value(s.High[i])
			}
			if s.Published != nil {
				line[5] = decimal.Number(s.Published[i])
			}
			if crosses {
				line = append(line, strconv.FormatBool(s.Crossed != nil && s.Crossed[i]))
			}
			if s.Quartiles != nil {
				line = append(line, value(s.Quartiles.Lower[i]), value(s.Quartiles.Upper[i]))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// boxed reports whether the points of a figure are boxes.
func (f Figure) boxed() bool {
	return f.any(func(s Series) bool { return s.Quartiles != nil })
}

// crosses reports whether points of a figure may be crossed out.
func (f Figure) crosses() bool {
	return f.any(func(s Series) bool { return s.Crossed != nil })
}

// any reports whether a series of the figure, or of one of its panels, has a property.
func (f Figure) any(has func(Series) bool) bool {
	return slices.ContainsFunc(f.Series, has) || slices.ContainsFunc(f.Panels,
		func(p Panel) bool { return slices.ContainsFunc(p.Series, has) })
}

// text returns the function that formats the axis's values.
func (a Axis) text() func(float64) string {
	if a.Time {
		return decimal.Time
	}
	return decimal.Number
}
