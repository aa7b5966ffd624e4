package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/call"
	"contend/internal/quantity"
	"contend/patterns"
)

// metricGroup is a list of metrics that runs with some keys have.
type metricGroup struct {
	With    string // what their texts begin with, "" for nothing
	Metrics []metrics.MetricInfo
}

// MetricGroups lists the metrics of a run, those without a condition first.
func (r reference) MetricGroups() []metricGroup {
	groups := []metricGroup{{}}
	for _, m := range metrics.ForReaders(metrics.MetricsOf(r.Names)) {
		var with string
		if rest, is := strings.CutPrefix(m.Doc, "with "); is {
			with, m.Doc, _ = strings.Cut(rest, ": ")
		}
		at := slices.IndexFunc(groups, func(g metricGroup) bool { return g.With == with })
		if at < 0 {
			at, groups = len(groups), append(groups, metricGroup{With: with})
		}
		groups[at].Metrics = append(groups[at].Metrics, m)
	}
	return groups
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

// maxExceptions is the number of keys of a section to which a condition does not apply that is
// stated once for the section.
const maxExceptions = 3

// common returns the conditions that all keys of a section have, but for a few.
func (s section) common() (list []string) {
	for _, c := range conditions(s.Keys[0].When() + "; " + s.Keys[len(s.Keys)-1].When()) {
		if n := len(s.without(c)); n <= maxExceptions && n < len(s.Keys)/4 &&
			!slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// conditions divides what Key.When returns.
func conditions(when string) []string {
	return slices.DeleteFunc(strings.Split(when, "; "), func(c string) bool { return c == "" })
}

// without lists the keys to which a condition does not apply.
func (s section) without(condition string) (paths []string) {
	for _, k := range s.Keys {
		if !slices.Contains(conditions(k.When()), condition) {
			paths = append(paths, code(k.Path))
		}
	}
	return paths
}

// Common states the conditions of the section.
func (s section) Common() (sentences []string) {
	for _, c := range s.common() {
		keys := "All keys"
		if except := s.without(c); len(except) > 0 {
			keys += " but " + strings.Join(except, ", ")
		}
		sentences = append(sentences, keys+" act with "+c+".")
	}
	return sentences
}

// Own returns the further conditions of a key.
func (s section) Own(k config.Key) string {
	common := s.common()
	return strings.Join(slices.DeleteFunc(conditions(k.When()), func(c string) bool {
		return slices.Contains(common, c)
	}), "; ")
}

// keyValues returns the values, the type and the unit of a key. The default shows the type of texts
// and booleans.
func keyValues(k config.Key) string {
	values := k.Range()
	if k.Type != "string" && k.Type != "boolean" {
		values = k.Type + " " + values
	}
	return strings.TrimSpace(values + " " + k.Unit)
}

// presetKey is a key that presets set.
type presetKey struct {
	Path   string
	Values []string // of each preset, "" where it does not set the key
	from   []source
}

// source is a source of values of the key with the presets that have it.
type source struct {
	text string
	of   []string
}

// PresetKeys lists the keys that presets set.
func (reference) PresetKeys() (list []presetKey) {
	for i, p := range config.Presets() {
		for _, k := range p.Keys {
			at := slices.IndexFunc(list, func(of presetKey) bool { return of.Path == k.Path })
			if at < 0 {
				at = len(list)
				list = append(list, presetKey{Path: k.Path, Values: make([]string, len(config.Presets()))})
			}
			key := &list[at]
			key.Values[i] = code(fmt.Sprint(k.Value))
			s := slices.IndexFunc(key.from, func(s source) bool { return s.text == k.Source })
			if s < 0 {
				s, key.from = len(key.from), append(key.from, source{text: k.Source})
			}
			key.from[s].of = append(key.from[s].of, p.Name)
		}
	}
	return list
}

// sourcedKeys are keys whose values in some presets have one source.
type sourcedKeys struct {
	Source string
	Keys   []string
}

// PresetSources lists the sources of values by the presets that have them.
func (r reference) PresetSources() map[string][]sourcedKeys {
	all := map[string][]sourcedKeys{}
	for _, k := range r.PresetKeys() {
		for _, s := range k.from {
			of := strings.Join(s.of, ", ")
			at := slices.IndexFunc(all[of], func(k sourcedKeys) bool { return k.Source == s.text })
			if at < 0 {
				at, all[of] = len(all[of]), append(all[of], sourcedKeys{Source: s.text})
			}
			all[of][at].Keys = append(all[of][at].Keys, code(strings.TrimPrefix(k.Path, "network.")))
		}
	}
	return all
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

// parameterRows returns the rows of a table of parameters: those that are alike in several entries once.
func parameterRows(names []config.Name) (rows []parameterRow) {
	for _, n := range names {
		for _, p := range n.Parameters {
			row := parameterRow{Name: p.Name, Default: p.Default, Values: valuesOf(&p), Doc: p.Doc}
			at := slices.IndexFunc(rows, func(r parameterRow) bool {
				return r.Name == row.Name && r.Default == row.Default && r.Values == row.Values &&
					r.Doc == row.Doc
			})
			if at < 0 {
				at, rows = len(rows), append(rows, row)
			}
			rows[at].Of = append(rows[at].Of, code(n.Name))
		}
	}
	return rows
}

// parameterRow is a parameter with the entries that have it.
type parameterRow struct {
	Name, Default, Values, Doc string
	Of                         []string
}

// valuesOf says in words which values a parameter may have.
func valuesOf(p *call.Parameter) string {
	text := cmp.Or(p.Range(), map[string]string{call.Boolean: "", call.Integer: "any"}[p.Type], p.Type)
	switch {
	case p.Type == call.Text || p.Choices != nil:
	case p.Type == call.Integer:
		text = "integer " + text
	}
	if p.Unit != "" && p.Unit != text {
		text += ", " + p.Unit
	}
	for _, kind := range p.Takes {
		text += " or " + kind.Name()
	}
	return text
}

// callOf returns the form of a call with the parameters in the order in which values alone go to them.
func callOf(n config.Name) string {
	var names []string
	for _, p := range n.Parameters {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return code(n.Name)
	}
	return code(n.Name + ":" + strings.Join(names, ","))
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
