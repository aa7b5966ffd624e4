package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// Verdict is the result of one rule.
type Verdict struct {
	Name    string // by which documents cite the rule, "" for none
	Metric  string // that the rule is about, "" for the rule about jumps over time
	Rule    string // the rule in words, behind its name
	Why     string // the source of its tolerance, "" if the study has none
	Printed string // what a paper printed that the rule is about, "" for none; see study.Tolerance
	Pass    bool   // the rule holds
	Within  int    // cells or groups within the rule, of Of; both 0 of a rule about intervals
	Of      int
	Summary string   // the number of cells or groups within
	Details []string // cells or groups, a line each: those not within, of bounds all of them
	// Cells are the published cells in the order of their rows. A ranking has none.
	Cells  []Cell
	Groups []Group // what a rule about bounds measured
}

// Compare judges the results by the rules of the study, and jumps over time by full simulations of
// some of them. It returns nil where there is neither.
func Compare(r *experiments.Results) []Verdict {
	verdicts := Judge(r)
	if v, checked := jumpVerdict(r); checked {
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// Judge judges the results by the rules of the study ([[tolerances]]). It leaves out rules about
// published values if no point has any, for example with another log.
func Judge(r *experiments.Results) (verdicts []Verdict) {
	for i := range r.Study.Tolerances {
		t := &r.Study.Tolerances[i]
		kind := ruleKinds[t.Rule]
		if incomparable(r, t) != "" || kind.published && !tables.HasPublished(r, t.Metric) {
			continue
		}
		verdicts = append(verdicts, JudgeRule(r, t))
	}
	return verdicts
}

// JudgeRule judges the results by one rule, which flags have not made meaningless.
func JudgeRule(r *experiments.Results, t *study.Tolerance) Verdict {
	v := Verdict{Name: t.Name, Metric: t.Metric, Rule: describeRule(t), Why: t.Why,
		Printed: t.Printed}
	ruleKinds[t.Rule].judge(&v, r, t)
	return v
}

// ruleKind is how rules of a kind judge results and describe themselves, and whether they are about
// published values.
type ruleKind struct {
	judge     func(*Verdict, *experiments.Results, *study.Tolerance)
	describe  func(*study.Tolerance) string
	published bool
}

// ruleKinds holds the kinds by the value of rule in [[tolerances]].
var ruleKinds = map[string]ruleKind{
	"ratio":               {judgeCells, describeCells, true},
	"difference":          {judgeCells, describeCells, true},
	"ranking":             {judgeRanking, describeRanking, false},
	"agreement":           {judgeAgreement, describeAgreement, false},
	study.CoverageRule:    {judgeCoverage, describeCoverage, false},
	study.JobCoverageRule: {judgeCoverage, describeCoverage, false},
	study.CostRule:        {judgeCost, describeCost, false},
	study.BoundsRule:      {judgeBounds, describeBounds, false},
}

// decide sets v.Pass: enough of the cells or groups of the rule lie within it. It returns the
// number that the rule wants.
func (v *Verdict) decide(t *study.Tolerance, within, of int) (wanted int) {
	wanted = cmp.Or(t.AtLeast, of)
	v.Within, v.Of = within, of
	v.Pass = of > 0 && within >= wanted
	return wanted
}

// judgeCells judges a ratio or difference rule by its published cells. A cell that was not run
// counts as outside.
func judgeCells(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	v.Cells = RuleCells(r, t)
	run, within := 0, 0
	for _, c := range v.Cells {
		if !c.Run {
			continue
		}
		run++
		if c.Within {
			within++
			continue
		}
		text := "difference " + decimal.Signed(c.Measured.Mean-c.Published)
		if t.Rule == "ratio" && c.Published != 0 {
			text = fmt.Sprintf("ratio %.3f", c.Ratio())
		}
		v.Details = append(v.Details, fmt.Sprintf("%s: measured %s, published %s, %s", c.Name,
			tables.EstimateText(c.Measured), tables.Significant(c.Published, 5), text))
	}
	wanted := v.decide(t, within, len(v.Cells))
	v.Summary = fmt.Sprintf("%d of %d published cells within, at least %d wanted",
		within, len(v.Cells), wanted)
	if run < len(v.Cells) {
		v.Summary += fmt.Sprintf("; %d of %d published cells were run", run, len(v.Cells))
	}
}

// describeRule states what a rule requires, and of which points.
func describeRule(t *study.Tolerance) string {
	text := ruleKinds[t.Rule].describe(t)
	var where []string
	for _, key := range input.SortedKeys(t.Where) {
		where = append(where, fmt.Sprintf("%s = %v", key, t.Where[key]))
	}
	if where != nil {
		text += ", where " + strings.Join(where, ", ")
	}
	if t.Name != "" {
		text = t.Name + ": " + text
	}
	return text
}

// percentOf returns a fraction in percent, rounded as decimal.Number does, since 100 times a
// fraction is off in its last digits.
func percentOf(fraction float64) string { return decimal.Number(100*fraction) + "%" }

// describeCells states what a ratio or difference rule requires.
func describeCells(t *study.Tolerance) string {
	published := "published"
	if t.Offset != 0 {
		published = fmt.Sprintf("(published %+g)", t.Offset)
	}
	metric, what, by := t.Metric, "measured over "+published, percentOf(t.Within)
	if t.Rule == "difference" {
		what, by = "measured less "+published, fmt.Sprintf("%g", t.Within)
	}
	if t.Relative != "" {
		metric += " relative to " + t.Relative
	}
	switch {
	case t.Within == 0 && t.Interval:
		by = "the interval"
	case t.Within == 0:
		return fmt.Sprintf("%s: as printed", metric)
	case t.Interval:
		by += " and the interval"
	}
	return fmt.Sprintf("%s: %s within %s", metric, what, by)
}

// String returns the verdict as contend compare prints it.
func (v Verdict) String() string {
	word := "FAIL"
	if v.Pass {
		word = "pass"
	}
	s := fmt.Sprintf("%s  %s (%s)\n", word, v.Rule, v.Summary)
	if v.Why != "" {
		s += "      why: " + v.Why + "\n"
	}
	for _, o := range v.Details {
		s += "      " + o + "\n"
	}
	return s
}

// incomparable returns the reason why a rule cannot judge the results, "" if it can. Rules that
// compare measured numbers alone also apply to other logs and machines, but not to the small
// version.
func incomparable(r *experiments.Results, t *study.Tolerance) string {
	changed := r.Study.Changed
	published := ruleKinds[t.Rule].published || t.Printed != ""
	if len(changed) == 0 || !published && !slices.Contains(changed, "--quick") {
		return ""
	}
	return "the runs have " + strings.Join(changed, " ") + ", and the rules are about the whole " +
		"study, unchanged"
}

// Incomparable returns the reason why no rule of the study can judge the results,
// "" if some rule can or the study has none.
func Incomparable(r *experiments.Results) string {
	why := ""
	for i := range r.Study.Tolerances {
		if why = incomparable(r, &r.Study.Tolerances[i]); why == "" {
			return ""
		}
	}
	return why
}

// Group is the value that a rule about bounds measures at one point: a mean, its ratio to the mean
// of the reference with the same values on the other axes, or the break-even or the landmark of the
// line that begins there.
type Group struct {
	Point int    // index of the point
	Name  string // the labels of the other axes, of all axes where the rule selects no label
	Run   bool   // the point and its reference have runs
	// Mean is the value, NaN where it is not defined. Low and High are the ends of its interval, NaN
	// where there is none.
	Mean, Low, High float64
	N               int  // the number of runs or pairs
	Within          bool // the value, or its whole interval, lies between the bounds

	landmark bool    // Mean is a landmark, which may be a count
	shared   float64 // half width of the error of jumps over time, NaN if it is unknown
}

// groupsOf returns the groups that a rule about bounds judges, run or not, in the order of the
// points.
func groupsOf(r *experiments.Results, t *study.Tolerance) (list []Group) {
	key := t.AmongKey(r.Study)
	axis := slices.Index(r.AxisKeys(), key)
	even, mark := r.Study.BreakEvenNamed(t.Metric), r.Study.LandmarkNamed(t.Metric)
	for i := range r.Points {
		labels := slices.Clone(r.Points[i].Labels)
		switch {
		case even != nil && !r.Study.Begins(even, r.Points, i),
			mark != nil && !r.Study.BeginsLandmark(mark, r.Points, i):
			continue
		case !study.Matches(&r.Points[i], t.Where),
			t.Of != "" && (axis < 0 || labels[axis] != t.Of),
			t.Relative != "" && (axis < 0 || labels[axis] == t.Relative):
			continue
		case t.Of != "":
			labels = slices.Delete(labels, axis, axis+1)
		}
		g := Group{Point: i, Name: strings.Join(labels, " ")}
		if even != nil {
			g.setBreakEven(r, even, i)
		} else if mark != nil {
			g.setLandmark(r, mark, i)
		} else if t.Relative == "" {
			g.setMean(r, i, t)
		} else if base, ok := r.Study.Sibling(r.Points, i, key, t.Relative); ok {
			g.setRatio(r, i, base, t)
		}
		g.Within = g.Run && g.within(t)
		list = append(list, g)
	}
	return list
}

// setBreakEven sets the value to the break-even of the line that begins at a point.
func (g *Group) setBreakEven(r *experiments.Results, b *study.BreakEven, point int) {
	var c tables.Crossing
	if c, g.Run = tables.CrossingAt(r, b, point); g.Run {
		g.Name = strings.Join(c.Labels, " ")
		g.Mean, g.Low, g.High, g.N, g.shared = c.At, c.Low, c.High, c.Runs, c.Shared
	}
}

// setLandmark sets the value to the landmark of the line that begins at a point.
func (g *Group) setLandmark(r *experiments.Results, l *study.Landmark, point int) {
	g.Name = strings.Join(landmarkLabels(r, l, point), " ")
	g.Mean, g.Run = landmarkAt(r, l, point)
	g.Low, g.High, g.N = math.NaN(), math.NaN(), r.Replications(point)
	g.landmark = true
}

// setMean sets the value to the mean of a point.
func (g *Group) setMean(r *experiments.Results, point int, t *study.Tolerance) {
	e, run := r.Estimate(point, t.Metric)
	g.Run, g.Mean, g.Low, g.High, g.N = run, e.Mean, e.Mean-e.Half, e.Mean+e.Half, e.N
	g.shared = e.Shared
}

// setRatio sets the value to the ratio of a point to its reference, by the replications that both
// have.
func (g *Group) setRatio(r *experiments.Results, point, base int, t *study.Tolerance) {
	pairs, _ := r.Paired(point, base, t.Metric)
	ratio, positive := r.PairedRatio(point, base, t.Metric)
	g.Run, g.Mean, g.Low, g.High, g.N = len(pairs) > 0, ratio.Mean, ratio.Low, ratio.High, ratio.N
	g.shared = ratio.Shared
	if !positive {
		g.Mean = math.NaN()
	}
}

// Ends returns the numbers that must lie between the bounds of a rule: those of the interval if the
// rule asks for it and there is one, else the value twice.
func (g *Group) Ends(t *study.Tolerance) (low, high float64) {
	if t.Interval && !math.IsNaN(g.Low) {
		return g.Low, g.High
	}
	return g.Mean, g.Mean
}

// within reports whether a group that was run lies between the bounds of a rule.
func (g *Group) within(t *study.Tolerance) bool {
	low, high := g.Ends(t)
	least, most := t.Bounds()
	return !math.IsNaN(g.Mean) && low >= least && high <= most
}

// String returns the name and the value of a group, and whether it lies outside of the bounds.
func (g *Group) String() string {
	text := g.ValueText()
	if math.IsNaN(g.shared) {
		text += ", with an unknown error of jumps over time"
	}
	if g.Run && !g.Within {
		text += ", outside"
	}
	return strings.TrimPrefix(g.Name+": "+text, ": ")
}

// ValueText returns the value with its interval, or why there is none.
func (g *Group) ValueText() string {
	switch {
	case !g.Run:
		return "not run"
	case math.IsNaN(g.Mean):
		if g.landmark {
			return "no such place on the line"
		}
		return "no ratio, since a value is not above 0"
	case g.landmark && !math.IsInf(g.Mean, 0):
		return decimal.Significant(g.Mean, 5)
	case math.IsNaN(g.Low):
		return boundText(g.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", boundText(g.Mean), boundText(g.Low), boundText(g.High))
}

// boundText returns a value with four digits; "never" is the break-even of a line that does not
// cross.
func boundText(x float64) string {
	if math.IsInf(x, 1) {
		return "never"
	}
	return tables.Significant(x, 4)
}

// judgeBounds judges whether the value of every group lies between two bounds. A group that was not
// run counts as outside.
func judgeBounds(v *Verdict, r *experiments.Results, t *study.Tolerance) {
	v.Groups = groupsOf(r, t)
	within := 0
	for i := range v.Groups {
		if v.Groups[i].Within {
			within++
		}
		v.Details = append(v.Details, v.Groups[i].String())
	}
	wanted := v.decide(t, within, len(v.Groups))
	v.Summary = fmt.Sprintf("%d of %d groups within, at least %d wanted", within, len(v.Groups),
		wanted)
}

// describeBounds states what a rule about bounds requires.
func describeBounds(t *study.Tolerance) string {
	what := t.Metric
	if t.Of != "" {
		what += " of " + t.Of
	}
	if t.Relative != "" {
		what += " over that of " + t.Relative
	}
	_, number := t.PrintedNumber()
	switch {
	case number && t.Min == nil && t.Max == nil:
		return what + ": as printed, " + t.Printed
	case t.Max == nil:
		what += fmt.Sprintf(": at least %g", *t.Min)
	case t.Min == nil:
		what += fmt.Sprintf(": at most %g", *t.Max)
	default:
		what += fmt.Sprintf(": from %g to %g", *t.Min, *t.Max)
	}
	if t.Interval {
		what += ", with its interval"
	}
	if t.Printed != "" {
		what += fmt.Sprintf(", printed as %q", t.Printed)
	}
	return what
}
