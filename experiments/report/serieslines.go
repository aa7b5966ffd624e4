package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
)

// timeKinds are the kinds of figures of what changes over time.
var timeKinds = []kind{{name: "series", draw: seriesLines}}

// seriesLabels are the labels of ordinates, by column of series.csv.
var seriesLabels = map[string]string{
	"utilization_percent":          "Utilization (%)",
	"queue_jobs":                   "Waiting jobs",
	"running_jobs":                 "Running jobs",
	"free_components":              "Pieces of free nodes",
	"link_utilization_percent":     "Mean channel utilization (%)",
	"link_utilization_max_percent": "Greatest channel utilization (%)",
	"rate":                         "Rate of the pair over that of the link",
	"alpha":                        "Estimate of congestion",
	"notifications":                "Notifications so far",
	"queue_flits":                  "Queue for the destination (flits)",
	"lost_percent":                 "Share in runs that failures ended (%)",
	"failed_percent":               "Failed share of the machine (%)",
}

// seriesLines draws a column of series.csv over time, a line for each point, and each pair of nodes
// that it is about.
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
	zeros, ofPairs := false, slices.Contains(metrics.PairColumns(), metric)
	d, err := k.manyLines(d, func(point int) (list []plot.Series, err error) {
		t, err := k.table("series", point, "time", "duration", metric, metrics.PairColumn)
		if err != nil {
			return nil, err
		}
		any := false
		for i := range t.Rows {
			pair := t.Text(i, metrics.PairColumn)
			if (pair != "") != ofPairs {
				continue
			}
			at := slices.IndexFunc(list, func(s plot.Series) bool { return s.Name == pair })
			if at < 0 {
				at, list = len(list), append(list, plot.Series{Name: pair})
			}
			x, y := t.Number(i, "time"), t.Number(i, metric)
			if !ofPairs { // a mean over the bin
				x += t.Number(i, "duration") / 2
			}
			if any = any || !math.IsNaN(y); k.figure.LogY && y <= 0 {
				y, zeros = math.NaN(), true
			}
			list[at].X, list[at].Y = append(list[at].X, x), append(list[at].Y, y)
		}
		right := "choose another column, or run jobs with messages"
		if ofPairs {
			right = "choose another column, or pairs by runs.series_pairs where a congestion control has it"
		}
		if !any {
			return nil, k.bad(fmt.Sprintf("the runs have no %s", metric), right)
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	if metric == "utilization_percent" {
		d.Y.Max = new(100.0)
	}
	d.Subject = fmt.Sprintf("%s over time (%s)", seriesLabels[metric], k.results.Study.Name)
	d.Description = "Means over bins of series.csv, each at its middle. First replication."
	if ofPairs {
		d.Description = "States at the beginnings of bins of series.csv. First replication."
	}
	if zeros {
		d.Description += " " + leftOut
	}
	return d, nil
}

// lines is manyLines of one line for each point.
func (k *drawing) lines(d plot.Figure, line func(point int) (plot.Series, error),
) (plot.Figure, error) {
	return k.manyLines(d, func(point int) ([]plot.Series, error) {
		s, err := line(point)
		return []plot.Series{s}, err
	})
}

// manyLines collects the lines of each point that lines returns, in the panel and under the name of
// the point with that of the line. It leaves out names whose lines have no numbers.
func (k *drawing) manyLines(d plot.Figure, lines func(point int) ([]plot.Series, error),
) (plot.Figure, error) {
	names, byPoint := k.pointNames(), map[int][]plot.Series{}
	var order []string
	for _, i := range k.points {
		list, err := lines(i)
		if err != nil {
			return d, err
		}
		for n := range list {
			s := &list[n]
			s.Name = k.nameLine(names[i], s.Name)
			if len(s.X) > 0 && !slices.Contains(order, s.Name) {
				order = append(order, s.Name)
			}
		}
		byPoint[i] = list
	}
	draw := func(points []int, name string) plot.Series {
		for _, i := range points {
			for _, s := range byPoint[i] {
				if s.Name == name {
					return s
				}
			}
		}
		return plot.Series{Name: name}
	}
	return k.panels(d, k.points, order, draw), nil
}

// nameLine names a line of a point, and says how to print the name.
func (k *drawing) nameLine(point, line string) string {
	if point == "" || line == "" {
		return point + line
	}
	name := point + ", " + line
	k.joined[name] = cmp.Or(k.joined[point],
		tables.PrintedLabel(k.results, point, k.figure.Labels)) + ", " + line
	return name
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
