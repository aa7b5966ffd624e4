package tables

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/input"
)

// Distinct lists the different texts that textOf returns for points, in their order.
func Distinct(r *experiments.Results, points []int, textOf func(*study.Point) string) []string {
	texts := make([]string, 0, len(points))
	for _, i := range points {
		texts = append(texts, textOf(&r.Points[i]))
	}
	return Unique(texts)
}

// LabelsOf lists the different labels of a key at the points, in their order.
func LabelsOf(r *experiments.Results, points []int, key string) []string {
	return Distinct(r, points, func(p *study.Point) string { return r.Study.LabelAt(p, key) })
}

// AllPoints lists the indices of all points.
func AllPoints(r *experiments.Results) []int {
	points := make([]int, len(r.Points))
	for i := range points {
		points[i] = i
	}
	return points
}

// Unique returns the list without repetitions.
func Unique(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// NonEmpty returns the texts that are not "".
func NonEmpty(texts ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
}

// WithoutAxis returns a copy of a list with an entry for each axis, without the entry of one axis.
func WithoutAxis(labels []string, axis int) []string {
	return slices.Delete(slices.Clone(labels), axis, axis+1)
}

// HasPublished reports whether some point has a published value of a metric.
func HasPublished(r *experiments.Results, metric string) bool {
	return slices.ContainsFunc(r.PublishedValues, func(row map[string]float64) bool {
		_, ok := row[metric]
		return ok
	})
}

// ShortKey returns the last part of a key, or the last two if the last one alone
// is ambiguous.
func ShortKey(path string) string {
	parts := strings.Split(path, ".")
	last := parts[len(parts)-1]
	if len(parts) > 2 && (last == "distribution" || last == "mean" || last == "min" ||
		last == "max") {
		return parts[len(parts)-2] + " " + last
	}
	return strings.ReplaceAll(last, "_", " ")
}

// Title returns a metric with its unit in parentheses.
func Title(metric, unit string) string {
	if unit == "" {
		return metric
	}
	return metric + " (" + unit + ")"
}

// AxisTitle returns a metric in words with its unit in parentheses, for an axis.
func AxisTitle(metric, unit string) string {
	words := ShortKey(metric)
	if words != "" {
		words = strings.ToUpper(words[:1]) + words[1:]
	}
	return Title(words, unit)
}

// UnitOf returns the unit of a metric at points. An axis or a variant may give runs another clock
// than the study's base has; units that differ are listed.
func UnitOf(r *experiments.Results, metric string, points []int) string {
	if len(points) == 0 {
		return metrics.UnitOf(metric, &r.Study.Base)
	}
	return strings.Join(Distinct(r, points, func(p *study.Point) string {
		return metrics.UnitOf(metric, &p.Spec)
	}), " or ")
}

// ClockOf returns the unit of the clock at points.
func ClockOf(r *experiments.Results, points []int) string { return UnitOf(r, "wait_time", points) }

// IsTime reports whether a column of jobs.csv holds times, in seconds or cycles.
func IsTime(r *experiments.Results, column string) bool {
	return input.IsTime(input.ColumnUnit(column, r.Study.Base.ClockUnit()))
}

// paperNames has the names that papers print for allocators, patterns, policies and placements, by
// their names in studies.
var paperNames = map[string]string{
	"random": "Random", "paging": "Paging", "buddy2d": "2D Buddy", "mbs": "MBS",
	"sdsc": "SDSC", "gabl": "GABL", "anca": "ANCA",
	"first-fit": "First Fit", "best-fit": "Best Fit", "frame-sliding": "Frame Sliding",
	"mc": "MC", "mc1x1": "MC1x1", "mc1x1-tie": "MC1x1", "gen-alg": "Gen-Alg", "mm": "MM",
	"mm-inc": "MM+Inc", "optimal": "Optimal", "ptas": "PTAS",
	"free-list": "Free List", "first-fit-1d": "First Fit (1D)", "best-fit-1d": "Best Fit (1D)",
	"sum-of-squares": "Sum of Squares", "sequential": "Sequential", "contiguous": "Contiguous",
	"quasi-contiguous": "Quasi-contiguous", "isolated": "Isolated", "by-router": "Fewest Routers",
	"by-group": "Fewest Groups", "level-spread": "Level-Spread",
	"random-routers": "Random Routers", "random-groups": "Random Groups", "rows": "Rows",
	"diagonal": "Diagonal", "subcube": "Subcube",

	"fft": "FFT", "npb-ft": "FT", "npb-is": "IS", "npb-cg": "CG", "npb-mg": "MG", "npb-lu": "LU",
	"npb-bt": "BT", "npb-sp": "SP",

	"scattered": "Scattered", "away": "away",

	"fcfs": "FCFS", "easy": "EASY", "sjf": "SJF",
}

// curveNames has the names of the curves that number processors.
var curveNames = map[string]string{"hilbert": "Hilbert", "snake": "snake", "linear": "linear"}

// PaperName returns the name that papers print for a label, or the label itself. A number
// stands in parentheses, as in Paging(0), and a word after a comma, as in First Fit, rotate.
func PaperName(label string) string {
	if m := logName.FindStringSubmatch(label); m != nil {
		return m[1] + " " + m[2]
	}
	base, parameters, has := strings.Cut(label, ":")
	name, ok := paperNames[base]
	switch {
	case !ok:
		return label
	case !has:
		return name
	case curveNames[parameters] != "":
		return strings.TrimSuffix(name, " (1D)") + ", " + curveNames[parameters]
	case strings.HasPrefix(base, "npb-"):
		return name + "." + parameters // as in FT.A
	case base == "away":
		return parameters + " away"
	case base == "quasi-contiguous":
		return name + " " + parameters + "%"
	}
	numbers, words := splitParameters(parameters)
	if numbers != "" {
		name += "(" + numbers + ")"
	}
	return strings.Join(append([]string{name}, words...), ", ")
}

// logName is the file name of a log of the Parallel Workloads Archive: computer, year,
// version.
var logName = regexp.MustCompile(`^([A-Za-z0-9-]+)-(\d{4})-[\d.]+(?:-cln)?\.swf(?:\.gz)?$`)

// splitParameters returns the numbers at the beginning of a list of parameters, and the words
// behind them.
func splitParameters(parameters string) (numbers string, words []string) {
	words = strings.Split(parameters, ",")
	n := 0
	for n < len(words) && strings.Trim(words[n], "0123456789.") == "" {
		n++
	}
	return strings.Join(words[:n], ","), words[n:]
}

// PrintedNames returns the names to print for labels: the name in the last given table that has
// one, else PaperName. Labels that share a PaperName are not in the result.
func PrintedNames(labels []string, given ...map[string]any) map[string]string {
	users := map[string]int{}
	for _, l := range Unique(labels) {
		users[PaperName(l)]++
	}
	names := map[string]string{}
	for _, l := range labels {
		if name := PaperName(l); name != l && users[name] == 1 {
			names[l] = name
		}
		for _, table := range given {
			if name, ok := table[l]; ok {
				names[l] = fmt.Sprint(name)
			}
		}
	}
	return names
}
