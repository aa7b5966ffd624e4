package study

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/input"
)

// The kinds of figures of what runs record over time and place.
const (
	// MapKind shows who has which node at a time.
	MapKind = "map"
	// GanttKind shows jobs over time.
	GanttKind = "gantt"
	// ChannelLoadKind shows the load of channels on the machine.
	ChannelLoadKind = "channel-load"
	// InterferenceKind shows which job's packets waited for which other job.
	InterferenceKind = "interference"
	// PairsKind shows the pairs of jobs of which one waited longest for the other.
	PairsKind = "interference-pairs"
	// SlowdownsKind shows how much slower each job is beside each other one only.
	SlowdownsKind = "slowdowns"
	// WaitChannelsKind shows the channels at which packets waited for other jobs.
	WaitChannelsKind = "interference-channels"
	// SeriesKind shows a column of series.csv over time.
	SeriesKind = "series"
	// ECDFKind and BoxKind show the distribution of a column of jobs.csv.
	ECDFKind = "ecdf"
	// BoxKind draws it as boxes.
	BoxKind = "box"
	// CoverageKind shows half widths of intervals over true errors, of jobs and of runs.
	CoverageKind = "coverage"
)

// SizeClass is the abscissa of boxes that groups jobs by size: 1 processor, 2 and 3, 4 to 7, ...
const SizeClass = "size-class"

// ByPattern is the abscissa of slowdowns that groups jobs by their pattern.
const ByPattern = "pattern"

// RecordedKinds lists the kinds of figures of what runs record.
var RecordedKinds = []string{MapKind, GanttKind, ChannelLoadKind, InterferenceKind,
	PairsKind, SlowdownsKind, WaitChannelsKind, SeriesKind, ECDFKind, BoxKind, CoverageKind}

// Recorded reports whether the figure shows what runs record over time and place.
func (f *Figure) Recorded() bool { return slices.Contains(RecordedKinds, f.Kind) }

// OnePoint reports whether the figure shows the first replication of one point.
func (f *Figure) OnePoint() bool {
	return slices.Contains([]string{MapKind, GanttKind, ChannelLoadKind, InterferenceKind, PairsKind,
		SlowdownsKind, WaitChannelsKind}, f.Kind)
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

// RecordedColumns lists the columns that a figure of a kind can show as its metric, the
// default first; nil where it has none.
func RecordedColumns(kind string) []string {
	switch kind {
	case ChannelLoadKind:
		return []string{"utilization_percent", "flits", "held_cycles", "stalled_cycles",
			"waited_own_cycles", "waited_foreign_cycles"}
	case InterferenceKind, PairsKind, WaitChannelsKind:
		return []string{"direct_cycles", "held_cycles", "root_cycles"}
	case SeriesKind:
		return slices.DeleteFunc(metrics.SeriesTable.Names()[2:], func(c string) bool {
			return c == metrics.PairColumn
		})
	case ECDFKind, BoxKind:
		columns := slices.DeleteFunc(numberColumns(), func(c string) bool {
			return slices.Contains([]string{"job", "wait_time"}, c)
		})
		return append([]string{"wait_time"}, columns...)
	}
	return nil
}

// checkRecorded tests a figure of what runs record.
func (f *Figure) checkRecorded(at string) *input.Error {
	known := RecordedColumns(f.Kind)
	switch {
	case f.Metric != "" && known == nil:
		return input.Bad(at+".metric", "leave it out", "%s.metric is %q, and a figure of kind %s "+
			"has none", at, f.Metric, f.Kind)
	case f.Metric != "" && !slices.Contains(known, f.Metric):
		return oneOf(at+".metric", f.Metric, known)
	case f.Time < 0:
		return input.Bad(at+".time", "give a time of 0 or above", "%s.time is %v", at, f.Time)
	case f.TimePercent < 0 || f.TimePercent >= 100:
		return input.Bad(at+".time_percent", "give more than 0 and less than 100",
			"%s.time_percent is %v", at, f.TimePercent)
	case f.Time > 0 && f.TimePercent > 0:
		return input.Bad(at+".time_percent", "leave out one of them",
			"%s has both time and time_percent", at)
	case f.Kind == ChannelLoadKind && f.Timed() && f.Metric != "" && f.Metric != known[0]:
		return input.Bad(at+".metric", "leave out time, or give "+known[0],
			"%s.metric is %q, which is not stored over time", at, f.Metric)
	case f.Panels != nil && f.OnePoint():
		return input.Bad(at+".panels", "leave it out", "%s is of kind %s, which has no panels", at,
			f.Kind)
	case f.Kind == CoverageKind && (f.Series != "" || f.Panels != nil):
		return input.Bad(at+".series", "leave out series and panels",
			"%s is of kind %s, whose series are jobs and runs", at, f.Kind)
	case f.Relative != "":
		return input.Bad(at+".relative_to", "leave it out",
			"%s is of kind %s, which has no reference", at, f.Kind)
	}
	return cmp.Or(f.checkActing(at), f.checkRecordedKey(at+".x", "x", f.X),
		f.checkRecordedKey(at+".series", "series", f.Series), f.checkPanels(at))
}

// checkActing refuses keys that a figure of what runs record has no use for.
func (f *Figure) checkActing(at string) *input.Error {
	for _, k := range []struct {
		name  string
		given bool
		kinds []string // that use it
	}{
		{"time", f.Time > 0, []string{MapKind, ChannelLoadKind}},
		{"time_percent", f.TimePercent > 0, []string{MapKind, ChannelLoadKind}},
		{"job", f.Job != 0, []string{MapKind, GanttKind, WaitChannelsKind}},
		{"log_x", f.LogX, []string{SeriesKind, ECDFKind}},
		{"log_y", f.LogY, []string{ChannelLoadKind, InterferenceKind,
			PairsKind, WaitChannelsKind, SeriesKind, BoxKind}},
		{"bands", f.Bands, nil},
	} {
		if k.given && !slices.Contains(k.kinds, f.Kind) {
			right := "leave it out"
			if k.kinds != nil {
				right += ", or draw " + strings.Join(k.kinds, " or ")
			}
			return input.Bad(at+"."+k.name, right, "%s.%s has no effect on a figure of kind %s", at,
				k.name, f.Kind)
		}
	}
	if f.Job < 0 {
		return input.Bad(at+".job", "give the number of a job", "%s.job is %d", at, f.Job)
	}
	return nil
}

// checkRecordedKey tests x or series of a figure of what runs record.
func (f *Figure) checkRecordedKey(at, name, value string) *input.Error {
	switch {
	case value == "" || name == "x" && (f.Kind == GanttKind && value == "node" ||
		f.Kind == BoxKind && value == SizeClass || f.Kind == SlowdownsKind && value == ByPattern):
		return nil
	case name == "x" && f.Kind == SlowdownsKind:
		return input.Bad(at, "give pattern, or leave it out for jobs by their numbers", "%s is %q", at,
			value)
	case name == "x" && f.Kind == GanttKind:
		return input.Bad(at, "give node, or leave it out for the allocator's order", "%s is %q",
			at, value)
	case f.OnePoint() || name == "x" && f.Kind != BoxKind:
		return input.Bad(at, "leave it out", "%s is %q, and a figure of kind %s has none", at, value,
			f.Kind)
	}
	return checkAxisKey(value, at)
}

// CheckFigure tests a figure of records that flags describe.
func (st *Study) CheckFigure(f *Figure) error {
	refs := referencesIn("figure", reflect.ValueOf(f).Elem())
	if err := cmp.Or(oneOf("kind", f.Kind, RecordedKinds), st.checkReferences(refs),
		f.check("figure", st)); err != nil {
		return err
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	return InFlag(st.checkPlaces("figure", f, points), "")
}

// WhereFlags returns the table of where for the conditions KEY=V1,V2 of flags.
func (st *Study) WhereFlags(texts []string) (map[string]any, error) {
	where := map[string]any{}
	for _, text := range texts {
		if err := st.addWhere(where, text); err != nil {
			return nil, err
		}
	}
	return where, nil
}

// addWhere adds the condition KEY=V1,V2 of a flag to a table of where.
func (st *Study) addWhere(where map[string]any, text string) error {
	at := "--where " + text
	path, values, ok := strings.Cut(text, "=")
	path = strings.TrimSpace(path)
	if !ok {
		return &input.Error{Where: at, Problem: "there is no =",
			Right: "give KEY=VALUE such as allocator=mbs"}
	}
	k, known := FindAxisKey(path)
	if !known {
		return InFlag(config.UnknownKey(path), at)
	}
	var list []any
	for _, part := range splitValues(k, values, st.Base.Registry) {
		list = append(list, config.ParseFlagValue(k, part))
	}
	where[path] = list
	if len(list) == 1 {
		where[path] = list[0]
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	given := map[string]any{path: where[path]}
	return InFlag(cmp.Or(st.checkWhere(given, "where"),
		newNameCheck(st, points).where(given, "where")), at)
}
