package experiments

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"contend/experiments/figure"
)

// WriteNet writes net.csv and, for each machine, the figure of latency over
// offered load, with the numbers behind it, into a folder.
func WriteNet(dir string, points []NetPoint) error {
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o777); err != nil {
		return &InputError{Problem: fmt.Sprintf("the output folder cannot be used, %v", err), Right: "choose another with -o"}
	}
	write := func(w io.Writer) error { return WriteNetCSV(w, points) }
	if err := writeFileWith(filepath.Join(dir, "net.csv"), write); err != nil {
		return err
	}
	for len(points) > 0 {
		n := slices.IndexFunc(points, func(p NetPoint) bool { return p.Topology != points[0].Topology || p.Dims != points[0].Dims })
		if n < 0 {
			n = len(points)
		}
		name := "latency-" + points[0].Dims
		if points[0].Topology != "mesh" {
			name = "latency-" + points[0].Topology + "-" + points[0].Dims
		}
		if err := figure.Save(netFigure(points[:n]), filepath.Join(dir, "figures", name), []string{"csv", "svg", "png", "pdf"}); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}

// latencyCeiling is how many times the greatest zero-load latency the axis of
// latency goes up to: a saturated network has no latency worth drawing.
const latencyCeiling = 5

// netFigure draws the curves of one machine, a line for each traffic, each
// point the mean over replications with its 95% interval. The mark on its first
// point is the closed form for an empty network.
func netFigure(points []NetPoint) figure.Figure {
	ceiling := 0.0
	for _, p := range points {
		ceiling = max(ceiling, math.Ceil(latencyCeiling*p.ZeroLoad/20)*20)
	}
	f := figure.Figure{
		Kind: figure.Lines,
		X:    figure.Axis{Label: "offered load (flits per node and cycle)", Log: true},
		Y:    figure.Axis{Label: "mean latency (cycles)", Min: new(float64), Max: &ceiling, Time: true},

		PublishedLabel: "closed form, idle",
	}
	for _, traffic := range TrafficNames() {
		if s, ok := netSeries(points, traffic); ok {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// netSeries is one line of the figure.
func netSeries(points []NetPoint, traffic string) (s figure.Series, ok bool) {
	var zero mean
	loads := map[float64][]float64{}
	var order []float64
	for _, p := range points {
		if p.Traffic != traffic {
			continue
		}
		zero.add(p.ZeroLoad)
		if loads[p.Offered] == nil {
			order = append(order, p.Offered)
		}
		loads[p.Offered] = append(loads[p.Offered], p.Latency)
	}
	if len(order) == 0 {
		return s, false
	}
	slices.Sort(order)
	s.Name = traffic
	for i, load := range order {
		e, idle := estimate(loads[load], 0.95), math.NaN()
		if len(loads[load]) == 1 {
			e.Half = 0
		}
		if i == 0 {
			idle = zero.value()
		}
		s.X, s.Y, s.Published = append(s.X, load), append(s.Y, e.Mean), append(s.Published, idle)
		low, high := e.ends(0)
		s.Low, s.High = append(s.Low, low), append(s.High, high)
	}
	return s, true
}
