package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// lookResults returns results of a study whose runs have the finish times 100, 200, ... by
// point, one less in the second replication.
func lookResults(t *testing.T, text string) *experiments.Results {
	t.Helper()
	return stored(t, text, "finish_time", func(i int, _ []string) []float64 {
		return []float64{100 * float64(i+1), 100*float64(i+1) - 1}
	})
}

const lookStudy = `
name = "look"
labels = { mbs = "Buddies" }
[[axes]]
key = "job.pattern"
values = ["fft", "ring"]
[[axes]]
key = "allocator"
values = ["mbs", "first-fit", "paging:0"]
[[figures]]
name = "ratio"
title = "Ratios."
kind = "bars"
x = "job.pattern"
series = "allocator"
metric = "finish_time"
relative_to = "first-fit"
[[figures]]
name = "size"
kind = "lines"
x = "allocator"
series = "job.pattern"
metric = "finish_time"
labels = { ring = "circle" }
bands = true
y_limits = [10, 900]
width_mm = 100
[[figures]]
name = "x"
kind = "bars"
x = "allocator"
metric = "finish_time"
relative_to = "paging:0"
aspect = 0.5
where = { "job.pattern" = "fft" }
`

// drawnOf returns the figures of lookStudy.
func drawnOf(t *testing.T, o FigureOptions) (all []plot.Figure) {
	t.Helper()
	r := lookResults(t, lookStudy)
	for _, f := range r.Study.Figures {
		o.apply(&f)
		d, ok := figureOf(r, &f)
		if !ok {
			t.Fatalf("figure %s has no numbers", f.Name)
		}
		all = append(all, d)
	}
	return all
}

// The value that the others are divided by is a line and its axis one of ratios. In a
// figure of one series it is left out of the abscissa.
func TestReferenceIsALine(t *testing.T) {
	all := drawnOf(t, FigureOptions{})
	for _, s := range all[0].Series {
		if s.Reference != (s.Name == "first-fit") {
			t.Errorf("%s: reference %v", s.Name, s.Reference)
		}
	}
	if !all[0].Y.Ratio || all[1].Y.Ratio || !all[2].Y.Ratio {
		t.Errorf("axes of ratios: %v, %v, %v", all[0].Y.Ratio, all[1].Y.Ratio, all[2].Y.Ratio)
	}
	if diff := cmp.Diff([]string{"mbs", "first-fit"}, all[2].Categories); diff != "" {
		t.Error(diff)
	}
	if y := all[2].Series[0].Y[1]; y < 0.66 || y > 0.67 {
		t.Errorf("first-fit over paging:0 is %g, want 2/3", y)
	}
}

// Names of papers, of the study and of the figure, the last one first.
func TestPrintedNames(t *testing.T) {
	all := drawnOf(t, FigureOptions{})
	want := map[string]string{"fft": "FFT", "ring": "circle", "mbs": "Buddies",
		"first-fit": "First fit", "paging:0": "Paging(0)"}
	if diff := cmp.Diff(want, all[1].Labels); diff != "" {
		t.Error(diff)
	}
	for label, want := range map[string]string{
		"paging:2,snake": "Paging(2), snake", "mc1x1-tie:2,13,20,6": "MC1x1-tie(2,13,20,6)",
		"best-fit-1d:hilbert": "Best fit, Hilbert", "npb-ft:A": "FT.A", "16": "16",
		"quasi-contiguous:20": "Quasi-contiguous 20%", "level-spread": "Level-spread",
		"all-to-all": "All-to-all", "slurm-tree": "Slurm tree", "slurm-tree:22.05": "Slurm tree(22.05)",
		"mesh:16x16": "Mesh 16x16", "graph:net/ours.toml": "Graph ours.toml", "": "",
		"matrix:in/pair.csv": "Matrix, pair.csv", "goal:in/ask.goal": "ask.goal",
		"ring:2+fft": "ring:2+fft", "alone": "alone",
		"exec:python3 ../own/first_fit.py --seed 2.5": "first_fit.py",
		"exec:contend network":                        "contend",
		"own/mbs":                                     "own/mbs", "easy": "EASY",
		"away:2": "2 away", "SDSC-Par-1996-2.1-cln.swf": "SDSC-Par 1996",
		"KTH-SP2-1996-2.swf": "KTH-SP2 1996",
	} {
		if got := tables.DisplayName(nil, label); got != want {
			t.Errorf("%s is printed as %q, want %q", label, got, want)
		}
	}
	if got := all[2].Labels["look"]; got != "simulated" {
		t.Errorf("the only series is printed as %q", got)
	}
	scaledTo := &study.Figure{Series: "job.flits", SeriesScale: 0.5,
		Labels: map[string]any{"512": "a quarter"}}
	drawing := plot.Figure{Series: []plot.Series{{Name: "256"}}}
	if setLook(&study.Study{}, scaledTo, &drawing); drawing.Labels["256"] != "a quarter" {
		t.Errorf("a scaled name is printed as %q", drawing.Labels["256"])
	}
	got := tables.PrintedNames(nil, []string{"exec:./a.py 1", "exec:sh a.py 2", "exec:b.py 3",
		"exec:old/c.py", "exec:new/c.py",
		"exec:d --on mesh:8x8 --by mbs", "exec:d --on mesh:8x8 --by random", "goal:a/x.goal",
		"goal:b/x.goal"})
	wantOf := map[string]string{"exec:./a.py 1": "a.py 1", "exec:sh a.py 2": "a.py 2",
		"exec:b.py 3": "b.py", "exec:old/c.py": "old/c.py", "exec:new/c.py": "new/c.py",
		"exec:d --on mesh:8x8 --by mbs": "d mbs", "exec:d --on mesh:8x8 --by random": "d random"}
	if diff := cmp.Diff(wantOf, got); diff != "" {
		t.Error(diff)
	}
	beside := tables.PrintedNames(nil, []string{"uniform", "near-neighbour", "fft", "decreasing"})
	if diff := cmp.Diff(map[string]string{"fft": "FFT"}, beside); diff != "" {
		t.Errorf("beside words of its own, %s", diff)
	}
	given := map[string]any{"alone": "Alone"}
	beside = tables.PrintedNames(nil, []string{"random", "alone"}, given)
	if beside["random"] != "Random" {
		t.Errorf("beside a given name random is printed as %q", beside["random"])
	}
}

// Everything that a study can name has a name to print with a capital, and no two in a table share
// one.
func TestEverythingHasAName(t *testing.T) {
	for table, entries := range config.Builtin().Tables() {
		of := map[string]string{}
		for _, e := range entries {
			name := tables.DisplayName(nil, e.Name)
			if e.Name != "n-body" && (name == e.Name || name[:1] != strings.ToUpper(name[:1])) &&
				e.Name != config.Program || of[name] != "" {
				t.Errorf("%s: %s is printed as %q, as %q is", table, e.Name, name, of[name])
			}
			of[name] = e.Name
		}
	}
}

// Every key of the look reaches the figure, and a flag overrules it.
func TestLookOfFigures(t *testing.T) {
	d := drawnOf(t, FigureOptions{})[1]
	if !d.Bands || d.WidthMM != 100 || d.Y.Min == nil || *d.Y.Min != 10 || *d.Y.Max != 900 {
		t.Errorf("%+v", d)
	}
	look := study.Figure{LogY: true, YLimits: []float64{20, 400}, WidthMM: 174,
		Labels: map[string]any{"fft": "F"}, Bands: true}
	all := drawnOf(t, FigureOptions{Look: look})
	if d = all[1]; !d.Y.Log || *d.Y.Max != 400 || d.WidthMM != 174 ||
		d.Labels["fft"] != "F" {
		t.Errorf("%+v", d)
	}
	if aspect := all[2].Aspect; aspect != 0.5 {
		t.Errorf("aspect %g, want that of the study", aspect)
	}
}

// A value of an axis has one look in all figures of a study, also in those of a part of the values
// and of another kind: that of its place in the study.
func TestValuesLookTheSameInAllFigures(t *testing.T) {
	r := lookResults(t, `name = "l"
[[axes]]
key = "job.pattern"
values = ["fft", "ring"]
[[axes]]
key = "allocator"
values = ["mbs", "first-fit", "paging:0", "random"]
[[figures]]
name = "all"
kind = "bars"
x = "job.pattern"
series = "allocator"
metric = "finish_time"
[[figures]]
name = "some"
kind = "lines"
x = "job.pattern"
series = "allocator"
metric = "finish_time"
where = { allocator = ["first-fit", "random"] }
[[figures]]
name = "relative"
kind = "bars"
x = "job.pattern"
series = "allocator"
metric = "finish_time"
relative_to = "mbs"
[[figures]]
name = "one"
kind = "bars"
x = "allocator"
series = "job.pattern"
metric = "finish_time"
where = { "job.pattern" = "ring" }
`)
	want := map[string]int{"mbs": 1, "first-fit": 2, "paging:0": 3, "random": 4, "ring": 2}
	counts := []int{4, 2, 4, 1}
	for n := range r.Study.Figures {
		f := &r.Study.Figures[n]
		d, _ := figureOf(r, f)
		for _, p := range panelsOf(&d) {
			if len(p.Series) != counts[n] {
				t.Errorf("%s: %d series, want %d", f.Name, len(p.Series), counts[n])
			}
			for _, s := range p.Series {
				if s.Look != want[s.Name] {
					t.Errorf("%s: %s has look %d, want %d", f.Name, s.Name, s.Look, want[s.Name])
				}
			}
		}
	}
}

// More values than looks keep one look each as long as no two of a figure share it.
func TestMoreValuesThanLooks(t *testing.T) {
	text := "name = \"m\"\n[[axes]]\nkey = \"job.flits\"\nvalues = [1, 2, 3, 4, 5, 6, 7, 8, 9, " +
		"10, 11, 12]\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"
	for _, shown := range []string{"[1, 2, 10]", "[3, 11, 12]"} {
		text += "[[figures]]\nname = \"f" + shown[1:2] + "\"\nkind = \"bars\"\nx = \"allocator\"\n" +
			"series = \"job.flits\"\nmetric = \"finish_time\"\nwhere = { \"job.flits\" = " + shown + " }\n"
	}
	r := lookResults(t, text)
	var got [][]int
	for n := range r.Study.Figures {
		d, _ := figureOf(r, &r.Study.Figures[n])
		var looks []int
		for _, s := range d.Series {
			looks = append(looks, s.Look)
		}
		got = append(got, looks)
	}
	if diff := cmp.Diff([][]int{{1, 2, 3}, {3, 1, 2}}, got); diff != "" {
		t.Error(diff)
	}
}

// Lines of what runs recorded have the looks of the figures.
func TestRecordedLinesHaveTheLooksOfValues(t *testing.T) {
	r := everything()
	labels := r.Study.LabelsOf(r.Points, "allocator")
	d := draw(t, r, study.Figure{Kind: "ecdf", Metric: "wait_time"}).(plot.Figure)
	if len(d.Series) != len(labels) {
		t.Fatalf("%d lines for %v", len(d.Series), labels)
	}
	for i, s := range d.Series {
		if s.Look != i+1 || s.Name != labels[i] {
			t.Errorf("%s has look %d; the allocators are %v", s.Name, s.Look, labels)
		}
	}
}
