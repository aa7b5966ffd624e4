package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// BreakEven finds from which value of the key Along a metric is lower at other
// labels of Among than at the label Against. For example: from which assumed
// speed-up does contiguous allocation pay?
type BreakEven struct {
	Name    string         `key:"name"`                          // title of its table
	Metric  string         `key:"metric" ref:"metric,"`          // metric that has to become lower
	Along   string         `key:"along" ref:"varying,"`          // axis of numbers, in any order
	Against string         `key:"against" ref:"label,"`          // label of Among to beat
	Among   string         `key:"among" ref:"varying,allocator"` // axis key, "" for allocator
	Where   map[string]any `key:"where" ref:"where"`             // the points to compare, nil for all
	Low     float64        `key:"low"`                           // least published, 0 for none
	High    float64        `key:"high"`                          // greatest published break-even
}

// AmongKey returns the key whose values are compared.
func (b *BreakEven) AmongKey() string {
	return cmp.Or(b.Among, "allocator")
}

// labelKey implements labelled.
func (b *BreakEven) labelKey(*Study) string { return b.AmongKey() }

// checkBreakEvens tests the keys of all break-evens.
func (st *Study) checkBreakEvens() *input.Error {
	for i := range st.BreakEvens {
		b := &st.BreakEvens[i]
		at := fmt.Sprintf("break_even[%d]", i)
		if k, _ := config.FindKey(b.Along); k.Type != "integer" && k.Type != "number" ||
			st.HasUnits(b.Along) {
			return input.Bad(at+".along", "give an axis of numbers without units",
				"%s.along is %s, whose values are not numbers", at, b.Along)
		}
		if b.High < b.Low {
			return input.Bad(at+".high", "give a value that is not below low",
				"%s has low %g and high %g", at, b.Low, b.High)
		}
	}
	return nil
}

// BreakEvenNamed returns the first break-even with a name, which a rule about bounds gives in place
// of a metric; nil where there is none.
func (st *Study) BreakEvenNamed(name string) *BreakEven {
	at := slices.IndexFunc(st.BreakEvens, func(b BreakEven) bool { return b.Name == name })
	if name == "" || at < 0 {
		return nil
	}
	return &st.BreakEvens[at]
}

// Begins reports whether a compared line of a break-even begins at a point: it has the first
// value along the line, and another label than the reference.
func (st *Study) Begins(b *BreakEven, points []Point, i int) bool {
	p := &points[i]
	return Matches(p, b.Where) &&
		st.LabelAt(p, b.Along) == st.LabelAt(&points[0], b.Along) &&
		st.LabelAt(p, b.AmongKey()) != b.Against
}

// beginsBreakEven reports whether a point has a mark in a figure of break-evens: the line of the
// one that the figure names begins there.
func beginsBreakEven(st *Study, f *Figure, points []Point, i int) bool {
	b := st.BreakEvenNamed(f.Metric)
	return b == nil || st.Begins(b, points, i)
}

// checkBreakEven tests a figure of break-evens.
func (f *Figure) checkBreakEven(at string, st *Study) *input.Error {
	b := st.BreakEvenNamed(f.Metric)
	var known []string
	for _, b := range st.BreakEvens {
		if slices.Contains(known, b.Name) && b.Name == f.Metric {
			return input.Bad(at+".metric", "give each break_even a name of its own",
				"%s.metric is %q, and two break_even have that name", at, f.Metric)
		}
		known = append(known, b.Name)
	}
	if b == nil {
		if known == nil {
			return input.Bad(at+".metric", "add a table break_even, and give its name",
				"%s is of kind %s, and the study has no break_even", at, f.Kind)
		}
		return input.Bad(at+".metric", input.OneOf(f.Metric, known),
			"%s.metric is %q, which is no break_even.name", at, f.Metric)
	}
	shown := map[string]bool{f.X: true, f.Series: true}
	for _, key := range f.Panels {
		shown[key] = true
	}
	if _, where := f.Where[b.Along]; where || shown[b.Along] {
		return input.Bad(at, "choose other axes", "%s has %s as an axis or in where, and its "+
			"ordinate shows values of it", at, b.Along)
	}
	return nil
}

// Landmark is a number that texts state about a line of a figure: where it peaks, up to where it
// stays at 0, its value at a place. A rule about bounds gives its name in place of a metric.
type Landmark struct {
	Name string `key:"name"` // by which rules measure it
	Take string `key:"take"` // what to take of the line: see LandmarkTakes
	// Metric is the ordinate. A run without it counts as 0 along an axis.
	Metric string `key:"metric" ref:"metric"`
	// Along is the abscissa: an axis of numbers, or JobSizes or JobRanks.
	Along string `key:"along"`
	// Relative is the label of Among that jobs of a size are compared with.
	Relative string    `key:"relative_to" ref:"label"`
	Among    string    `key:"among" ref:"axis"` // axis key, "" for the last axis
	At       []float64 `key:"at"`               // abscissas of at, rank, sum and share
	Above    float64   `key:"above"`            // what the ordinate exceeds
	Within   float64   `key:"within"`           // for peak: fraction of the largest ordinate
}

// Abscissas by the size of jobs: processors, and the rank of a size by its number of jobs. The
// ordinate is then by how many percent the metric is higher than that of Relative, or the number
// of jobs.
const (
	JobSizes = "size"
	JobRanks = "rank"
)

// What to take of a line.
const (
	TakeMax        = "max"         // largest ordinate
	TakePeak       = "peak"        // first abscissa whose ordinate is largest, but for Within
	TakeUpTo       = "up-to"       // last abscissa before the first ordinate above Above
	TakeFirstAbove = "first-above" // first abscissa whose ordinate is above Above
	TakeCountAbove = "count-above" // number of ordinates above Above
	TakeAt         = "at"          // ordinate at At
	TakeRank       = "rank"        // 1 and the number of ordinates larger than that at At
	TakeSum        = "sum"         // sum of the ordinates at At
	TakeShare      = "share"       // the same in percent of all ordinates
)

// landmarkTakes holds, by the values of take, how many abscissas are given at least and at most.
var landmarkTakes = map[string][2]int{TakeMax: {}, TakePeak: {}, TakeUpTo: {}, TakeFirstAbove: {},
	TakeCountAbove: {}, TakeAt: {1, 1}, TakeRank: {1, 1}, TakeSum: {1, 64}, TakeShare: {1, 64}}

// BySize reports whether the line goes over sizes of jobs, not along an axis.
func (l *Landmark) BySize() bool { return l.Along == JobSizes || l.Along == JobRanks }

// AmongKey returns the key whose label Relative is.
func (l *Landmark) AmongKey(st *Study) string {
	if l.Among == "" && len(st.Axes) > 0 {
		return st.Axes[len(st.Axes)-1].Key
	}
	return l.Among
}

// labelKey implements labelled.
func (l *Landmark) labelKey(st *Study) string { return l.AmongKey(st) }

// LandmarkNamed returns the landmark of a name, nil where there is none.
func (st *Study) LandmarkNamed(name string) *Landmark {
	at := slices.IndexFunc(st.Landmarks, func(l Landmark) bool { return l.Name == name })
	if name == "" || at < 0 {
		return nil
	}
	return &st.Landmarks[at]
}

// derived reports whether a name is that of a break-even or a landmark, which rules about bounds
// measure in place of a metric.
func (st *Study) derived(name string) bool {
	return st.BreakEvenNamed(name) != nil || st.LandmarkNamed(name) != nil
}

// BeginsLandmark reports whether the line of a landmark begins at a point.
func (st *Study) BeginsLandmark(l *Landmark, points []Point, i int) bool {
	if l.BySize() {
		return l.Relative == "" || st.LabelAt(&points[i], l.AmongKey(st)) != l.Relative
	}
	return st.LabelAt(&points[i], l.Along) == st.LabelAt(&points[0], l.Along)
}

// checkLandmarks tests the keys of all landmarks.
func (st *Study) checkLandmarks() *input.Error {
	seen := map[string]bool{}
	for i := range st.Landmarks {
		l, at := &st.Landmarks[i], fmt.Sprintf("landmarks[%d]", i)
		if !ruleName.MatchString(l.Name) || seen[l.Name] || st.BreakEvenNamed(l.Name) != nil {
			return input.Bad(at+".name", "give each landmark a name of its own, of lower-case letters, "+
				"digits and single hyphens", "%s.name is %q", at, l.Name)
		}
		seen[l.Name] = true
		if err := cmp.Or(oneOf(at+".take", l.Take, input.SortedKeys(landmarkTakes)),
			l.checkAt(at), l.checkLine(at, st)); err != nil {
			return err
		}
	}
	return nil
}

// checkAt tests the keys that only some takes have.
func (l *Landmark) checkAt(at string) *input.Error {
	n := landmarkTakes[l.Take]
	above := strings.HasSuffix(l.Take, "-above") || l.Take == TakeUpTo
	switch {
	case len(l.At) < n[0] || len(l.At) > n[1]:
		return input.Bad(at+".at", "give one abscissa for at and rank, one or more for sum and share, "+
			"none otherwise", "%s.take is %s, and at has %d", at, l.Take, len(l.At))
	case l.Above != 0 && !above:
		return input.Bad(at+".above", "leave it out, or take up-to, first-above or count-above",
			"%s.take is %s, which has no above", at, l.Take)
	case l.Within != 0 && (l.Take != TakePeak || !(l.Within > 0 && l.Within < 1)):
		return input.Bad(at+".within", "give a fraction below 1 with take peak, leave it out otherwise",
			"%s.take is %s and within is %g", at, l.Take, l.Within)
	}
	return nil
}

// checkLine tests the abscissa and the ordinate of a landmark.
func (l *Landmark) checkLine(at string, st *Study) *input.Error {
	if !l.BySize() {
		k, _ := config.FindKey(l.Along)
		exists := st.flagged || len(st.Changed)+len(st.Selected) > 0 || st.AxisOf(l.Along) >= 0
		if k.Type != "integer" && k.Type != "number" || st.HasUnits(l.Along) || !exists {
			return input.Bad(at+".along", "give an axis of numbers without units, or size or rank",
				"%s.along is %q", at, l.Along)
		}
		if l.Relative != "" {
			return input.Bad(at+".relative_to", "leave it out", "%s goes along an axis", at)
		}
		return nil
	}
	if err := oneOf(at+".metric", l.Metric, []string{"jobs", "sum_pairwise_distance"}); err != nil {
		return err
	}
	if (l.Metric == "jobs") != (l.Relative == "") {
		return input.Bad(at+".relative_to", "give the label to compare with, none for the metric jobs",
			"%s has the metric %s and relative_to %q", at, l.Metric, l.Relative)
	}
	return nil
}
