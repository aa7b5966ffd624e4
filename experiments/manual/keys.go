package manual

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/study"
	"contend/internal/quantity"
)

// keysPage lists the keys of a run, the presets and the keys of a study.
func keysPage() string {
	var b strings.Builder
	b.WriteString(title("Keys of a study"))
	b.WriteString("" +
		"A study is a TOML file. The sections below describe one run. `--set KEY=VALUE` sets a key\n" +
		"for all points, `--axis KEY=V1,V2` varies it. A key acts only with the settings in its last\n" +
		"column; setting it where it cannot act is an error. Every key except those of `[runs]` (but\n" +
		"including `runs.seed`) is part of the hash that names a stored run. [Keys around the\n" +
		"runs](#keys-around-the-runs) are those of axes, tables, figures and rules.\n")
	section := ""
	for _, k := range sortedBySection() {
		if name, _, _ := strings.Cut(k.Path, "."); name != section {
			section = name
			fmt.Fprintf(&b, "\n## [%s]\n\n", section)
			table(&b, []string{"key", "type", "default", "values", "unit", "meaning", "acts with"}, nil)
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s | %s | %s |\n",
			k.Path, k.Type, k.Default, k.Range(), k.Unit, sourced(k.Doc, k.Source), k.When())
	}
	b.WriteString("\n## Units\n\n" +
		"A key that is a time, a size or a rate takes a plain number in the unit of its column, or a\n" +
		"string with a number and a unit. [Real units](../howto/units.md) has a walk.\n\n")
	table(&b, []string{"quantity", "units", "keys"}, quantities())
	b.WriteString("\n## Presets\n\n")
	table(&b, []string{"`network.preset`", "key", "value", "source"}, presets())
	b.WriteString("\n## Keys around the runs\n")
	study.Keys(&b)
	return b.String()
}

// quantities returns the rows with the kinds of quantities.
func quantities() (rows [][]string) {
	for _, kind := range quantity.Kinds() {
		var keys []string
		for _, k := range sortedBySection() {
			if slices.Contains(k.Takes(), kind) {
				keys = append(keys, code(k.Path))
			}
		}
		if keys != nil {
			rows = append(rows, []string{kind.Name() + " such as " + code(kind.Example()),
				strings.Join(kind.Units(), ", "), strings.Join(keys, ", ")})
		}
	}
	return rows
}

// presets returns the rows with the meanings of the values of network.preset.
func presets() (rows [][]string) {
	for _, p := range spec.Presets() {
		rows = append(rows, []string{code(p.Name), "", "", p.Doc})
		for _, k := range p.Keys {
			rows = append(rows, []string{"", code(k.Path), code(fmt.Sprint(k.Value)), k.Source})
		}
	}
	return rows
}

// sortedBySection puts shorthands in front of the sections they belong to.
func sortedBySection() []spec.Key {
	var sections []string
	grouped := map[string][]spec.Key{}
	for _, k := range spec.Keys() {
		section, _, _ := strings.Cut(k.Path, ".")
		if grouped[section] == nil {
			sections = append(sections, section)
		}
		if k.Shorthand {
			grouped[section] = append([]spec.Key{k}, grouped[section]...)
		} else {
			grouped[section] = append(grouped[section], k)
		}
	}
	var keys []spec.Key
	for _, s := range sections {
		keys = append(keys, grouped[s]...)
	}
	return keys
}

// metricsPage lists the metrics of a run.
func metricsPage(names spec.Names) string {
	var b strings.Builder
	b.WriteString(title("Metrics"))
	b.WriteString("" +
		"A metric is a value of the column `metric` in `summary.csv` and `runs.csv`, and a name for\n" +
		"`table.metrics`, `figures.metric` and `primary`. The unit `time` is cycles when generated\n" +
		"jobs send messages, seconds with a log, and the workload's time units otherwise. [The\n" +
		"model](../model.md#what-is-measured) has the formulas.\n\n")
	var rows [][]string
	for _, m := range cosim.ForReaders(cosim.MetricsOf(names.Registry())) {
		rows = append(rows, []string{code(m.Name), m.Unit, sourced(m.Doc, m.Source)})
	}
	table(&b, []string{"metric", "unit", "meaning"}, rows)
	return b.String()
}
