// Package plot draws plain numbers as figures for a two-column paper.
//
// A [Figure] describes what to draw: its kind, its axes and its series; a [Scene] has rectangles,
// lines and texts at given places. [Save] writes either as SVG, PNG, PDF or, for the numbers
// themselves, CSV. For example,
//
//	Figure{Kind: Bars, Categories: []string{"mbs", "random"},
//		Y: Axis{Label: "Finish time (cycles)"}, Series: []Series{
//			{Name: "8 flits", Y: []float64{3900, 5300}},
//			{Name: "16 flits", Y: []float64{7000, 10800}}}}
//
// passes these stages. It is checked, and is as wide as one column, 84 mm (check.go). Its ordinate
// goes from 0 to 12 000 with a tick every 2000 (scale.go). The page gets room for the legend and
// the labels, and is 52 mm high (layout.go, or panels.go for small multiples). Two bars stand over
// mbs and two over random, the second of each hatched (bars.go; others in lines.go and heatmap.go).
// gonum/plot hands paths and texts to a canvas of this package (sheet.go), and that to the pen of a
// file format: SVG and PDF keep text as text (vectorpens.go), PNG has its outlines (pngpen.go). The
// CSV file has a row for each bar, such as 16 flits,random,10800 (save.go).
//
// Widths, type sizes and strokes refer to the printed page: 84 mm for one column, 174 mm for two,
// labels of 8 pt, ticks of 7 pt, axes of 0.5 pt. Colours are those of Okabe and Ito (2008), which
// colour-blind readers can tell apart. In black and white, series differ by dash and glyph, and
// bars by hatch (looks.go).
//
// The same figure gives the same bytes in every format.
package plot

import (
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"contend/experiments/plot/limits"
)

// Kind is the way in which the series of a figure are drawn.
type Kind int

const (
	// Bars draws a group of bars for each category. A group has one bar for each
	// series. On a logarithmic axis, where the length of a bar has no meaning, each
	// bar becomes a point.
	Bars Kind = iota
	// Lines draws the points of each series and joins them. In a figure with categories
	// the points of a category stand side by side.
	Lines
	// Scatter draws the points of each series without joining them.
	Scatter
	// HeatMap draws each series as a row of coloured cells, with the first series at
	// the bottom.
	HeatMap
)

// Widths of figures in a paper of two columns, in millimetres.
const (
	OneColumnMM = limits.OneColumnMM
	TwoColumnMM = limits.TwoColumnMM
)

// Axis describes an axis, or the colours of a heat map.
type Axis struct {
	// Label names the quantity, with its unit in parentheses: "Mean latency (cycles)".
	Label string
	// Log makes the axis logarithmic. A value that is not positive is then an error.
	Log bool
	// Min and Max are the ends of the axis in the unit of the data. A nil end follows
	// from the data. The expression new(0.5) gives an end.
	Min, Max *float64
	// Ratio says that the values are ratios: the axis has 1, where bars begin, in place
	// of 0.
	Ratio bool
	// Time says that the values are times in seconds or cycles. CSV has times
	// with at most three decimals.
	Time bool

	page bool // the axis of a panel, whose label stands on the page
}

// Series is a set of values with a name.
//
// A NaN in Y is a missing value, which interrupts the line. Low and High are the ends
// of an interval around Y, not its half widths. An end that is not positive on a
// logarithmic axis extends to the end of the axis.
type Series struct {
	// Name is the name in the legend. A series without a name is not listed there.
	Name string
	// X are the coordinates of the points of Scatter, and of Lines in a figure without
	// categories.
	X []float64
	// Y are the values of the points, bars or cells, in the unit of the axis.
	Y []float64
	// Low and High are the ends of the intervals. They are nil, or as long as Y with NaN
	// for missing intervals.
	Low, High []float64
	// Published are values of another source, drawn as open diamonds. It is nil, or as
	// long as Y with NaN for missing values.
	Published []float64
	// Crossed says which points of Lines are crossed out. A point above the upper edge
	// is crossed out where the line meets the edge, and a missing value at the edge. It is
	// nil or as long as Y.
	Crossed []bool
	// Quartiles, if not nil, make the points of Lines boxes.
	Quartiles *Quartiles
	// Reference says that the values are those by which the others are divided, so that
	// all of them are 1. The series is drawn as a line across the plot.
	Reference bool
	// Look is the number of the colour, dash, glyph and hatch of the series, from 1 to
	// limits.MaxSeries, so that a name looks the same in several figures. If it is 0, or another
	// series before has it, the series has the first look that no series asks for.
	Look int
}

// Panel is one of several small multiples in a figure: a plot with the same axes as the
// others, or with axes of its own (Figure.FreeAxes).
type Panel struct {
	// Name is the heading of the panel.
	Name string
	// Values distinguish the panel from the others: one value for each of the figure's
	// PanelKeys.
	Values []string
	// Series have the same names in the same order in each panel, because all panels
	// share a legend.
	Series []Series
}

// Figure describes a figure completely.
type Figure struct {
	// Kind is the way to draw the series.
	Kind Kind
	// Subject and Description say what the figure shows. They are not drawn. SVG has
	// them as title and desc, PDF as title and subject.
	Subject, Description string
	// X and Y are the axes. Only X.Label has an effect on Bars, and only the labels on
	// a HeatMap.
	X, Y Axis
	// Colour is the scale of a HeatMap's cells.
	Colour Axis
	// Categories are the names along the x axis of Bars and, if any, of Lines and of a
	// HeatMap's columns.
	Categories []string
	// Series are drawn in this order. They are nil in a figure with panels.
	Series []Series

	// Panels, if any, replace Series: a grid of plots with one legend. A HeatMap has
	// none.
	Panels []Panel
	// PanelKeys are the column names of the panels' Values in CSV.
	PanelKeys []string
	// FreeAxes gives each panel axes that cover its own values, in place of those of all panels.
	FreeAxes bool

	// Bands draws Low and High of Lines as a band instead of error bars.
	Bands bool
	// Labels are the names to print in place of names of series and categories. CSV keeps
	// the names themselves.
	Labels map[string]string
	// Diagonal, if above 0, draws the line y = x and a grey band of this part of x on
	// either side of it under Lines or Scatter.
	Diagonal float64
	// Levels are values of Y that a thin horizontal line marks, such as 1 for
	// normalised values.
	Levels []float64
	// NoLegend omits the legend, which otherwise stands between title and data, in as many
	// columns as fit.
	NoLegend bool
	// PublishedLabel is the legend's name of the published values, "published" if
	// empty.
	PublishedLabel string

	// CrossedLabel is the legend's name of points crossed out, "crossed" if empty.
	CrossedLabel string

	// WidthMM is the width of the page in millimetres, from limits.MinWidthMM to
	// limits.MaxWidthMM. The value 0 means OneColumnMM, or TwoColumnMM for several panels.
	WidthMM float64
	// Aspect is the ratio of height to width of the data region, from 0.05 to 20. The
	// value 0 means 0.6, or square cells for a HeatMap.
	Aspect float64

	// In a panel:
	title    string   // the heading
	ranging  []Series // the series of all panels, which determine the ranges of the axes
	heightMM float64  // the height of the page, 0 to derive it from Aspect
	// left is the least distance of the data from the left end of the page.
	left vg.Length
}

// shown returns the indices of all series but the reference, which has no look of the series.
func (f Figure) shown() (list []int) {
	for i, s := range f.Series {
		if !s.Reference {
			list = append(list, i)
		}
	}
	return list
}

// look returns the index of the look of the i-th series: the one that it asks for, or the first one
// that is free.
func (f Figure) look(i int) int {
	var owners [limits.MaxSeries]*Series
	shown := f.shown()
	for _, n := range shown {
		if s := &f.Series[n]; s.Look > 0 && owners[s.Look-1] == nil {
			owners[s.Look-1] = s
		}
	}
	for _, n := range shown {
		if s := &f.Series[n]; s.Look == 0 || owners[s.Look-1] != s {
			owners[slices.Index(owners[:], nil)] = s
		}
	}
	return slices.Index(owners[:], &f.Series[i])
}

// hasReference reports whether a series is drawn as a line across the plot.
func (f Figure) hasReference() bool { return len(f.shown()) < len(f.Series) }

// named returns the name to print for a series or a category.
func (f Figure) named(name string) string {
	if label, ok := f.Labels[name]; ok {
		return label
	}
	return name
}

// categorical reports whether names stand along the x axis.
func (f Figure) categorical() bool {
	return f.Kind == Bars || f.Kind == Lines && len(f.Categories) > 0
}

// hasWords reports whether one of the names along the x axis is no number.
func (f Figure) hasWords() bool {
	return slices.ContainsFunc(f.Categories, func(name string) bool {
		_, err := strconv.ParseFloat(name, 64)
		return err != nil
	})
}
