package manual

import (
	"strings"
	"testing"

	"contend/allocation/byname"
	"contend/experiments/cosim"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
)

// testRoot is a small command tree with all that pages show of one.
func testRoot() *cobra.Command {
	root := &cobra.Command{Use: "contend", Short: "Test"}
	root.PersistentFlags().BoolP("verbose", "v", false, "log more")
	none := func(*cobra.Command, []string) {}
	run := &cobra.Command{Use: "run STUDY...", Short: "Run studies",
		Long: "Run studies.\n.hidden line\n", Run: none}
	run.Flags().Int("workers", 7, "runs at the same time")
	run.Flags().StringP("out", "o", "", "output `FOLDER`, a|b (default out/NAME)")
	trace := &cobra.Command{Use: "trace", Short: "Logs"}
	trace.AddCommand(&cobra.Command{Use: "stats FILE", Short: "Say what is in a log", Run: none})
	secret := &cobra.Command{Use: "manual", Short: "Write pages", Run: none, Hidden: true}
	root.AddCommand(run, trace, secret)
	return root
}

func reference(t *testing.T) map[string]string {
	t.Helper()
	pages, err := Reference(Program{testRoot(), spec.BuiltinNames(), []ExitStatus{{0, "done"},
		{3, "a log is missing"}}})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range pages {
		texts[p.Name] = p.Text
	}
	return texts
}

func TestReferenceHasEveryKeyNameAndMetric(t *testing.T) {
	texts := reference(t)
	has := func(page, name string) {
		if !strings.Contains(texts[page], "| `"+name+"` |") {
			t.Errorf("%s is not in %s", name, page)
		}
	}
	for _, k := range spec.Keys() {
		has("keys.md", k.Path)
	}
	for _, k := range []string{"axes.values", "tolerances.at_least", "quick.axes.key", "procsimity"} {
		has("keys.md", k)
	}
	for _, m := range cosim.ForReaders(cosim.MetricInfos()) {
		has("metrics.md", m.Name)
	}
	for kind := range spec.BuiltinNames() {
		page := "names.md"
		if kind == "patterns" {
			page = "patterns.md"
		}
		for _, name := range spec.BuiltinNames().List(kind) {
			has(page, name)
		}
	}
	if !strings.Contains(texts["exit-statuses.md"], "| 3 | a log is missing |") {
		t.Error("status 3 is not in exit-statuses.md")
	}
}

func TestCommandsPage(t *testing.T) {
	text := reference(t)["commands.md"]
	for _, want := range []string{
		"| [contend trace stats](#contend-trace-stats) | Say what is in a log |",
		"## contend run\n\n```\ncontend run STUDY... [flags]\n```\n",
		"| `--workers` | `int` | `7` | runs at the same time |",
		"| `-o`, `--out` | `FOLDER` | `out/NAME` | output FOLDER, a\\|b |",
		"| `-v`, `--verbose` |  |  | log more |",
		"## contend manual",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("commands.md has no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "## contend trace\n") {
		t.Error("contend trace does nothing by itself, but is listed")
	}
}

// A column without a description, or a description without a column, is an
// error, so that neither is forgotten.
func TestColumnsAreDescribed(t *testing.T) {
	f := file{name: "x.csv", columns: []string{"a", "b"}, about: []column{{"a", "", "one"}}}
	if _, err := f.rows(); err == nil || !strings.Contains(err.Error(), "column b is not described") {
		t.Errorf("a column without a description: %v", err)
	}
	f.about = append(f.about, column{"b", "", "two"}, column{"c", "", "three"})
	if _, err := f.rows(); err == nil || !strings.Contains(err.Error(),
		"3 columns are described, 2 written") {
		t.Errorf("a description without a column: %v", err)
	}
	for _, f := range files() {
		for _, c := range f.about {
			if c.meaning == "" {
				t.Errorf("%s: %s has no meaning", f.name, c.name)
			}
		}
	}
}

// The examples of short forms are read as what they claim to be.
func TestFormsParse(t *testing.T) {
	for _, f := range forms {
		var err error
		switch f.kind {
		case "allocator":
			_, err = byname.Parse(f.example)
		case "mix":
			_, err = spec.ParseMix(f.example)
		case "rule":
			_, err = spec.ParseRule(f.example)
		case "machine":
			if _, bad := spec.MachineKeys(f.example); bad != nil {
				err = bad
			}
		default:
			t.Errorf("no test for a %s", f.kind)
		}
		if err != nil {
			t.Errorf("%s %s: %v", f.kind, f.example, err)
		}
	}
}

func TestManPages(t *testing.T) {
	pages := ManPages(Program{Root: testRoot(), Exits: []ExitStatus{{0, "done"}}})
	texts := map[string]string{}
	for _, p := range pages {
		texts[p.Name] = p.Text
	}
	if len(texts) != 3 || texts["contend.1"] == "" || texts["contend-trace-stats.1"] == "" {
		t.Fatalf("pages %v", texts)
	}
	for page, wants := range map[string][]string{
		"contend.1": {".TH CONTEND 1", ".BR contend\\-run (1)\nRun studies\n", ".B 0\ndone\n",
			`\-v, \-\-verbose`},
		"contend-run.1": {
			"contend\\-run \\- Run studies\n", "contend run STUDY... [flags]",
			"Run studies.\n\\&.hidden line\n", `.BI "\-o, \-\-out " "FOLDER"`, "(default 7)",
		},
	} {
		for _, want := range wants {
			if !strings.Contains(texts[page], want) {
				t.Errorf("%s has no %q in\n%s", page, want, texts[page])
			}
		}
	}
}

func TestBuiltinNamesHaveDocumentation(t *testing.T) {
	for kind, names := range spec.BuiltinNames() {
		if len(names) == 0 {
			t.Errorf("there are no %s", kind)
		}
		for _, n := range names {
			if n.Doc == "" {
				t.Errorf("%s has no documentation", n.Name)
			}
		}
	}
	for _, k := range spec.Keys() {
		if k.Names != "" {
			spec.BuiltinNames().List(k.Names) // panics where there is no such table
		}
	}
}
