// Package figure turns plain numbers into figures fit for a two-column paper.
//
// A [Figure] says what is drawn: its kind, its axes and its series. [Save] writes it as SVG, PNG, PDF, EPS or, for the
// numbers themselves, CSV. The plotting is gonum/plot's; what stands here is the wrapper around its canvases that draws
// text as outlines (canvas.go), the theme (theme.go) and the composition: ranges and ticks, layout, legend, bars and
// cells.
//
// Widths, type sizes and strokes are those of the printed page: 84 mm for one column, 174 mm for two, labels of 8 pt,
// ticks of 7 pt, axes of 0.5 pt. Colours are those of Okabe and Ito (2008), which the colour-blind can tell apart; in
// black and white series differ by dash and glyph, bars by hatch.
//
// The same figure gives the same bytes in every format.
package figure

// Kind says how the series of a figure are drawn.
type Kind int

const (
	// Bars draws a group of bars for each category and in it one bar for each series.
	Bars Kind = iota
	// Lines joins the points of each series.
	Lines
	// Scatter draws the points of each series and does not join them.
	Scatter
	// HeatMap draws each series as a row of coloured cells, the first series at the bottom.
	HeatMap
)

// String gives the name used in messages.
func (k Kind) String() string {
	switch k {
	case Bars:
		return "bars"
	case Lines:
		return "lines"
	case Scatter:
		return "scatter"
	case HeatMap:
		return "heat map"
	}
	return "unknown kind"
}

// LegendPlace says where the legend stands; it never lies over the data.
type LegendPlace int

const (
	// Above puts the legend between title and data, in as many columns as fit.
	Above LegendPlace = iota
	// Beside puts the legend to the right of the data, in one column.
	Beside
	// NoLegend leaves the legend out.
	NoLegend
)

// Widths of figures in a paper of two columns.
const (
	OneColumnMM = 84.0
	TwoColumnMM = 174.0
)

// Axis describes an axis, or the colours of a heat map.
type Axis struct {
	Label    string   // with its unit in parentheses: "Mean latency (cycles)"
	Log      bool     // logarithmic; then a value that is not positive is an error
	Min, Max *float64 // nil: taken from the data; new(0.5) gives one
	// the values are times in seconds or cycles, of which WriteCSV writes at most three decimals
	Time bool
}

// Series is one set of values under one name.
//
// A Y that is NaN was not measured: it is left out and interrupts the line. Low and High are the ends of the interval,
// not its half widths; they are nil, or as long as Y, and NaN where there is none. An end that is not positive on a
// logarithmic axis runs to the axis. Published is nil, or as long as Y, and NaN where nothing was published.
type Series struct {
	Name      string
	X         []float64 // Bars: not used; HeatMap: the numbers of the columns, nil for 0, 1, 2, ...
	Y         []float64 // HeatMap: the values of the row's cells
	Low, High []float64
	Published []float64 // values of another source, drawn as open diamonds
	// Lines: nil, or as long as Y: points crossed out, where the line meets the upper edge if they lie above it
	Crossed []bool
}

// Panel is one of the small multiples of a figure: a plot of its own with the same axes as the others.
type Panel struct {
	Name   string   // its heading
	Values []string // what tells it from the others, a value for each of the figure's PanelKeys
	Series []Series // of each panel the same names in the same order: one legend is for all
}

// Figure is all that is needed to draw one figure.
type Figure struct {
	Kind       Kind
	Title      string // usually empty: papers have captions
	X, Y       Axis   // Bars: only X.Label counts; HeatMap: only the labels count
	Colour     Axis   // HeatMap: the values of the cells
	Categories []string
	Series     []Series

	// if any, in place of Series: a grid of plots with one legend; not for a heat map
	Panels    []Panel
	PanelKeys []string // what WriteCSV calls the columns of the panels' Values

	Blank bool // HeatMap: cells without a value are left white, not crossed out
	Bands bool // Lines: Low and High as a band and not as error bars
	// values of Y marked by a thin line across, such as 1 where values are normalised
	Levels         []float64
	Legend         LegendPlace
	PublishedLabel string // what the legend calls the published values; "published" if empty

	CrossedLabel string // what the legend calls points crossed out; "crossed" if empty

	WidthMM  float64 // if zero OneColumnMM, TwoColumnMM for several panels
	HeightMM float64 // of the whole page; if zero, it follows from Aspect
	// height over width of the region of the data; if zero 0.6, for a heat map that of square cells
	Aspect float64

	ranging []Series // of a panel: the series of all panels, from which the axes take their ranges
}
