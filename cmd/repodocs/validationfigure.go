package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"contend/experiments/plot"
	"contend/internal/input"
	"contend/internal/written"
)

// validationBand is the half width of the band in the figures of published numbers: the error
// of 5% that Lo et al. state for their means, and the tolerance of most rules.
const validationBand = 0.05

// logFrom is the ratio of the largest to the least number from which axes are logarithmic.
const logFrom = 20

// validationFigures draws a point for every published number that was run, in a style for each
// paper. The first figure is measured against published numbers, with the line on which they are
// equal; the second is their ratio, in which small differences are seen. It reports false if there
// is no number.
func validationFigures(list []account) (scatter, ratio plot.Figure, any bool) {
	byAuthor := map[string]plot.Series{}
	numbers, zeros := 0, 0
	for i := range list {
		author, _, _ := strings.Cut(list[i].measuredAgainst(), ",")
		s := byAuthor[author]
		for _, n := range list[i].numbers {
			if n.outcome == notRun {
				continue
			}
			v, _ := n.values() // an account that was read or measured has numbers
			published, measured := v[0], v[1]
			if !(published > 0 && measured > 0) {
				zeros++
				continue
			}
			s.X, s.Y = append(s.X, published), append(s.Y, measured)
			s.Low, s.High = append(s.Low, v[2]*published), append(s.High, v[3]*published)
			numbers++
		}
		if s.Name = author; len(s.X) > 0 {
			byAuthor[author] = s
		}
	}
	var points []plot.Series
	for _, author := range input.SortedKeys(byAuthor) {
		points = append(points, byAuthor[author])
	}
	if numbers == 0 {
		return scatter, ratio, false
	}
	about := fmt.Sprintf("Every number that a paper printed and that is run here, %d of them; "+
		"whiskers are confidence intervals. Grey: within %g%%.", numbers, 100*validationBand)
	if zeros > 0 {
		about += fmt.Sprintf(" %d numbers of 0 or less are left out.", zeros)
	}
	scatter, ratio = validationScatter(points), validationRatio(points)
	scatter.Description, ratio.Description = about, about
	return scatter, ratio, true
}

// validationScatter draws measured against published numbers, on the same range along both
// axes.
func validationScatter(points []plot.Series) plot.Figure {
	var values []float64
	for _, s := range points {
		values = append(append(values, s.X...), s.Y...)
	}
	low, high := plot.Span(values)
	log := high > logFrom*low
	if low, high = 0, 1.05*high; log {
		low, _ = plot.Span(values)
		low, high = low/1.5, high*1.5
	}
	axis := func(label string) plot.Axis {
		return plot.Axis{Label: label, Log: log, Min: new(low), Max: new(high)}
	}
	return plot.Figure{Kind: plot.Scatter, X: axis("Published"), Y: axis("Measured here"),
		Aspect: 1, Diagonal: validationBand, Series: points, Subject: "Measured and published numbers"}
}

// validationRatio draws the ratio of measured to published numbers.
func validationRatio(points []plot.Series) plot.Figure {
	d := plot.Figure{Kind: plot.Scatter, X: plot.Axis{Label: "Published"},
		Y:       plot.Axis{Label: "Measured over published", Log: true},
		Levels:  []float64{1 - validationBand, 1, 1 + validationBand},
		Subject: "Ratio of measured to published numbers"}
	var values []float64
	for _, s := range points {
		values = append(values, s.X...)
		of := plot.Series{Name: s.Name, X: s.X}
		for i, x := range s.X {
			of.Y = append(of.Y, s.Y[i]/x)
			of.Low, of.High = append(of.Low, s.Low[i]/x), append(of.High, s.High[i]/x)
		}
		d.Series = append(d.Series, of)
	}
	low, high := plot.Span(values)
	d.X.Log = high > logFrom*low
	return d
}

// saveFigures writes the figures of all published numbers into a folder: validation and
// validation-ratio. There are none if no number is run.
func saveFigures(list []account, dir string) error {
	scatter, ratio, any := validationFigures(list)
	if !any {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(name string, text []byte) error {
		return written.Replace(filepath.Join(dir, name), text)
	}
	return errors.Join(plot.Save(scatter, write, "validation", []string{"svg"}),
		plot.Save(ratio, write, "validation-ratio", []string{"svg"}))
}
