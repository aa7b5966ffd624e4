package report

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// figureCaption describes what a figure shows.
type figureCaption struct {
	name      string   // file name of the figure
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

// captionOf returns the caption of a figure.
func captionOf(r *experiments.Results, f *study.Figure, d *plot.Figure,
	names *config.Registry) figureCaption {
	c := figureCaption{name: f.Name, subject: f.Title}
	points := drawn(r, f, names)
	switch f.Kind {
	case study.BreakEvenKind:
		c.sentences = append(breakEvenCaption(r, f, d), machinesOf(r, points), replicationsOf(r, points))
	case "scatter", study.SizesKind:
		c.sentences = append(c.sentences, whatIsDrawn(f, d), machinesOf(r, points))
	default:
		c.sentences = append(c.sentences, whatIsDrawn(f, d), machinesOf(r, points),
			replicationsOf(r, points))
		c.sentences = append(c.sentences, intervalsOf(r, f, d)...)
	}
	if leavesOut(r, f, d, names) {
		c.sentences = append(c.sentences, leftOut)
	}
	if text := saturationOf(r, f, d, points); text != "" {
		c.sentences = append(c.sentences, text)
	}
	if only := onlyOf(r, f, points); only != "" {
		c.sentences = append(c.sentences, only)
	}
	if has(d, func(s *plot.Series) []float64 { return s.Published }) {
		from := tables.OneLine(r.Study.Cites)
		if p := r.Study.Published.Program; p != "" {
			from = p
		}
		c.sentences = append(c.sentences, "Diamonds: published values ("+from+").")
		if whose := tables.PublishedText(r); whose != "" {
			c.sentences = append(c.sentences, whose)
		}
	}
	if !r.Complete() {
		c.sentences = append(c.sentences, "The study is not complete.")
	}
	return c
}

// whatIsDrawn names the marks, the metric and the keys.
func whatIsDrawn(f *study.Figure, d *plot.Figure) string {
	marks := map[string]string{"lines": "Lines", "scatter": "Points, one for each job of the " +
		"first replication", study.SizesKind: "Points, one for each size of job",
		"bars": "Bars", study.DifferenceKind: "Bars"}[f.Kind]
	if f.Kind == "bars" && d.Y.Log {
		marks = "Points"
	}
	if f.Processors > 0 && f.Kind == "scatter" {
		marks = fmt.Sprintf("Points, one for each job of %d processors of the first replication",
			f.Processors)
	}
	metric := tables.ShortKey(f.Metric)
	text := marks + ": " + metric
	if f.Relative != "" {
		name := printedName(d, f.Relative)
		switch {
		case f.Kind == study.DifferenceKind:
			text = marks + ": paired difference of " + metric + " from its value for " + name
		case f.Gain || f.Kind == study.SizesKind && f.Metric != "jobs":
			text = marks + ": by how many percent " + metric + " is below its value for " + name
		case f.Metric != "jobs" || f.Kind != study.SizesKind:
			text += " divided by its value for " + name
		}
	}
	return text + overWhat(f)
}

// overWhat names the keys of a figure, up to the end of the sentence.
func overWhat(f *study.Figure) string {
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
	return "panel for each " + strings.Join(panels, " and ")
}

// printedName returns the name that a figure prints for a label.
func printedName(d *plot.Figure, label string) string {
	if name, ok := d.Labels[label]; ok {
		return name
	}
	return tables.PaperName(label)
}

// replicationsOf states how many runs a mean is over.
func replicationsOf(r *experiments.Results, points []int) string {
	low, high := math.MaxInt, 0
	for _, i := range points {
		if n := len(r.Runs[i]); n > 0 {
			low, high = min(low, n), max(high, n)
		}
	}
	if high == 1 {
		return "One run for each value."
	}
	return "Means of " + tables.CountText(low, high) + " replications."
}

// intervalsOf states what whiskers or bands are, if there are any.
func intervalsOf(r *experiments.Results, f *study.Figure, d *plot.Figure) (text []string) {
	if !has(d, func(s *plot.Series) []float64 { return s.Low }) {
		return nil
	}
	marks, percent := marksOf(d), 100*r.Study.Runs.Confidence
	if f.Relative == "" {
		return []string{fmt.Sprintf("%s: %g%% confidence intervals by Student's t.", marks, percent)}
	}
	if f.Kind == study.DifferenceKind {
		return []string{fmt.Sprintf("%s: %g%% confidence intervals of the paired differences by "+
			"Student's t.", marks, percent)}
	}
	return []string{fmt.Sprintf("%s: first-order %g%% confidence intervals of the ratios of means.",
		marks, percent)}
}

// marksOf names the marks of intervals.
func marksOf(d *plot.Figure) string {
	if d.Bands && d.Kind == plot.Lines {
		return "Bands"
	}
	return "Whiskers"
}
