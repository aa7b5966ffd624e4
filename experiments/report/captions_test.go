package report

import (
	"contend/experiments/config"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"
)

// A figure over load ends its curves where contend net does: at the first load that saturates the
// network in half of the replications. Accepted load has a meaning beyond it.
func TestCurvesOfStudiesEndAtSaturation(t *testing.T) {
	st := experimentstest.MustParse(t, `name = "t"
primary = ["latency"]
[workload]
source = "traffic"
[[axes]]
key = "workload.traffic_load"
values = [0.1, 0.2, 0.5, 0.6]
[[figures]]
name = "latency"
kind = "lines"
x = "workload.traffic_load"
metric = "network_latency"
[[figures]]
name = "accepted"
kind = "lines"
x = "workload.traffic_load"
metric = "accepted_load"
`)
	r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) (runs []metrics.Result) {
		for rep := range 4 { // at 0.2 one of four, at 0.5 two, at 0.6 none
			saturated := 0.0
			if i == 1 && rep == 0 || i == 2 && rep < 2 {
				saturated = 100
			}
			runs = append(runs, metrics.Result{Metrics: []metrics.Metric{
				{Name: "accepted_load", Value: 0.1 * float64(i+1)}, {Name: "saturated", Value: saturated},
				{Name: "network_latency", Value: 20 * float64(i+1)}}})
		}
		return runs
	})
	nan := math.NaN()
	for i, want := range [][]float64{{20, 40, nan, nan}, {0.1, 0.2, 0.3, 0.4}} {
		d, ok := figureOf(r, &st.Figures[i])
		if !ok {
			t.Fatal("nothing is drawn")
		}
		if text := captionOf(r, &st.Figures[i], &d); !strings.Contains(text.body(), "At 2 of 4 points") {
			t.Errorf("%s: the caption is %s", d.Y.Label, text.body())
		}
		s := d.Series[0]
		if diff := cmp.Diff(want, s.Y, cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("%s: %s", d.Y.Label, diff)
		}
		if want := []bool{false, false, true, false}; !slices.Equal(s.Crossed, want) {
			t.Errorf("%s: crossed are %v, want %v", d.Y.Label, s.Crossed, want)
		}
	}
}

// A caption names what ran and on which machine, as the study does.
func TestCaptionsNameWorkloadAndMachine(t *testing.T) {
	const figure = `
[[axes]]
key = "allocator"
values = ["random", "slurm-tree"]
[[figures]]
name = "f"
kind = "bars"
x = "allocator"
metric = "wait_time_size_4"
`
	for text, want := range map[string]string{
		"[machine]\ntopology = \"tree\"\n[workload]\njobs = 30\n": "Workload: synthetic, 30 jobs, " +
			"pattern All-to-all. Machine: 4-ary 4-tree.",
		"[machine]\ntopology = \"fat-tree\"\n[workload]\nsource = \"swf\"\n" +
			"trace = \"logs/KTH-SP2-1996-2.swf\"\n[job]\nrun = \"fixed\"\n": "Workload: log " +
			"KTH-SP2-1996-2.swf. Machine: fat-tree 4x4x4.",
	} {
		r := stored(t, "name = \"s\"\n"+text+"[runs]\nsize_classes = true\n"+figure,
			"wait_time_size_4", func(i int, _ []string) []float64 { return []float64{float64(i), 3} })
		f := &r.Study.Figures[0]
		d, _ := figureOf(r, f)
		c := captionOf(r, f, &d)
		if want = "Bars: wait time, jobs of 4 to 7 nodes, over allocator. " + want; !strings.HasPrefix(
			strings.Join(c.sentences, " "), want) {
			t.Errorf("%q, want %q", c.sentences, want)
		}
		if d.Labels["slurm-tree"] != "Slurm tree" || !strings.HasPrefix(d.Y.Label,
			"Wait time, jobs of 4 to 7 nodes") {
			t.Errorf("%v, %s", d.Labels, d.Y.Label)
		}
	}
}

// A caption says that whiskers are moved only if some are.
func TestCaptionsSayThatWhiskersAreMoved(t *testing.T) {
	for spread, moved := range map[float64]bool{0: false, 40: true} {
		r := stored(t, `name = "w"
[[axes]]
key = "workload.jobs"
values = [50, 100]
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[figures]]
name = "f"
kind = "lines"
x = "workload.jobs"
series = "allocator"
metric = "wait_time"
`, "wait_time", func(i int, _ []string) []float64 {
			return []float64{100 + float64(i), 100 + float64(i) + spread}
		})
		d, _ := figureOf(r, &r.Study.Figures[0])
		c := captionOf(r, &r.Study.Figures[0], &d)
		const words = "Whiskers that would overlap are drawn side by side."
		if got := strings.Contains(c.body(), words); got != moved {
			t.Errorf("replications that differ by %g: the caption is %s", spread, c.body())
		}
	}
}

// Captions of figures that flags describe stand beside those of the study, once each, as long as
// the figures do.
func TestCaptionsOfOtherFiguresStay(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "figures")
	must.Have(folder, os.Mkdir(folder, 0o777))
	caption := func(name, text string) []figureCaption {
		must.Have(name, os.WriteFile(filepath.Join(folder, name+".csv"), nil, 0o666))
		return []figureCaption{{name: name, subject: text, sentences: []string{"Drawn."}}}
	}
	must.Have(dir, writeCaptions(written.In(dir), caption("map", "Jobs on the machine")))
	must.Have(dir, writeCaptions(written.In(dir), caption("finish", "Finish time")))
	must.Have(dir, writeCaptions(written.In(dir), caption("map", "Jobs at night")))
	for _, file := range captionFiles {
		text := must.Have(os.ReadFile(filepath.Join(folder, file.name)))
		for words, want := range map[string]int{"Finish time": 1, "Jobs at night": 1,
			"on the machine": 0, file.mark: 2} {
			if got := strings.Count(string(text), words); got != want {
				t.Errorf("%s has %q %d times, want %d:\n%s", file.name, words, got, want, text)
			}
		}
	}
	must.Have(dir, os.Remove(filepath.Join(folder, "map.csv")))
	must.Have(dir, writeCaptions(written.In(dir), caption("finish", "Finish time")))
	text := must.Have(os.ReadFile(filepath.Join(folder, "captions.md")))
	if strings.Contains(string(text), "map") {
		t.Errorf("the caption of a figure that is gone stays:\n%s", text)
	}
}
