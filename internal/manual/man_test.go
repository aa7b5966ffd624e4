package manual

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// testProgram has a small command tree with all that pages show of one.
func testProgram() Program {
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
	return Program{root, []ExitStatus{{0, "done"}}}
}

// Commands that do nothing by themselves are left out, hidden ones come last.
func TestCommands(t *testing.T) {
	var paths []string
	for _, c := range testProgram().Commands() {
		paths = append(paths, UseLine(c))
	}
	want := []string{"contend run STUDY... [flags]", "contend trace stats FILE", "contend manual"}
	if !reflect.DeepEqual(paths, want) {
		t.Errorf("commands %q, not %q", paths, want)
	}
}

// A default is the initial value of a flag, or what the end of the usage says.
func TestFlags(t *testing.T) {
	got := Flags(testProgram().Commands()[0].Flags())
	want := []Flag{{[]string{"-o", "--out"}, "FOLDER", "out/NAME", "output FOLDER, a|b"},
		{[]string{"--workers"}, "int", "7", "runs at the same time"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("flags %+v, not %+v", got, want)
	}
}

func TestManPages(t *testing.T) {
	texts := ManPages(testProgram())
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
