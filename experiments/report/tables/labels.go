package tables

import (
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/decimal"
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

// ShortKey returns a metric in words, or the last part of a key, or the last two if the last one
// alone is ambiguous. The jobs of a metric of a class stand behind a comma.
func ShortKey(path string) string {
	if c, ok := metrics.ClassOf(path); ok {
		return strings.TrimPrefix(ShortKey(c.Of)+", "+c.Jobs(), "jobs, ")
	}
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
	return decimal.IsTime(ColumnUnit(column, r.Study.Base.ClockUnit()))
}

// ColumnUnit returns the unit of a column of jobs.csv that holds times, "" for others. clock is the
// unit of the run's clock.
func ColumnUnit(column, clock string) string {
	switch column {
	case "submit", "start", "end", "wait_time", "service_time":
		return clock
	case "latency", "network_latency", "packet_blocking_time", "foreign_blocking_time":
		return "cycles"
	}
	return ""
}
