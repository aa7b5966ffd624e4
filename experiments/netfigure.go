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

// WriteNet writes net.csv and the figure of latency over offered load, with
// the numbers behind it, into a folder.
func WriteNet(dir string, points []NetPoint) error {
	if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o777); err != nil {
		return &InputError{Problem: fmt.Sprintf("the output folder cannot be used, %v", err), Right: "choose another with -o"}
	}
	write := func(w io.Writer) error { return WriteNetCSV(w, points) }
	if err := writeFileWith(filepath.Join(dir, "net.csv"), write); err != nil {
		return err
	}
	if len(points) == 0 {
		return nil
	}
	return figure.Save(netFigure(points), filepath.Join(dir, "figures", "latency"), []string{"csv", "svg", "png", "pdf"})
}

// netFigure draws a line for each machine and traffic, each point the mean
// over replications with its 95% interval.
func netFigure(points []NetPoint) figure.Figure {
	name := func(p NetPoint) string { return p.Topology + " " + p.Dims + " " + p.Traffic }
	var names []string
	var loads []float64
	for _, p := range points {
		if !slices.Contains(names, name(p)) {
			names = append(names, name(p))
		}
		if !slices.Contains(loads, p.Offered) {
			loads = append(loads, p.Offered)
		}
	}
	slices.Sort(loads)
	f := figure.Figure{
		Kind: figure.Lines,
		X:    figure.Axis{Label: "offered load (flits per node and cycle)"},
		Y:    figure.Axis{Label: "mean latency (cycles)", Log: true},
	}
	for _, n := range names {
		s := figure.Series{Name: n}
		for _, load := range loads {
			var values []float64
			for _, p := range points {
				if name(p) == n && p.Offered == load {
					values = append(values, p.Latency)
				}
			}
			e := Estimate{Mean: math.NaN(), Half: math.NaN()}
			if len(values) > 0 {
				e = estimate(values, 0.95)
			}
			s.X, s.Y = append(s.X, load), append(s.Y, e.Mean)
			s.Low, s.High = append(s.Low, e.Mean-e.Half), append(s.High, e.Mean+e.Half)
		}
		f.Series = append(f.Series, s)
	}
	return f
}
