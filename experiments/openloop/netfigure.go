package openloop

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/figure"
	"contend/experiments/spec"
)

// WriteNet writes net.csv and, for each machine, the figure of latency over
// offered load with its numbers into a folder.
func WriteNet(dir string, points []cosim.NetPoint) error {
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o777); err != nil {
		return &spec.InputError{Problem: fmt.Sprintf("the output folder cannot be used, %v", err),
			Right: "choose another with -o"}
	}
	write := func(w io.Writer) error { return WriteNetCSV(w, points) }
	if err := spec.WriteFileWith(filepath.Join(dir, "net.csv"), write); err != nil {
		return err
	}
	for len(points) > 0 {
		n := slices.IndexFunc(points, func(p cosim.NetPoint) bool {
			return p.Topology != points[0].Topology || p.Dims != points[0].Dims
		})
		if n < 0 {
			n = len(points)
		}
		name := "latency-" + fileText(points[0].Dims)
		if points[0].Topology != "mesh" {
			name = "latency-" + points[0].Topology + "-" + fileText(points[0].Dims)
		}
		path, formats := filepath.Join(dir, "figures", name), []string{"csv", "svg", "png", "pdf"}
		if err := figure.Save(netFigure(points[:n]), path, formats); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}

// fileText returns the size of a machine as part of a file name.
func fileText(dims string) string {
	return strings.NewReplacer("=", "-", ",", "-", " ", "-").Replace(dims)
}

// latencyCeiling is the end of the latency axis, in units of the largest
// zero-load latency. The latency of a saturated network has no meaning.
const latencyCeiling = 5

// netFigure returns the curves of one machine, a line for each traffic. A point is
// the mean over replications with its 95% interval. A mark at the first load shows
// the zero-load latency, a cross at the end the first load that saturates the
// network.
func netFigure(points []cosim.NetPoint) figure.Figure {
	ceiling := 0.0
	for _, p := range points {
		if p.Packets > 0 {
			ceiling = max(ceiling, math.Ceil(latencyCeiling*p.ZeroLoad/20)*20)
		}
	}
	f := figure.Figure{
		Kind: figure.Lines,
		X:    figure.Axis{Label: "offered load (flits per node and cycle)", Log: true},
		Y: figure.Axis{Label: "mean latency (cycles)", Min: new(float64), Max: &ceiling,
			Time: true},

		PublishedLabel: "idle network",
		CrossedLabel:   "saturated",
	}
	for _, traffic := range TrafficNames() {
		if s, ok := netSeries(points, traffic); ok {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// netSeries returns one line of the figure. It reports false if the traffic has no
// points.
func netSeries(points []cosim.NetPoint, traffic string) (s figure.Series, ok bool) {
	var own []cosim.NetPoint
	for _, p := range points {
		if p.Traffic == traffic {
			own = append(own, p)
		}
	}
	s.Name = traffic
	for i, l := range netLoads(own) {
		half, idle := l.latency.Half, math.NaN()
		switch {
		case l.saturated:
			half = math.NaN() // the latency grows with the measurement window
		case math.IsNaN(half):
			half = 0
		}
		if i == 0 {
			idle = l.idle
		}
		s.X, s.Y, s.Published = append(s.X, l.offered), append(s.Y, l.latency.Mean),
			append(s.Published, idle)
		l.latency.Half = half
		low, high := l.latency.Ends(0)
		s.Low, s.High = append(s.Low, low), append(s.High, high)
		s.Crossed = append(s.Crossed, l.saturated)
	}
	return s, len(own) > 0
}
