package main

import (
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/quantity"
	"contend/patterns"
)

// Metrics lists the metrics of a run. The metrics of classes of sizes count as one.
func (r reference) Metrics() []metrics.MetricInfo {
	return metrics.ForReaders(metrics.MetricsOf(r.Names))
}

// FigureKinds lists the kinds of figures.
func (reference) FigureKinds() []study.FigureKind { return study.FigureKinds }

// kindsWith names the kinds of figures that take a key.
func kindsWith(key string) string {
	return strings.Join(append(study.KindsWith(key, false), study.KindsWith(key, true)...), ", ")
}

// section is a section of a study's file with its keys.
type section struct {
	Name string
	Keys []config.Key
}

// Sections lists the sections of a run. Shorthands come first in the section that they belong to.
func (reference) Sections() (list []section) {
	for _, k := range config.Keys() {
		name, _, _ := strings.Cut(k.Path, ".")
		at := slices.IndexFunc(list, func(s section) bool { return s.Name == name })
		if at < 0 {
			at, list = len(list), append(list, section{Name: name})
		}
		if s := &list[at]; k.Shorthand {
			s.Keys = slices.Insert(s.Keys, 0, k)
		} else {
			s.Keys = append(s.Keys, k)
		}
	}
	return list
}

// quantityKeys is a kind of quantity with the keys that take it, and the parameters of calls.
type quantityKeys struct {
	Kind quantity.Kind
	Keys []string
}

// Quantities lists the kinds of quantities.
func (r reference) Quantities() (list []quantityKeys) {
	for _, kind := range quantity.Kinds() {
		m := quantityKeys{Kind: kind}
		for _, s := range r.Sections() {
			for _, k := range s.Keys {
				if slices.Contains(k.Takes(), kind) {
					m.Keys = append(m.Keys, code(k.Path))
				}
			}
		}
		for _, name := range config.ParametersThatTake(kind) {
			m.Keys = append(m.Keys, code(name))
		}
		list = append(list, m)
	}
	return list
}

// Presets lists the values of network.preset with the keys that each sets.
func (reference) Presets() []config.Preset { return config.Presets() }

// processes is the size of the jobs whose messages the page on patterns counts.
const processes = 16

// Benchmarks lists the NAS benchmarks.
func (reference) Benchmarks() []string { return codes(true) }

// Collectives lists the collective operations.
func (reference) Collectives() []string { return codes(false) }

// codes lists the patterns whose processes wait for their own messages: the NAS benchmarks, or all
// others.
func codes(benchmarks bool) (names []string) {
	for _, p := range patterns.Names() {
		if patterns.OwnSizes(p.Name) && strings.HasPrefix(p.Name, "npb-") == benchmarks {
			names = append(names, p.Name)
		}
	}
	return names
}

// Classes lists the classes of the benchmarks.
func (reference) Classes() []string { return patterns.Classes() }

// fullRun is the size of a run of a benchmark of one class.
type fullRun struct {
	Iterations int
	Millions   float64 // of operations
}

// FullRuns lists the full runs of a benchmark, one of each class.
func (reference) FullRuns(name string) (list []fullRun) {
	for _, class := range patterns.Classes() {
		iterations, _ := patterns.Iterations(name, class)
		operations, _ := patterns.Operations(name, class)
		list = append(list, fullRun{iterations, operations / 1e6})
	}
	return list
}

// OneIteration counts the messages of a pattern in one iteration, those of a benchmark in each
// class.
func (reference) OneIteration(pattern string) ([]report.PatternReport, error) {
	plan := config.DefaultSpec()
	text := pattern
	if strings.HasPrefix(pattern, "npb-") {
		classes := patterns.Classes()
		text = pattern + ":" + strings.Join(classes, "+"+pattern+":")
	}
	var err error
	if plan.Job.Pattern, err = config.ParseMix(text); err != nil {
		return nil, err
	}
	return report.ReportPattern(&plan, processes)
}
