package report

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments/figure"
)

// seriesLabels are the labels of ordinates, by column of series.csv.
var seriesLabels = map[string]string{
	"utilization_percent":          "Utilization (%)",
	"queue_jobs":                   "Waiting jobs",
	"running_jobs":                 "Running jobs",
	"free_components":              "Pieces of free nodes",
	"link_utilization_percent":     "Mean channel utilization (%)",
	"link_utilization_max_percent": "Greatest channel utilization (%)",
}

// seriesLines draws a column of series.csv over time, a line for each point.
func seriesLines(k *recorded) (figure.Drawable, error) {
	metric := k.figure.Metric
	if metric == "" {
		metric = "utilization_percent"
	}
	d := figure.Figure{Kind: figure.Lines,
		X: figure.Axis{Label: k.timeLabel(), Log: k.logX, Time: true},
		Y: figure.Axis{Label: seriesLabels[metric], Log: k.logY}}
	if !k.logX {
		d.X.Min = new(0.0)
	}
	if !k.logY {
		d.Y.Min = new(0.0)
	}
	names := k.pointNames()
	for n, point := range k.points {
		t, err := k.table("series", point)
		if err != nil {
			return nil, err
		}
		if err := t.has("time", "duration", metric); err != nil {
			return nil, err
		}
		s := figure.Series{Name: names[n]}
		for i := range t.rows {
			x, y := t.number(i, "time")+t.number(i, "duration")/2, t.number(i, metric)
			if k.logY && y <= 0 {
				y = math.NaN()
			}
			s.X, s.Y = append(s.X, x), append(s.Y, y)
		}
		if _, high := span(s.Y); math.IsInf(high, -1) {
			return nil, k.bad(fmt.Sprintf("the runs have no %s", metric),
				"choose another column, or run jobs with messages")
		}
		d.Series = append(d.Series, s)
	}
	if metric == "utilization_percent" {
		d.Y.Max = new(100.0)
	}
	if len(d.Series) == 1 {
		d.Legend = figure.NoLegend
	}
	if len(d.Series) > figure.MaxSeries {
		return nil, k.crowd(len(d.Series))
	}
	d.Subject = fmt.Sprintf("%s over time (%s)", metric, k.results.Study.Name)
	d.Description = fmt.Sprintf("%s over time: means over bins of series.csv, each at its middle. "+
		"First replication.", metric)
	return d, nil
}

// crowd returns the error of too many lines.
func (k *recorded) crowd(n int) error {
	return k.bad(fmt.Sprintf("it has %d lines, and %d can be told apart", n, figure.MaxSeries),
		"choose points, as in --where KEY=VALUE")
}

// pointNames names each point by the series of the figure or, by default, by the axes in which
// the points differ.
func (k *recorded) pointNames() []string {
	r, names := k.results, make([]string, len(k.points))
	for n, i := range k.points {
		if k.figure.Series != "" {
			names[n] = labelAt(r, i, k.figure.Series)
			continue
		}
		var parts []string
		for axis, label := range r.Points[i].Labels {
			for _, j := range k.points {
				if r.Points[j].Labels[axis] != label {
					parts = append(parts, label)
					break
				}
			}
		}
		names[n] = strings.Join(parts, ", ")
	}
	return names
}
