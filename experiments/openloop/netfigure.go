package openloop

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/internal/input"
)

// WriteNet writes net.csv into a folder, net-classes.csv if messages have several lengths, and,
// for each machine, the curves of its traffic over the offered load with their numbers: mean
// latency, 99th percentile of latency, and accepted over offered load. Networks that differ in an
// axis have a figure for each traffic.
func WriteNet(dir string, points []sim.LoadPoint) error {
	if err := makeFolder(filepath.Join(dir, "figures")); err != nil {
		return err
	}
	write := func(w io.Writer) error { return WriteNetCSV(w, points) }
	if err := input.WriteFileWith(filepath.Join(dir, "net.csv"), write); err != nil {
		return err
	}
	if slices.ContainsFunc(points, func(p sim.LoadPoint) bool { return p.Classes != nil }) {
		classes := func(w io.Writer) error { return WriteClassesCSV(w, points) }
		if err := input.WriteFileWith(filepath.Join(dir, "net-classes.csv"), classes); err != nil {
			return err
		}
	}
	for _, same := range groups(points, figureOf) {
		machine := fileText(same[0].Dims)
		if same[0].Topology != "mesh" {
			machine = same[0].Topology + "-" + machine
		}
		if same[0].Axis != "" {
			machine += "-" + fileText(same[0].Traffic)
		}
		for _, q := range netQuantities {
			f, ok := netFigure(same, q)
			if !ok {
				continue
			}
			path := filepath.Join(dir, "figures", q.file+"-"+machine)
			if err := plot.Save(f, path, []string{"csv", "svg", "png", "pdf"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// figureOf is what the curves of a figure have in common: the machine, and the traffic where they
// differ in the value of an axis.
func figureOf(p *sim.LoadPoint) any {
	if p.Axis != "" {
		return [3]string{p.Topology, p.Dims, p.Traffic}
	}
	return [3]string{p.Topology, p.Dims}
}

// makeFolder makes an output folder.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &input.Error{Problem: fmt.Sprintf("the output folder cannot be used, %v", err),
			Right: "choose another with -o"}
	}
	return experiments.CheckLinks(dir)
}

// fileText returns the size of a machine as part of a file name.
func fileText(dims string) string {
	return input.InFileName(strings.NewReplacer("=", "-", ",", "-", " ", "-").Replace(dims))
}

// netQuantity is what a curve over the offered load shows.
type netQuantity struct {
	file, subject, label string
	of                   func(*netLoad) stats.Estimate
	// ceiling is the end of the axis in units of the largest zero-load latency, 0 for a
	// quantity that has a meaning where the network is saturated. Latency has none there: it
	// grows with the measurement window.
	ceiling float64
	mean    bool // zero-load latency is the quantity of an idle network
}

var netQuantities = []netQuantity{
	{"latency", "Mean latency over offered load", "mean latency (cycles)",
		func(l *netLoad) stats.Estimate { return l.latency }, 5, true},
	{"latency-p99", "99th percentile of latency over offered load",
		"99th percentile of latency (cycles)",
		func(l *netLoad) stats.Estimate { return l.p99 }, 10, false},
	{"throughput", "Accepted over offered load", "accepted / offered load",
		func(l *netLoad) stats.Estimate {
			l.accepted.Mean, l.accepted.Half = l.accepted.Mean/l.offered, l.accepted.Half/l.offered
			return l.accepted
		}, 0, false},
}

// netFigure returns the curves of one machine, a line for each traffic, or for each value of the
// axis. A point is the mean
// over replications with its 95% interval. In a figure of mean latency, a mark at the first
// load shows the zero-load latency. A cross marks the first load that saturates the network:
// on the curve of accepted load, and at the upper edge where the quantity has no meaning. It
// reports false if there is nothing to draw, as where the first load saturates the network.
func netFigure(points []sim.LoadPoint, q netQuantity) (f plot.Figure, ok bool) {
	f = plot.Figure{
		Kind:    plot.Lines,
		Subject: q.subject,
		Description: fmt.Sprintf("Machine: %s %s. Crosses: the first load at which the network is "+
			"saturated.", points[0].Topology, points[0].Dims),
		X: plot.Axis{Label: "offered load (flits per node and cycle)", Log: true},
		Y: plot.Axis{Label: q.label, Time: q.ceiling > 0, Ratio: q.ceiling == 0},

		PublishedLabel: "idle network",
		CrossedLabel:   "saturated from",
	}
	if a := points[0].Axis; a != "" {
		f.Description = fmt.Sprintf("%s traffic, by %s. ", points[0].Traffic, a) + f.Description
	}
	if q.ceiling == 0 {
		f.Levels = []float64{1}
	}
	if ceiling := q.end(points); ceiling > 0 {
		f.Y.Min, f.Y.Max = new(float64), &ceiling
	}
	for _, same := range groups(points, func(p *sim.LoadPoint) any { return lineOf(p) }) {
		s := netSeries(same, q)
		f.Series = append(f.Series, s)
		ok = ok || slices.ContainsFunc(s.Y, func(y float64) bool { return !math.IsNaN(y) })
	}
	return f, ok
}

// end returns the end of the axis, 0 for an axis that follows from the data.
func (q *netQuantity) end(points []sim.LoadPoint) (ceiling float64) {
	for _, p := range points {
		if p.Packets > 0 {
			ceiling = max(ceiling, math.Ceil(q.ceiling*p.ZeroLoad/20)*20)
		}
	}
	return ceiling
}

// lineOf names the line of a point in its figure.
func lineOf(p *sim.LoadPoint) string {
	if p.Axis != "" {
		return p.Value
	}
	return p.Traffic
}

// netSeries returns one line of the figure.
func netSeries(points []sim.LoadPoint, q netQuantity) (s plot.Series) {
	s.Name = lineOf(&points[0])
	var saturated []bool
	for i, l := range netLoads(points) {
		e, idle := q.of(&l), math.NaN()
		if i == 0 && q.mean {
			idle = l.idle
		}
		low, high := e.Ends(stats.AtLeast(0))
		s.X, s.Y, s.Published = append(s.X, l.offered), append(s.Y, e.Mean), append(s.Published, idle)
		s.Low, s.High = append(s.Low, low), append(s.High, high)
		saturated = append(saturated, l.saturated)
	}
	s.EndAtSaturation(saturated, q.ceiling > 0)
	return s
}
