package report

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
)

// maxListed is the number of machines or workloads that a caption lists.
const maxListed = 3

// settingText states what ran, and on which machines.
func (k *drawing) settingText() string {
	return k.listed("Workload", workloadText) + k.patternText() + " " +
		k.listed("Machine", machineText) + "."
}

// listed lists the texts that textOf returns for the points of the figure.
func (k *drawing) listed(what string, textOf func(*config.Spec) string) string {
	texts := tables.Distinct(k.results, k.points, func(p *study.Point) string {
		return textOf(&p.Spec)
	})
	switch n := len(texts); {
	case n == 1:
		return what + ": " + texts[0]
	case n > maxListed:
		return fmt.Sprintf("%ss: %d, from %s to %s", what, n, texts[0], texts[n-1])
	}
	return what + "s: " + strings.Join(texts, "; ")
}

// workloadText describes the jobs of a run in a few words: its log, or where else they come from.
func workloadText(s *config.Spec) string {
	w := &s.Workload
	text := string(w.Source)
	switch {
	case w.HasTrace():
		text = "log " + input.BaseName(w.Trace)
	case w.Source == config.SourceTraffic:
		return "open-loop traffic"
	case w.Source == config.SourceList:
		return "listed jobs"
	}
	if n := w.Count(); n > 0 {
		text += ", " + input.Plural(n, "job")
	}
	return text
}

// patternText names the pattern of the jobs, up to the end of the sentence, unless jobs send
// nothing or an axis says what they send.
func (k *drawing) patternText() string {
	const key = string(config.FieldPattern)
	pattern, _ := config.FindKey(key)
	patterns := tables.Distinct(k.results, k.points, func(p *study.Point) string {
		if !pattern.Acts(&p.Spec) {
			return ""
		}
		return pattern.Label(&p.Spec)
	})
	if len(patterns) != 1 || patterns[0] == "" || slices.Contains(k.results.AxisKeys(), key) {
		return "."
	}
	return ", pattern " + tables.DisplayName(k.results.Names, patterns[0]) + "."
}

// machineText describes a machine in a few words that distinguish it from others.
func machineText(s *config.Spec) string {
	m := &s.Machine
	if !m.IsGrid() {
		return m.Phrase()
	}
	text := m.Phrase()
	if m.Topology != "hypercube" {
		sides := strings.Trim(fmt.Sprint(m.Sides()), "[]")
		text = m.Topology + " " + strings.ReplaceAll(sides, " ", "x")
	}
	if m.Concentration > 1 {
		text += fmt.Sprintf(", concentration %d", m.Concentration)
	}
	for _, name := range []string{"wrap", "service_rows"} {
		k, _ := config.FindKey("machine." + name)
		if value := k.Label(s); value != "[]" {
			text += ", " + tables.ShortKey(k.Path) + " " + value
		}
	}
	return text
}
