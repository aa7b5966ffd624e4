package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/studies"
	"contend/internal/input"
	"contend/internal/must"
)

// loadWith writes a study whose published figures are these beside it, and
// loads it.
func loadWith(t *testing.T, csv string) (*Study, error) {
	t.Helper()
	dir := t.TempDir()
	text := configtest.CompareStudy[:strings.Index(configtest.CompareStudy, "[published]")] +
		"[published]\nfile = \"paper.csv\"\n"
	for name, text := range map[string]string{"mine.toml": text, "paper.csv": csv} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return Load("./mine.toml", config.Builtin())
}

func TestPublishedRowsMeetPoints(t *testing.T) {
	const header = "# a remark\nallocator,job.pattern,finish_time,utilization\nmbs,ring,1,\n"
	for _, c := range []struct{ name, rows, want string }{
		{"two metrics of a point in two rows", "mbs,ring,,7\nrandom,fft,2,3\n", ""},
		{"a name that is none", "radnom,ring,2,3\n",
			`paper.csv:4:1: row 2 of the published figures: allocator is "radnom": ` +
				`did you mean "random"?`},
		{"an allocator that the study has not", "paging:2,ring,2,3\n",
			`paper.csv:4:1: row 2 of the published figures: allocator is paging:2: ` +
				`no point has it: did you mean "paging:1"?`},
		{"two values that are not there", "random,ring,1,\npaging:2,n-body,2,3\n",
			`paper.csv:5:1: row 3 of the published figures: allocator is paging:2: no point has it`},
		{"a figure twice", "random,ring,2,\nmbs,ring,3,4\n",
			`paper.csv:5:1: row 3 of the published figures: finish_time of ring mbs is given twice, also ` +
				`in row 1: keep one of them`},
	} {
		st, err := loadWith(t, header+c.rows)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if _, text := err.(*input.Error); err != nil && !text {
			t.Errorf("%s: a %T", c.name, err)
		}
		if c.want != "" {
			continue
		}
		points := must.Have(st.Points())
		got := PublishedAt(st.Published.Rows(), &points[0])
		if got["finish_time"] != 1 || got["utilization"] != 7 {
			t.Errorf("%s: of the point %v are published %v", c.name, points[0].Labels, got)
		}
	}
}

// A column variant names variants, and a row of a variant that is none is refused.
func TestPublishedRowsOfVariants(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `name = "mine"
primary = ["finish_time"]
[[variants]]
name = "a"
[[variants]]
name = "b"
set = { "workload.jobs" = 5 }
[[axes]]
key = "variant"
values = ["a", "b"]
[published]
csv = "variant,finish_time\nb,7\n%s,3"
`
	load := func(variant string) (*Study, error) {
		text := strings.Replace(text, "%s", variant, 1)
		if err := os.WriteFile("mine.toml", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return Load("./mine.toml", config.Builtin())
	}
	st := must.Have(load("a"))
	points := must.Have(st.Points())
	for i, want := range []float64{3, 7} {
		if got := PublishedAt(st.Published.Rows(), &points[i]); got["finish_time"] != want {
			t.Errorf("of variant %v are published %v", points[i].Labels, got)
		}
	}
	const want = `row 2 of the published figures: variant is "c"`
	if _, err := load("c"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Flags may leave out points: a study that was resolved so is loaded again.
func TestPublishedRowsWithoutPointsAfterFlags(t *testing.T) {
	st := must.Have(loadWith(t, "allocator,job.pattern,finish_time\nmbs,ring,1\nrandom,fft,2\n"))
	if err := st.SetAxis("allocator", "mbs"); err != nil {
		t.Fatal(err)
	}
	if err := st.Check(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("spec.toml", []byte(st.TOML("test")), 0o644); err != nil {
		t.Fatal(err)
	}
	again := must.Have(Load("./spec.toml", config.Builtin()))
	if len(again.Selected) != 1 || again.Changed != nil {
		t.Errorf("selected by %v, changed by %v", again.Selected, again.Changed)
	}
}

// A built-in study does not take the published figures of a file in the folder in which it is run;
// a study in that folder does.
func TestBuiltInStudiesHaveTheirOwnFigures(t *testing.T) {
	want, err := Load("lo-table2", config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	text, _ := studies.TOML("lo-table2")
	t.Chdir(t.TempDir())
	const others = "allocator\nmbs\n"
	for name, text := range map[string]string{"lo-table2.csv": others, "lo-table2.toml": text} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Load("lo-table2", config.Builtin()); err != nil ||
		got.Published.CSV != want.Published.CSV {
		t.Errorf("other figures than elsewhere, %v", err)
	}
	if got, err := Load("lo-table2.toml", config.Builtin()); err != nil ||
		got.Published.CSV != others {
		t.Errorf("the study of the folder does not have the figures beside it, %v", err)
	}
}
