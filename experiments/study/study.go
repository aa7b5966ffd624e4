package study

import (
	"contend/experiments/config"
	"contend/internal/input"
)

// Study is a base spec, the axes along which it varies, and the tables and
// figures to make of the results. Fields with a key tag are the keys of its
// TOML outside of the sections of a spec; the page of keys has their meaning.
type Study struct {
	Name  string `key:"name"`  // name of the study and of its output folder
	Title string `key:"title"` // one line, "" for none
	// Labels are names to print in figures in place of labels of axes: strings.
	Labels map[string]any `key:"labels"`
	Cites  string         `key:"cites"` // the paper, table or figure it reproduces
	Doc    string         `key:"doc"`   // what it does and why it is set up this way
	// Primary lists the metrics whose precision decides on replications.
	Primary []string `key:"primary" ref:"metric"`

	Base config.Spec     // the run that the axes vary
	Runs config.RunsSpec // replications, confidence and precision

	Variants   []Variant   `key:"variants"`   // what the axis variant chooses from
	Axes       []Axis      `key:"axes"`       // the first varies slowest
	Overrides  []Override  `key:"overrides"`  // applied in order; later ones win
	Quick      Quick       `key:"quick"`      // the small version
	Table      TableSpec   `key:"table"`      // the table of results
	Figures    []Figure    `key:"figures"`    // in the order in which they are drawn
	BreakEvens []BreakEven `key:"break_even"` // where something begins to pay
	Landmarks  []Landmark  `key:"landmarks"`  // what texts state about lines of figures
	// Differences lists the paired differences that the summary has.
	Differences []Difference `key:"differences"`
	Published   Published    `key:"published"`  // what a paper printed
	Tolerances  []Tolerance  `key:"tolerances"` // rules that judge the results
	// Misses says in a sentence which of the rules fail, and why; "" if all of them hold.
	Misses string   `key:"misses"`
	Notes  []string `key:"notes"`  // what differs from the paper, and why
	Inputs []Input  `key:"inputs"` // what a run took from logs
	// Changed lists the flags after which the published figures no longer
	// describe the study.
	Changed []string `key:"changed"`
	// Selected lists the flags that left out some of the points.
	Selected []string `key:"selected"`

	// Remarks tell the user what flags did to the study, a sentence each.
	Remarks []string

	given          []given         // keys that apply to all points, with their origin
	flagged        bool            // flags have changed the study
	idle           *idleError      // the first key, or axis, that acts at no point before flags
	defaultMetrics bool            // Primary is what a study has that names none
	acting         map[string]bool // keys that act at some point; nil where unknown

	origin string     // names the file that the study is from, "" for one that is made
	source input.TOML // its text

	// points are what the study expanded to when pointsFrom was the text of all that
	// Points depends on.
	points     []Point
	pointsFrom string
}

// Axis is a key and the values it takes.
type Axis struct {
	Key    string `key:"key"`    // a key of a run, a shorthand, or variant
	Values []any  `key:"values"` // one or more, as TOML has them
	// Until ends the axis at the first load that saturates the network, if it is UntilSaturated.
	Until string `key:"until"`

	where string // the flag that gave it; "" for the study's TOML
}

// Variant is a value of the axis variant. Its name stands in tables and
// figures and is no part of a run's spec.
type Variant struct {
	Name string         `key:"name"` // unique in the study
	Set  map[string]any `key:"set"`  // keys with their values
}

// Override sets keys at the points at which every key of When has the given
// value, or one of the given list. Overrides apply after the axes.
type Override struct {
	When map[string]any `key:"when" ref:"where"` // axis keys with a value or a list of values
	Set  map[string]any `key:"set"`              // keys with their values
}

// Quick is the study's small version. It sets keys at all points, overrules
// variants and overrides, and replaces axes.
type Quick struct {
	Set  map[string]any `key:"set"`  // keys with their values
	Axes []Axis         `key:"axes"` // each replaces the axis of its key
	// Metrics replaces the columns of the table, nil for no change. It leaves
	// out metrics that cannot be compared with the published figures.
	Metrics []string `key:"metrics" ref:"metric"`
}

// TableSpec says what the table holds: a row per point, a column per metric.
type TableSpec struct {
	Metrics  []string `key:"metrics" ref:"metric"` // columns; nil for the primary metrics
	Keys     []string `key:"keys" ref:"key"`       // keys shown beside the axes
	Relative string   `key:"relative_to"`          // axis label of the reference, "" for none
}

// Figure describes one figure.
type Figure struct {
	Name        string         `key:"name"`                    // file name without ending
	Title       string         `key:"title"`                   // caption
	Kind        string         `key:"kind"`                    // see FigureKinds
	X           string         `key:"x"`                       // axis key or column of the abscissa
	Series      string         `key:"series" ref:"varying"`    // axis key of lines or bars, "" for one
	Panels      []string       `key:"panels" ref:"varying"`    // axis keys of the panels
	PanelAxes   string         `key:"panel_axes"`              // shared, or free: of each panel
	Rows        []string       `key:"rows" ref:"varying"`      // axis keys of a table's rows
	Columns     string         `key:"columns" ref:"varying"`   // axis key of a table's columns
	Metric      string         `key:"metric"`                  // metric or column of the ordinate
	Relative    string         `key:"relative_to" ref:"label"` // label to divide by, or ""
	Gain        bool           `key:"gain"`                    // draw 1 - ratio, in percent
	XScale      float64        `key:"x_scale"`                 // factor of the abscissa, 0 for 1
	SeriesScale float64        `key:"series_scale"`            // factor of series names, or 0
	Processors  int            `key:"processors"`              // drawn job size, 0 for all
	Time        float64        `key:"time"`                    // moment that is drawn, 0 for none
	TimePercent float64        `key:"time_percent"`            // moment in % of the run
	Job         int            `key:"job"`                     // job to mark, 0 for none
	Where       map[string]any `key:"where" ref:"where"`       // the points to draw, nil for all
	XLabel      string         `key:"x_label"`                 // label of the abscissa
	YLabel      string         `key:"y_label"`                 // label of the ordinate
	LogX        bool           `key:"log_x"`                   // logarithmic abscissa
	LogY        bool           `key:"log_y"`                   // logarithmic ordinate
	Published   bool           `key:"published"`               // mark the published figures too

	// What follows changes the look only, as the flags of contend plot do.

	Labels  map[string]any `key:"labels"`   // names to print, besides Study.Labels
	Bands   bool           `key:"bands"`    // bands in place of whiskers along lines
	XLimits []float64      `key:"x_limits"` // ends of the abscissa, nil: from the data
	YLimits []float64      `key:"y_limits"` // ends of the ordinate, nil: from the data
	WidthMM float64        `key:"width_mm"` // width of the page, mm; 0: one column
	Aspect  float64        `key:"aspect"`   // height over width of the data; 0: 0.6
}

// Published holds printed figures as CSV: a header of keys and metric names,
// and a row per point. A column METRIC_error holds the error that the paper
// states. Lines that begin with # are comments.
type Published struct {
	File string `key:"file"` // CSV file, "" where CSV is given
	CSV  string `key:"csv"`  // the CSV itself; columns are keys, variant and metrics
	// Program names the program whose figures they are, "" if a paper printed
	// them. Rules judge a program's figures, but printed numbers do not
	// include them.
	Program string `key:"program"`
	// Elsewhere selects rows that belong to another study. They only divide
	// other rows here.
	Elsewhere map[string]any `key:"elsewhere" ref:"values"`

	from string         // the file that was read
	rows []PublishedRow // of CSV
}

// Tolerance is one rule of contend compare.
type Tolerance struct {
	Name     string         `key:"name"`                    // by which documents cite it, or ""
	Rule     string         `key:"rule"`                    // ratio, ranking, ...: see tolerance.go
	Metric   string         `key:"metric" ref:"metric,"`    // metric to compare
	Within   float64        `key:"within"`                  // largest distance, a fraction for ratio
	Interval bool           `key:"interval"`                // the interval counts: page of keys
	Offset   float64        `key:"offset"`                  // added to the published value
	Of       string         `key:"of" ref:"label"`          // measured label of Among, "" for all
	Relative string         `key:"relative_to" ref:"label"` // label of Among to divide by, "" for none
	Min      *float64       `key:"min"`                     // least value or ratio, nil for none
	Max      *float64       `key:"max"`                     // largest value or ratio, nil for none
	Among    string         `key:"among" ref:"axis"`        // axis key, "" for the last axis
	Ranking  []string       `key:"ranking" ref:"label"`     // labels of Among from least to most
	AtLeast  int            `key:"at_least"`                // cells or groups, 0 for all
	Where    map[string]any `key:"where" ref:"where"`       // the cells to judge, nil for all
	Share    float64        `key:"share"`                   // least share of intervals that hold
	// EachShare is that among the cases with the same label of an axis, 0 if none is asked for.
	EachShare float64 `key:"each_share" json:",omitempty"`
	// Printed is the number or the sentence of the paper that a rule about bounds is about, "" for a
	// conclusion of our own. A number is the bounds where there are none.
	Printed string `key:"printed" json:",omitempty"`
	Why     string `key:"why"` // the source of the tolerance
	// Set says whether the tolerance was set before or after results of the study were seen, "" if
	// after.
	Set string `key:"set" json:",omitempty"`
}

// labelKey implements labelled.
func (f *Figure) labelKey(*Study) string { return f.RelativeKey() }

// labelKey implements labelled.
func (t *Tolerance) labelKey(st *Study) string { return t.AmongKey(st) }

// AmongKey returns the axis along which a rule compares: the last one where Among is not given.
func (t *Tolerance) AmongKey(st *Study) string {
	if t.Among == "" && len(st.Axes) > 0 {
		return st.Axes[len(st.Axes)-1].Key
	}
	return t.Among
}
