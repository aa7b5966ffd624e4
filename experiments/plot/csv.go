package plot

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"contend/internal/decimal"
	"contend/internal/table"
)

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

// WriteCSV writes the numbers of the figure in long form, one line for each value, with
// the header series,x,y,y_low,y_high,published. x is the category in a figure with
// categories. A cell without a number is empty. A column crossed follows if points may
// be crossed out. In a heat map a series is a row, and y is the value of a cell.
// Columns with the panels' values come first.
//
// Numbers are plain decimals; see the package decimal.
func WriteCSV(w io.Writer, fig Figure) error {
	header := append(slices.Clone(fig.PanelKeys), table.Names(Columns)...)
	if !fig.crosses() {
		header = header[:len(header)-1]
	}
	if fig.boxed() {
		header = append(header, "lower_quartile", "upper_quartile")
	}
	lines := [][]string{header}
	if len(fig.Panels) == 0 {
		fig, err := fig.checked()
		if err != nil {
			return err
		}
		lines = append(lines, fig.csvLines()...)
	} else if err := fig.checkPanels(); err != nil {
		return err
	}
	for i, p := range fig.Panels {
		panel, err := fig.panel(i).checked()
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
func (fig Figure) csvLines() (lines [][]string) {
	x, value, crosses := fig.X.text(), fig.valueAxis().text(), fig.crosses()
	for _, s := range fig.Series {
		for i, y := range s.Y {
			at := strconv.Itoa(i)
			switch {
			case len(fig.Categories) > 0 && fig.Kind != Scatter:
				at = fig.Categories[i]
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
func (fig Figure) boxed() bool {
	return fig.any(func(s Series) bool { return s.Quartiles != nil })
}

// crosses reports whether points of a figure may be crossed out.
func (fig Figure) crosses() bool {
	return fig.any(func(s Series) bool { return s.Crossed != nil })
}

// any reports whether a series of the figure, or of one of its panels, has a property.
func (fig Figure) any(has func(Series) bool) bool {
	return slices.ContainsFunc(fig.Series, has) || slices.ContainsFunc(fig.Panels,
		func(p Panel) bool { return slices.ContainsFunc(p.Series, has) })
}

// text returns the function that formats the axis's values.
func (a Axis) text() func(float64) string {
	if a.Time {
		return decimal.Time
	}
	return decimal.Number
}
