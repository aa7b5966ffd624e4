package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// figureCaption describes what a figure shows.
type figureCaption struct {
	name      string   // file name of the figure
	table     bool     // it is a table
	long      bool     // it is one that breaks over pages
	subject   string   // the study's title of the figure, "" for none
	sentences []string // what is drawn, on which machine, from how many runs
}

// title returns the title of the figure, what is drawn if it has none.
func (c *figureCaption) title() string {
	if c.subject == "" {
		return c.sentences[0]
	}
	return tables.OneLine(c.subject)
}

// body returns all but the title.
func (c *figureCaption) body() string {
	if c.subject == "" {
		return strings.Join(c.sentences[1:], " ")
	}
	return strings.Join(c.sentences, " ")
}

// captionOf returns the caption of a figure that figureOf has collected.
func captionOf(r *experiments.Results, f *study.Figure, d *plot.Figure) figureCaption {
	k := newDrawing(r, f)
	text := append(kindOf(f).sentences(k, d), sideBySideText(d), k.leftOutText(d),
		k.saturationText(d), k.restrictionText())
	if has(d, publishedValues) {
		source := cmp.Or(r.Study.Published.Program, tables.OneLine(r.Study.Cites))
		text = append(text, "Diamonds: published values ("+source+").", tables.PublishedText(r))
	}
	if !r.Complete() {
		text = append(text, "The study is not complete.")
	}
	return figureCaption{name: f.Name, table: f.IsTable(), long: f.IsTable() && matrixOf(r, f).IsLong(),
		subject: f.Title, sentences: tables.NonEmpty(text...)}
}

// recordedCaption returns the caption of a figure of records.
func recordedCaption(r *experiments.Results, f *study.Figure, d plot.Drawable) figureCaption {
	k := newDrawing(r, f)
	subject, description := d.About()
	c := figureCaption{name: f.Name, subject: subject,
		sentences: []string{description, k.settingText()}}
	if only := k.restrictionText(); only != "" && !f.OnePoint() { // that has it in its title
		c.sentences = append(c.sentences, only)
	}
	return c
}

// estimateSentences describe a figure of estimates, whose marks have a name.
func (k *drawing) estimateSentences(marks string, d *plot.Figure) []string {
	return []string{k.marksSentence(marks, k.comparedText(d, k.figure.Gain)), k.settingText(),
		k.replicationsText(), k.intervalsText(d)}
}

// marksSentence names the marks of a figure, what they show, and its keys.
func (k *drawing) marksSentence(marks, shown string) string {
	return marks + ": " + shown + overKeys(k.figure)
}

// metricText names the metric within a sentence.
func (k *drawing) metricText() string {
	metric := tables.ShortKey(k.figure.Metric)
	if strings.Contains(metric, ",") {
		metric += "," // ends its jobs
	}
	return metric
}

// comparedText names the metric and how it is compared with the reference. gain states that it is
// by how many percent the metric is below the reference.
func (k *drawing) comparedText(d *plot.Figure, gain bool) string {
	f, metric := k.figure, k.metricText()
	base := k.printedName(d, f.Relative)
	switch {
	case f.Relative == "":
		return metric
	case f.Subtracts():
		return "paired difference of " + metric + " from its value for " + base
	case gain:
		return "by how many percent " + metric + " is below its value for " + base
	}
	return metric + " divided by its value for " + base
}

// overKeys names the keys of a figure, up to the end of the sentence.
func overKeys(f *study.Figure) string {
	text := " over " + tables.ShortKey(f.X)
	if f.Series != "" {
		text += ", for each " + tables.ShortKey(f.Series)
	}
	if panels := panelText(f); panels != "" {
		text += "; a " + panels
	}
	return text + "."
}

// panelText names the keys of the panels of a figure, "" if it has none.
func panelText(f *study.Figure) string {
	if len(f.Panels) == 0 {
		return ""
	}
	var panels []string
	for _, key := range f.Panels {
		panels = append(panels, tables.ShortKey(key))
	}
	text := "panel for each " + strings.Join(panels, " and ")
	if f.FreePanels() {
		text += ", with axes of its own"
	}
	return text
}

// printedName returns the name that a figure prints for a label.
func (k *drawing) printedName(d *plot.Figure, label string) string {
	if name, ok := d.Labels[label]; ok {
		return name
	}
	return tables.PrintedLabel(k.results, label, k.figure.Labels)
}

// replicationsText states over how many runs a mean is taken.
func (k *drawing) replicationsText() string {
	low, high := math.MaxInt, 0
	for _, i := range k.points {
		if n := len(k.results.Runs[i]); n > 0 {
			low, high = min(low, n), max(high, n)
		}
	}
	if high == 1 {
		return "One run for each value."
	}
	return "Means of " + tables.CountText(low, high) + " replications."
}

// intervalsText states what whiskers or bands are, "" if there are none, and where jumps over time
// leave an error of unknown size.
func (k *drawing) intervalsText(d *plot.Figure) string {
	what := "first-order %g%% confidence intervals of the ratios of means"
	switch {
	case k.figure.Relative == "":
		what = "%g%% confidence intervals by Student's t"
	case k.figure.Subtracts():
		what = "%g%% confidence intervals of the paired differences by Student's t"
	}
	sampled, included, unknown, shown := k.errors()
	text := k.marksOf(d) + ": " + fmt.Sprintf(what, 100*k.results.Study.Runs.Confidence)
	const ofJumps = "the error of jumps over time"
	switch {
	case !has(d, lowerEnds):
		text = ""
	case included && sampled:
		text += ", with " + ofJumps + "."
	case included:
		text = k.marksOf(d) + ": 95% intervals of " + ofJumps + "."
	default:
		text += "."
	}
	unknownText := unknownErrorText(k.figure.Metric, unknown, shown)
	return strings.Join(tables.NonEmpty(text, unknownText), " ")
}

// errors reports whether some interval of the figure is of a sample, whether some has the error of
// jumps over time, names the points at which that is unknown, and counts all that are shown,
// without those of a reference.
func (k *drawing) errors() (sampled, included bool, unknown []string, shown int) {
	if !k.results.Jumps() {
		return true, false, nil, len(k.points)
	}
	for _, i := range k.points {
		e, ok := k.estimateOf(i)
		if f := k.figure; !ok || f.Relative != "" && k.label(i, f.RelativeKey()) == f.Relative {
			continue
		}
		shown++
		sampled = sampled || e.Sampled() > 0
		included = included || e.Shared > 0
		if math.IsNaN(e.Shared) {
			unknown = append(unknown, strings.Join(k.results.Points[i].Labels, " "))
		}
	}
	return sampled, included, unknown, shown
}

// unknownErrorText names the places, of some number, at which the error that jumps over time leave
// in a metric is unknown, "" if there are none.
func unknownErrorText(metric string, places []string, all int) string {
	if len(places) == 0 {
		return ""
	}
	where := "at all points"
	if n := len(places); n < all {
		if where = "at " + strings.Join(places, ", "); n > maxListed {
			where = fmt.Sprintf("at %d of %d points, from %s to %s", n, all, places[0], places[n-1])
		}
	}
	return fmt.Sprintf("The error that jumps over time leave in %s is unknown %s, and no interval "+
		"has it.", tables.ShortKey(metric), where)
}

// marksOf names the marks of intervals.
func (k *drawing) marksOf(d *plot.Figure) string {
	switch {
	case k.figure.IsTable():
		return "Intervals"
	case d.Bands && d.Kind == plot.Lines:
		return "Bands"
	}
	return "Whiskers"
}

// sideBySideText states that whiskers do not stand exactly at their x, "" if they do.
func sideBySideText(d *plot.Figure) string {
	if !d.MovesWhiskers() {
		return ""
	}
	return "Whiskers that would overlap are drawn side by side."
}

// restrictionText lists the values of axes to which a figure is restricted and which it does not
// show itself, "" if there are none.
func (k *drawing) restrictionText() string {
	r, f := k.results, k.figure
	var parts []string
	for _, key := range r.AxisKeys() {
		shown, every := k.labels(key), r.Study.LabelsOf(r.Points, key)
		if len(shown) == len(every) || key == f.X || key == f.Series || slices.Contains(f.Panels, key) {
			continue
		}
		for i, label := range shown {
			shown[i] = tables.PrintedOf(r, key, label, f.Labels)
		}
		parts = append(parts, tables.ShortKey(key)+" "+strings.Join(shown, ", "))
	}
	if parts == nil {
		return ""
	}
	return "Only " + strings.Join(parts, "; ") + "."
}

// leftOut states that a logarithmic axis does not show some values.
const leftOut = "Values of 0 or less have no place on a logarithmic axis and are left out."

// leftOutText is leftOut if a logarithmic axis of the figure has no place for some of its marks,
// else "".
func (k *drawing) leftOutText(d *plot.Figure) string {
	if !k.figure.LogX && !k.figure.LogY {
		return ""
	}
	linear := *k.figure
	linear.LogX, linear.LogY = false, false
	if all, _ := figureOf(k.results, &linear); countMarks(d) < countMarks(&all) {
		return leftOut
	}
	return ""
}

// countMarks counts the marks of a figure, those of published values too.
func countMarks(d *plot.Figure) (n int) {
	for _, p := range panelsOf(d) {
		for _, s := range p.Series {
			for _, y := range slices.Concat(s.Y, s.Published) {
				if isNumber(y) {
					n++
				}
			}
		}
	}
	return n
}

// maxListed is the number of machines or workloads that a caption lists.
const maxListed = 3

// settingText states what ran, and on which machines.
func (k *drawing) settingText() string {
	return k.listed("Workload", workloadText) + k.patternText() + " " +
		k.listed("Machine", machineText) + "."
}

// listed lists the texts that textOf returns for the points of the figure.
func (k *drawing) listed(what string, textOf func(*config.Spec) string) string {
	texts := tables.Distinct(k.results, k.points, func(p *study.Point) string {
		return textOf(&p.Spec)
	})
	switch n := len(texts); {
	case n == 1:
		return what + ": " + texts[0]
	case n > maxListed:
		return fmt.Sprintf("%ss: %d, from %s to %s", what, n, texts[0], texts[n-1])
	}
	return what + "s: " + strings.Join(texts, "; ")
}

// workloadText describes the jobs of a run in a few words: its log, or where else they come from.
func workloadText(s *config.Spec) string {
	w := &s.Workload
	text := string(w.Source)
	switch {
	case w.HasTrace():
		text = "log " + input.BaseName(w.Trace)
	case w.Source == config.SourceTraffic:
		return "open-loop traffic"
	case w.Source == config.SourceList:
		return "listed jobs"
	}
	if n := w.Count(); n > 0 {
		text += ", " + input.Plural(n, "job")
	}
	return text
}

// patternText names the pattern of the jobs, up to the end of the sentence, unless jobs send
// nothing or an axis says what they send.
func (k *drawing) patternText() string {
	const key = string(config.FieldPattern)
	pattern, _ := config.FindKey(key)
	patterns := tables.Distinct(k.results, k.points, func(p *study.Point) string {
		if !pattern.Acts(&p.Spec) {
			return ""
		}
		return pattern.Label(&p.Spec)
	})
	if len(patterns) != 1 || patterns[0] == "" || slices.Contains(k.results.AxisKeys(), key) {
		return "."
	}
	return ", pattern " + tables.DisplayName(k.results.Names, patterns[0]) + "."
}

// machineText describes a machine in a few words that distinguish it from others.
func machineText(s *config.Spec) string {
	m := &s.Machine
	if !m.IsGrid() {
		return m.Phrase()
	}
	text := m.Phrase()
	if m.Topology != "hypercube" {
		sides := strings.Trim(fmt.Sprint(m.Sides()), "[]")
		text = m.Topology + " " + strings.ReplaceAll(sides, " ", "x")
	}
	if m.Concentration > 1 {
		text += fmt.Sprintf(", concentration %d", m.Concentration)
	}
	for _, name := range []string{"wrap", "service_rows"} {
		k, _ := config.FindKey("machine." + name)
		if value := k.Label(s); value != "[]" {
			text += ", " + tables.ShortKey(k.Path) + " " + value
		}
	}
	return text
}
