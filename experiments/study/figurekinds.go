package study

import (
	"slices"

	"contend/experiments/metrics"
	"contend/internal/input"
)

// FigureKind is a kind of figure: the keys that a study may give, and the tables of rows that its
// runs have to write. Checks, errors, help and the page of keys come from these rows; package
// report has a row of the same name that draws the kind.
type FigureKind struct {
	Name  string   // value of kind
	Doc   string   // subject of the figure, for readers of the page of keys
	Needs []string // keys that a figure must have, beside those of every figure
	Takes []string // further keys that act

	XKey   bool            // x is the key of an axis
	X      func() []string // words that x can be, nil for none
	XDoc   string          // meaning of these words
	Metric func() []string // columns that metric can be, the default first; nil: see Check
	// MetricDoc says what metric is, "" for a metric of runs.
	MetricDoc string
	// Check tests what the other fields do not say; nil for nothing.
	Check func(f *Figure, at string, st *Study) *input.Error
	// Tables lists the tables of rows that runs have to write; nil for none.
	Tables func(*Figure) []string

	Recorded bool // it shows records over time and place, and contend plot --kind draws it
	OnePoint bool // it shows the first replication of one point
	Table    bool // it is a table of text

	Grouped        bool // the abscissa has a place for each value of x
	Subtracts      bool // the value at relative_to is subtracted, not divided by
	OmitsReference bool // the value at relative_to has no mark
	LineEachPoint  bool // without the key series, each point has a line
	// MarkEachPoint reports whether each point has marks of its own; nil for never.
	MarkEachPoint func(*Figure) bool
	// Marked reports whether a point has a mark; nil for every point.
	Marked func(st *Study, f *Figure, points []Point, i int) bool
}

// Keys of every figure, and of every figure that is drawn.
var (
	commonKeys = []string{"name", "title", "kind", "where", "labels", "width_mm"}
	drawnKeys  = []string{"x_label", "y_label", "x_limits", "y_limits", "aspect"}
)

// Kinds of figures that other packages name.
const (
	ChannelLoadKind  = "channel-load"
	WaitChannelsKind = "interference-channels"
)

// Words that x can be in place of the key of an axis.
const (
	NodeNumbers = "node"       // in a Gantt chart: nodes by their numbers
	SizeClass   = "size-class" // boxes of jobs by size: 1 processor, 2 and 3, 4 to 7, ...
	ByPattern   = "pattern"    // slowdowns by the pattern of jobs
)

// FigureKinds lists the kinds of figures.
var FigureKinds = []FigureKind{
	{Name: "bars", Doc: "a bar for each value of x and series; a point if the ordinate is logarithmic",
		Needs: []string{"x", "metric"}, Takes: []string{"series", "panels", "relative_to", "gain",
			"series_scale", "log_y", "published"},
		XKey: true, Grouped: true, Check: (*Figure).checkMetric},
	{Name: "lines", Doc: "a line over x for each series",
		Needs: []string{"x", "metric"}, Takes: []string{"series", "panels", "relative_to", "gain",
			"x_scale", "series_scale", "log_x", "log_y", "published", "bands"},
		XKey: true, Check: (*Figure).checkMetric},
	{Name: "difference", Doc: "bars of paired differences from relative_to, run by run, with their " +
		"intervals",
		Needs: []string{"x", "metric", "relative_to"},
		Takes: []string{"series", "panels", "series_scale"},
		XKey:  true, Grouped: true, Subtracts: true, OmitsReference: true,
		Check: (*Figure).checkMetric},
	{Name: "table", Doc: "the metric by rows and columns, as LaTeX and Markdown",
		Needs: []string{"rows", "columns", "metric"}, Takes: []string{"relative_to"},
		XKey: true, Table: true, Check: (*Figure).checkTable},
	{Name: "scatter", Doc: "a mark for each job of the first replication",
		Needs: []string{"x", "metric"}, Takes: []string{"series", "panels", "x_scale", "processors",
			"log_x", "log_y"},
		X: numberColumns, XDoc: "a column of jobs.csv",
		Metric: numberColumns, MetricDoc: "a column of jobs.csv", Tables: reads("jobs")},
	{Name: "sizes", Doc: "the gain over relative_to by job size, in percent, or with the metric " +
		"jobs the number of jobs",
		Needs: []string{"x", "metric", "series", "relative_to"},
		Takes: []string{"panels", "log_x", "log_y"},
		X:     words(JobSizes, JobRanks), XDoc: "size or rank, by number of jobs",
		Metric: words("sum_pairwise_distance", "jobs"), MetricDoc: "sum_pairwise_distance or jobs",
		Tables: reads("sizes"), OmitsReference: true},
	{Name: "break-even", Doc: "from where something pays, over x",
		Needs: []string{"x", "metric"}, Takes: []string{"series", "panels", "x_scale", "series_scale",
			"log_x", "log_y", "bands"},
		XKey: true, MetricDoc: "break_even.name", Check: (*Figure).checkBreakEven,
		Marked: beginsBreakEven},
	{Name: "map", Doc: "which job has each node",
		Takes: []string{"time", "time_percent", "job"}, Tables: reads("jobs"),
		Recorded: true, OnePoint: true},
	{Name: "gantt", Doc: "jobs over time", Takes: []string{"x", "job"},
		X: words(NodeNumbers), XDoc: "node for numbers of nodes in place of the allocator's order",
		Tables: reads("jobs"), Recorded: true, OnePoint: true},
	{Name: ChannelLoadKind, Doc: "the load of channels on the machine",
		Takes: []string{"metric", "time", "time_percent", "log_y"},
		Metric: words(loadColumn, "flits", "held_cycles", "stalled_cycles", "waited_own_cycles",
			"waited_foreign_cycles"), MetricDoc: "a column of links.csv",
		Check: (*Figure).checkLoad, Tables: channelTables, Recorded: true, OnePoint: true},
	{Name: "interference", Doc: "which job's packets waited for which other job",
		Takes: []string{"metric", "log_y"}, Metric: waitColumns, MetricDoc: waitColumnsDoc,
		Tables: reads("interference"), Recorded: true, OnePoint: true},
	{Name: "interference-pairs", Doc: "the pairs of jobs of which one waited longest for the other",
		Takes: []string{"metric", "log_y"}, Metric: waitColumns, MetricDoc: waitColumnsDoc,
		Tables: reads("interference"), Recorded: true, OnePoint: true},
	{Name: "slowdowns", Doc: "how many times as long a job takes beside each other job only",
		Takes: []string{"x"}, X: words(ByPattern), XDoc: "pattern for means over jobs by their patterns",
		Tables: reads("slowdowns"), Recorded: true, OnePoint: true},
	{Name: WaitChannelsKind, Doc: "the channels at which packets waited for other jobs",
		Takes: []string{"metric", "job", "log_y"}, Metric: waitColumns, MetricDoc: waitColumnsDoc,
		Tables: reads("interference"), Recorded: true, OnePoint: true},
	{Name: "series", Doc: "a column of series.csv over time",
		Takes:  []string{"metric", "series", "panels", "log_x", "log_y"},
		Metric: seriesColumns, MetricDoc: "a column of series.csv", Tables: reads("series"),
		Recorded: true, LineEachPoint: true},
	{Name: "ecdf", Doc: "the share of jobs up to each value of a column of jobs.csv",
		Takes:  []string{"metric", "series", "panels", "log_x"},
		Metric: distributionColumns, MetricDoc: "a column of jobs.csv", Tables: reads("jobs"),
		Recorded: true, LineEachPoint: true},
	{Name: "box", Doc: "boxes of the distribution of a column of jobs.csv",
		Takes: []string{"x", "metric", "series", "panels", "log_y"},
		XKey:  true, X: words(SizeClass), XDoc: "the axis key of the groups, or size-class for jobs " +
			"of 1 processor, 2 and 3, 4 to 7, and so on",
		Metric: distributionColumns, MetricDoc: "a column of jobs.csv", Tables: reads("jobs"),
		Recorded:      true,
		MarkEachPoint: func(f *Figure) bool { return f.X == "" && f.Series == "" }},
	{Name: "coverage", Doc: "half widths of the intervals of `runs.fast_forward` over true errors, " +
		"of service times of runs and of jobs with the same nodes and start, against " +
		"`runs.fast_forward = 0`",
		Tables: reads("jobs"), Recorded: true,
		MarkEachPoint: func(*Figure) bool { return true }},
}

// kind returns the row of the figure's kind, an empty one for a kind that does not exist.
func (f *Figure) kind() *FigureKind {
	for i := range FigureKinds {
		if FigureKinds[i].Name == f.Kind {
			return &FigureKinds[i]
		}
	}
	return &FigureKind{}
}

// KindsWith lists the names of kinds that take a key, those of records or all others; with the key
// "" all of them.
func KindsWith(key string, recorded bool) (names []string) {
	for i := range FigureKinds {
		if k := &FigureKinds[i]; k.Recorded == recorded && (key == "" || k.takes(key)) {
			names = append(names, k.Name)
		}
	}
	return names
}

// takes reports whether a key acts on figures of the kind.
func (k *FigureKind) takes(key string) bool {
	if key == "panel_axes" {
		key = "panels"
	}
	return slices.Contains(commonKeys, key) || !k.Table && slices.Contains(drawnKeys, key) ||
		slices.Contains(k.Needs, key) || slices.Contains(k.Takes, key)
}

// Recorded reports whether the figure shows what runs record over time and place.
func (f *Figure) Recorded() bool { return f.kind().Recorded }

// OnePoint reports whether the figure shows the first replication of one point.
func (f *Figure) OnePoint() bool { return f.kind().OnePoint }

// IsTable reports whether the figure is a table of text.
func (f *Figure) IsTable() bool { return f.kind().Table }

// Subtracts reports whether the figure shows paired differences from relative_to. Intervals of the
// values themselves hold what all compared cases have in common, the draw of the jobs.
func (f *Figure) Subtracts() bool { return f.kind().Subtracts }

// WithoutReference reports whether the value of relative_to has no mark of its own.
func (f *Figure) WithoutReference() bool { return f.Gain || f.kind().OmitsReference }

// Tables lists the tables of rows that the runs of the figure have to write.
func (f *Figure) Tables() []string {
	if k := f.kind(); k.Tables != nil {
		return k.Tables(f)
	}
	return nil
}

// MetricColumns lists the columns that the metric of the figure can be, the default first; nil
// where it is a metric of runs, or there is none.
func (f *Figure) MetricColumns() []string {
	if k := f.kind(); k.Metric != nil {
		return k.Metric()
	}
	return nil
}

// words returns a function that lists some words.
func words(list ...string) func() []string { return func() []string { return list } }

// reads returns a function that lists the tables of any figure of a kind.
func reads(tables ...string) func(*Figure) []string {
	return func(*Figure) []string { return tables }
}

// loadColumn is the column of links.csv that load.csv has over time.
const loadColumn = "utilization_percent"

// channelTables lists the tables of a figure of the load of channels.
func channelTables(f *Figure) []string {
	if f.Timed() {
		return []string{"links", "load"}
	}
	return []string{"links"}
}

// waitColumns lists the columns, and sums of columns, of interference.csv that figures show.
func waitColumns() []string { return []string{"direct_cycles", "held_cycles", "root_cycles"} }

// waitColumnsDoc says what waitColumns are.
const waitColumnsDoc = "direct_cycles, held_cycles or root_cycles of interference.csv"

// seriesColumns lists the columns of series.csv that hold numbers over time.
func seriesColumns() []string {
	return slices.DeleteFunc(metrics.SeriesTable.Names()[2:], func(c string) bool {
		return c == metrics.PairColumn
	})
}

// numberColumns lists the columns of jobs.csv that hold numbers.
func numberColumns() []string {
	return slices.DeleteFunc(metrics.JobTable.Names(), func(column string) bool {
		return column == "pattern" || column == "nodes"
	})
}

// distributionColumns lists the columns of jobs.csv whose distribution a figure shows.
func distributionColumns() []string {
	columns := slices.DeleteFunc(numberColumns(), func(c string) bool {
		return c == "job" || c == "wait_time"
	})
	return append([]string{"wait_time"}, columns...)
}

// Timed reports whether the figure shows a given moment.
func (f *Figure) Timed() bool { return f.Time > 0 || f.TimePercent > 0 }

// Moment returns the given moment of a run that ends at some time.
func (f *Figure) Moment(end float64) float64 {
	if f.TimePercent > 0 {
		return end * f.TimePercent / 100
	}
	return f.Time
}
