package plot

import (
	"fmt"
	"math"
	"math/rand/v2"

	"contend/experiments/plot/limits"
)

// samples returns figures of every kind and of every awkward shape seen so far.
func samples() map[string]Figure {
	wide := groupedSample()
	wide.WidthMM, wide.Aspect = TwoColumnMM, 0.35
	plain := groupedSample()
	for i := range plain.Series {
		plain.Series[i].Published = nil
	}
	plain.Y.Max = new(1.5)
	plain.WidthMM = TwoColumnMM
	long := groupedSample()
	long.Categories = []string{"All-to-all broadcast", "Uninterruptible one-to-all", "n-body",
		"Fast Fourier transform", "Multigrid"}
	slanted := groupedSample()
	slanted.Categories = []string{"Paging(rowmajor,0)", "Paging(rowmajor,1)",
		"Multiple Buddy Strategy", "Multigrid", "FastFourierTransform"}
	bands := loadSample()
	bands.Bands = true
	titled := latencySample()
	titled.WidthMM, titled.title = TwoColumnMM, "Latency of a 16 × 16 mesh, µ = λ ≤ 1"
	linear := latencySample()
	linear.Y.Log, linear.Y.Min, linear.Y.Max = false, new(0.0), new(200.0)
	logBars := plain
	logBars.Series = append(logBars.Series[:0:0], logBars.Series...)
	logBars.Y = Axis{Label: "Packet blocking time (s)", Log: true}
	logBars.WidthMM = OneColumnMM
	ratios := groupedSample()
	ratios.Y.Ratio = true
	ratios.Series[6].Reference = true
	ratios.Series[6].Published = nil
	ratioLog := ratios
	ratioLog.Y.Log, ratioLog.WidthMM = true, TwoColumnMM
	ratioLog.Aspect = 0.4
	named := loadSample()
	named.Categories = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	named.Y.Label = "Packet blocking time (cycles)"
	for i := range named.Series {
		s := &named.Series[i]
		for j := range s.Y {
			s.Y[j], s.Low[j], s.High[j] = 1e5*s.Y[j], 1e5*s.Low[j], 1e5*s.High[j]
		}
		s.Published = nil
	}
	logHeat := heatSample()
	logHeat.Colour.Log = true
	logHeat.Series[3].Y[4] = math.NaN()
	narrow := panelsSample(latencySample(), 4)
	narrow.WidthMM, narrow.title = OneColumnMM, "Latency of four networks"
	narrow.Panels[1].Name = "a network with a name much longer than its panel is wide"
	return map[string]Figure{
		"bars": groupedSample(), "bars-wide": wide, "bars-cut": plain, "bars-long": long,
		"bars-slanted": slanted,
		"bars-log":     logBars,
		"ratios":       ratios, "ratio-log": ratioLog, "lines-named": named,
		"nine": nineSample(Bars), "nine-lines": nineSample(Lines),
		"latency": latencySample(), "latency-titled": titled, "latency-linear": linear,
		"load": loadSample(), "load-bands": bands, "scatter": scatterSample(), "log-log": logLogSample(),
		"heat": heatSample(), "heat-log": logHeat,
		"panels-2": panelsSample(groupedSample(), 2), "panels-5": panelsSample(groupedSample(), 5),
		"panels-lines":   panelsSample(latencySample(), 3),
		"panels-scatter": panelsSample(scatterSample(), 4),
		"panels-narrow":  narrow, "panels-slanted": panelsSample(slanted, 4),
		"panels-20": panelsSample(loadSample(), 20),
		"panels-1":  panelsSample(loadSample(), 1),
	}
}

// nineSample has as many series as can be told apart.
func nineSample(kind Kind) Figure {
	f := Figure{Kind: kind, Y: Axis{Label: "Wait (s)"}}
	if kind == Bars {
		f.Categories = []string{"FCFS", "EASY", "Conservative"}
	}
	for i := range limits.MaxSeries {
		s := Series{Name: fmt.Sprint("Series ", i+1), X: []float64{1, 2, 3}}
		for j := range 3 {
			s.Y = append(s.Y, float64(10+2*i+(3+i)*j))
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// panelsSample returns n panels with the values of a figure, each lower than the
// previous one.
func panelsSample(fig Figure, n int) Figure {
	series := fig.Series
	fig.Series, fig.PanelKeys = nil, []string{"network.buffer_flits"}
	scale := func(values []float64, factor float64) (out []float64) {
		for _, v := range values {
			out = append(out, v*factor)
		}
		return out
	}
	for i := range n {
		p := Panel{Name: fmt.Sprintf("buffer flits = %d", 1<<i), Values: []string{fmt.Sprint(1 << i)}}
		for _, s := range series {
			f := 1 / (1 + 0.3*float64(i))
			s.Y, s.Low, s.High, s.Published = scale(s.Y, f), scale(s.Low, f), scale(s.High, f),
				scale(s.Published, f)
			p.Series = append(p.Series, s)
		}
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// groupedSample has the shape of the finish times of 7 allocators under 5 patterns,
// normalised to one of them.
func groupedSample() Figure {
	random := rand.New(rand.NewPCG(1, 2))
	f := Figure{
		Kind:       Bars,
		X:          Axis{Label: "Communication pattern"},
		Y:          Axis{Label: "Finish time (relative to First Fit)"},
		Categories: []string{"All-to-all", "One-to-all", "n-body", "FFT", "Multigrid"},
		Levels:     []float64{1},
	}
	for i, name := range []string{"Random", "Paging(0)", "Paging(1)", "Paging(2)", "MBS",
		"Naive", "First Fit"} {
		s := Series{Name: name}
		for range f.Categories {
			y, e := 0.4+2.3*random.Float64(), 0.02+0.08*random.Float64()
			if i == 6 {
				y, e = 1, 0.03
			}
			s.Y = append(s.Y, y)
			s.Low, s.High = append(s.Low, y-e), append(s.High, y+e)
			s.Published = append(s.Published, y*(0.93+0.14*random.Float64()))
		}
		f.Series = append(f.Series, s)
	}
	f.Series[5].Published[2] = math.NaN()
	return f
}

// latencySample has latency over offered load for six traffic patterns.
func latencySample() Figure {
	f := Figure{
		Kind: Lines,
		X:    Axis{Label: "Offered load λ (flits/node/cycle)"},
		Y:    Axis{Label: "Mean packet latency (cycles)", Log: true},
	}
	for i, name := range []string{"Uniform", "Transpose", "Bit reversal", "Shuffle",
		"Tornado", "Hot spot"} {
		s := Series{Name: name}
		saturation := 0.42 - 0.05*float64(i)
		for x := 0.02; x < saturation; x += 0.02 {
			y := 22 + 2*float64(i) + 6*x/(saturation-x)
			s.X, s.Y = append(s.X, x), append(s.Y, y)
		}
		s.X, s.Y = append(s.X, saturation), append(s.Y, 1500)
		f.Series = append(f.Series, s)
	}
	return f
}

// loadSample has response times over system load for six allocators, with error bars.
func loadSample() Figure {
	f := Figure{
		Kind: Lines,
		X:    Axis{Label: "System load"},
		Y:    Axis{Label: "Mean job response time (time units)"},
	}
	for i, name := range []string{"First Fit", "Best Fit", "Frame Sliding", "Paging(0)",
		"Paging(1)", "MBS"} {
		s := Series{Name: name}
		for _, x := range []float64{0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
			limit := 400 - 60*float64(i)
			y := limit / (1 + math.Exp(1.5+0.5*float64(i)-x))
			e := 0.05*y + 2
			s.X, s.Y = append(s.X, x), append(s.Y, y)
			s.Low, s.High = append(s.Low, y-e), append(s.High, y+e)
			s.Published = append(s.Published, math.NaN())
			if i == 3 {
				s.Published[len(s.Published)-1] = y * 1.08
			}
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// scatterSample has points of three kinds, some below zero.
func scatterSample() Figure {
	random := rand.New(rand.NewPCG(3, 4))
	f := Figure{
		Kind: Scatter,
		X:    Axis{Label: "Mean pairwise distance (hops)"},
		Y:    Axis{Label: "Change of run time (%)"},
	}
	for i, name := range []string{"Random", "MC1x1", "Hilbert curve"} {
		s := Series{Name: name}
		for range 60 {
			x := 2 + float64(i) + random.NormFloat64()
			s.X, s.Y = append(s.X, x), append(s.Y, 4*x-12+3*random.NormFloat64())
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// logLogSample spans many decades, with a gap and an interval that reaches below zero.
func logLogSample() Figure {
	f := Figure{
		Kind: Lines,
		X:    Axis{Label: "Message size (bytes)", Log: true},
		Y:    Axis{Label: "Time (µs)", Log: true},
	}
	for i, name := range []string{"Paragon OS R1.1", "SUNMOS S1.0.94"} {
		s := Series{Name: name}
		for x := 1.0; x < 2e7; x *= 4 {
			y := 3 + float64(i)*20 + x/40
			s.X, s.Y = append(s.X, x), append(s.Y, y)
			s.Low, s.High = append(s.Low, 0.8*y), append(s.High, 1.2*y)
		}
		s.Low[2] = -1
		s.Y[5] = math.NaN()
		f.Series = append(f.Series, s)
	}
	return f
}

// heatSample has the channel load of a 16 × 16 mesh.
func heatSample() Figure {
	f := Figure{
		Kind:   HeatMap,
		X:      Axis{Label: "Column"},
		Y:      Axis{Label: "Row"},
		Colour: Axis{Label: "Channel load (flits/cycle)"},
	}
	for row := range 16 {
		s := Series{Name: fmt.Sprint(row)}
		for column := range 16 {
			x, y := float64(column)-7.5, float64(row)-7.5
			s.Y = append(s.Y, 0.9*math.Exp(-(x*x+y*y)/60)+0.02)
		}
		f.Series = append(f.Series, s)
	}
	return f
}
