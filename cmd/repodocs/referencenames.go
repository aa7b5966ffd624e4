package main

import (
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/internal/quantity"
	"contend/patterns"
)

// Metrics are those of a run, one for all classes of sizes.
func (r reference) Metrics() []metrics.MetricInfo {
	return metrics.ForReaders(metrics.MetricsOf(r.Names))
}

// section is a section of a study with its keys.
type section struct {
	Name string
	Keys []config.Key
}

// Sections are those of a run. Shorthands stand in front of the section that they belong to.
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

// measured is a kind of quantity with the keys that take it.
type measured struct {
	Kind quantity.Kind
	Keys []string
}

// Quantities are the kinds of quantities.
func (r reference) Quantities() (list []measured) {
	for _, kind := range quantity.Kinds() {
		m := measured{Kind: kind}
		for _, s := range r.Sections() {
			for _, k := range s.Keys {
				if slices.Contains(k.Takes(), kind) {
					m.Keys = append(m.Keys, code(k.Path))
				}
			}
		}
		list = append(list, m)
	}
	return list
}

// Presets are the values of network.preset with what they set.
func (reference) Presets() []config.Preset { return config.Presets() }

// processes is the size of the jobs whose messages the page of patterns counts.
const processes = 16

// Benchmarks and Collectives are the patterns with messages in bytes, in the order of the page.
func (reference) Benchmarks() []string {
	return []string{"npb-ft", "npb-is", "npb-cg", "npb-mg", "npb-lu", "npb-bt", "npb-sp"}
}

func (reference) Collectives() []string {
	return []string{"all-reduce-ring", "all-reduce-doubling", "all-reduce-tree",
		"all-reduce-halving", "all-reduce-direct", "all-gather-ring", "all-gather-doubling",
		"all-gather-direct", "reduce-scatter-ring", "reduce-scatter-halving", "all-to-all-direct"}
}

// Classes are those of the benchmarks.
func (reference) Classes() []string { return patterns.Classes() }

// fullRun is a full run of a benchmark of a class.
type fullRun struct {
	Iterations int
	Millions   float64 // of operations
}

// FullRuns are those of a benchmark, by class.
func (reference) FullRuns(name string) (list []fullRun) {
	for _, class := range patterns.Classes() {
		iterations, _ := patterns.Iterations(name, class)
		operations, _ := patterns.Operations(name, class)
		list = append(list, fullRun{iterations, operations / 1e6})
	}
	return list
}

// OneIteration counts what a pattern sends in one iteration, a benchmark in each class.
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
