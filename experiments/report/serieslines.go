package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/plot"
	"contend/experiments/report/tables"
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
func seriesLines(k *drawing) (plot.Drawable, error) {
	metric := k.metric()
	d := plot.Figure{Kind: plot.Lines,
		X: plot.Axis{Label: k.timeLabel(), Log: k.figure.LogX, Time: true},
		Y: plot.Axis{Label: seriesLabels[metric], Log: k.figure.LogY}}
	if !k.figure.LogX {
		d.X.Min = new(0.0)
	}
	if !k.figure.LogY {
		d.Y.Min = new(0.0)
	}
	zeros := false
	d, err := k.lines(d, func(point int) (s plot.Series, err error) {
		t, err := k.table("series", point, "time", "duration", metric)
		if err != nil {
			return s, err
		}
		for i := range t.Rows {
			x, y := t.Number(i, "time")+t.Number(i, "duration")/2, t.Number(i, metric)
			if k.figure.LogY && y <= 0 {
				y, zeros = math.NaN(), true
			}
			s.X, s.Y = append(s.X, x), append(s.Y, y)
		}
		if _, high := plot.Span(s.Y); math.IsInf(high, -1) {
			return s, k.bad(fmt.Sprintf("the runs have no %s", metric),
				"choose another column, or run jobs with messages")
		}
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	if metric == "utilization_percent" {
		d.Y.Max = new(100.0)
	}
	d.Subject = fmt.Sprintf("%s over time (%s)", seriesLabels[metric], k.results.Study.Name)
	d.Description = "Means over bins of series.csv, each at its middle. First replication."
	if zeros {
		d.Description += " " + leftOut
	}
	return d, nil
}

// lines collects the line of each point that line returns, in the panel and under the name of the
// point. It leaves out names whose lines have no numbers.
func (k *drawing) lines(d plot.Figure, line func(point int) (plot.Series, error),
) (plot.Figure, error) {
	names, byPoint := k.pointNames(), map[int]plot.Series{}
	var order []string
	for _, i := range k.points {
		s, err := line(i)
		if err != nil {
			return d, err
		}
		if len(s.X) > 0 && !slices.Contains(order, names[i]) {
			order = append(order, names[i])
		}
		byPoint[i] = s
	}
	draw := func(points []int, name string) (s plot.Series) {
		if n := slices.IndexFunc(points, func(i int) bool { return names[i] == name }); n >= 0 {
			s = byPoint[points[n]]
		}
		s.Name = name
		return s
	}
	return k.panels(d, k.points, order, draw), nil
}

// pointNames names each point by the series of the figure or, by default, by the axes in which
// the points differ and that are no panels.
func (k *drawing) pointNames() map[int]string {
	r, names := k.results, map[int]string{}
	k.joined = map[string]string{}
	for _, i := range k.points {
		if k.figure.Series != "" {
			names[i] = k.label(i, k.figure.Series)
			continue
		}
		var parts, printed []string
		for axis, key := range r.AxisKeys() {
			label := r.Points[i].Labels[axis]
			differs := func(j int) bool { return r.Points[j].Labels[axis] != label }
			if !slices.Contains(k.figure.Panels, key) && slices.ContainsFunc(k.points, differs) {
				parts = append(parts, label)
				printed = append(printed, tables.PrintedOf(r, key, label, k.figure.Labels))
			}
		}
		names[i] = strings.Join(parts, ", ")
		if len(parts) > 1 {
			k.joined[names[i]] = strings.Join(printed, ", ")
		}
	}
	return names
}
