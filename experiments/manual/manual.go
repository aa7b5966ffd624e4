package manual

import (
	"fmt"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// Manual returns docs/manual.md: every key of a study, every name that a key can
// have, and every metric, from the tables that the program itself uses.
func Manual(names spec.Names) string {
	var b strings.Builder
	b.WriteString("# Keys, names and metrics\n\nWritten by `contend manual > docs/manual.md` " +
		"from the program's own tables.\n\n## Keys of a spec\n\n")
	b.WriteString("A TOML file, `--set KEY=VALUE` and `--axis KEY=V1,V2` take these. All but " +
		"those of `[runs]` other than\n`runs.seed` belong to a run and its hash. A key acts with " +
		"the settings its last column names; where it cannot act at any point of a\nstudy, " +
		"setting it is refused, and it is in no hash.\n")
	section := ""
	for _, k := range sortedBySection() {
		if name, _, _ := strings.Cut(k.Path, "."); name != section {
			section = name
			fmt.Fprintf(&b, "\n### [%s]\n\n| key | type | default | values | unit | meaning | "+
				"acts with |\n| --- | --- | --- | --- | --- | --- | --- |\n", section)
		}
		doc := k.Doc
		if k.Source != "" {
			doc += " (" + k.Source + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s | %s | %s |\n", k.Path, k.Type, k.Default,
			k.Range(), k.Unit, doc, k.When())
	}
	presetTable(&b)
	filesTable(&b)
	b.WriteString("\n## Keys of a study\n")
	experiments.StudyKeys(&b)
	for _, table := range spec.SortedKeys(names) {
		fmt.Fprintf(&b, "\n## Names: %s\n\n| name | meaning |\n| --- | --- |\n", table)
		for _, n := range names[table] {
			doc := n.Doc
			if n.Source != "" {
				doc += " (" + n.Source + ")"
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", n.Name, doc)
		}
	}
	b.WriteString("\n## Metrics\n\n`time` is cycles when generated jobs send messages, seconds " +
		"with a log, and the workload's time units otherwise.\n\n| metric | unit | meaning |\n| " +
		"--- | --- | --- |\n")
	for _, m := range cosim.MetricInfos() {
		doc := m.Doc
		if m.Source != "" {
			doc += " (" + m.Source + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, m.Unit, doc)
	}
	decisionTables(&b)
	return b.String()
}

// presetTable writes the keys that each value of network.preset sets.
func presetTable(b *strings.Builder) {
	b.WriteString("\n## Presets\n\n| `network.preset` | sets |\n| --- | --- |\n")
	for _, name := range spec.SortedKeys(spec.Presets) {
		var sets []string
		for _, p := range spec.Presets[name] {
			sets = append(sets, fmt.Sprintf("`%s = %d`", p.Path, p.Value))
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.Join(sets, ", "))
	}
}

// sortedBySection puts shorthands in front of the sections to which they belong.
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
