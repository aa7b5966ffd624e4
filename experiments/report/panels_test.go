package report

import (
	"bytes"
	"contend/experiments/config"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
	"contend/internal/must"
)

const panelsAxes = `
name = "panels"
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "allocator"
values = ["first-fit", "random"]
[[axes]]
key = "network.buffer_flits"
values = [2, 8]
[[axes]]
key = "scheduler.reservation"
values = ["placement", "count"]
[scheduler]
policy = "easy"
`

// A figure is refused exactly where two runs would stand in one place.
func TestFiguresDropNoAxis(t *testing.T) {
	const both = `kind = "bars"
metric = "latency"
x = "job.pattern"
series = "allocator"
`
	for _, c := range []struct{ figure, want string }{
		{both, "network.buffer_flits, scheduler.reservation"},
		{both + `panels = "network.buffer_flits"`, "scheduler.reservation"},
		{both + `panels = ["network.buffer_flits", "scheduler.reservation"]`, ""},
		{both + `where = { "network.buffer_flits" = 2, "scheduler.reservation" = "count" }`, ""},
		{both + `where = { "network.buffer_flits" = [2, 8], "scheduler.reservation" = "count" }`,
			"network.buffer_flits"},
		// With random both reservations are one run.
		{both + `where = { "network.buffer_flits" = 2, allocator = "random" }`, ""},
		// What they are divided by is not.
		{both + `relative_to = "first-fit"
where = { "network.buffer_flits" = 2, allocator = "random" }`, "scheduler.reservation"},
		{`kind = "lines"
metric = "latency"
x = "network.buffer_flits"
where = { "scheduler.reservation" = "placement" }`, "job.pattern, allocator"},
		{`kind = "scatter"
metric = "latency"
x = "mean_hops"
series = "allocator"
panels = "job.pattern"
where = { "scheduler.reservation" = "placement" }`, "network.buffer_flits"},
		{`kind = "sizes"
metric = "jobs"
x = "size"
series = "allocator"
relative_to = "first-fit"
where = { "job.pattern" = "ring", "network.buffer_flits" = 2 }`, "scheduler.reservation"},
	} {
		text := panelsAxes + "[[figures]]\nname = \"f\"\n" + c.figure + "\n"
		_, err := study.Parse("x.toml", text, config.Builtin())
		want := ""
		if c.want != "" {
			want = "the figure f has one place for points that differ in " + c.want + ":"
		}
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s\n%v, want %q", c.figure, err, want)
		}
	}
}

// Axes of panels are shared, or free: the figure and its caption say so. The key is refused where
// it cannot act.
func TestAxesOfPanels(t *testing.T) {
	const figure = panelsAxes + `
[[figures]]
name = "f"
kind = "lines"
x = "network.buffer_flits"
series = "allocator"
metric = "finish_time"
`
	const panels = "panels = [\"scheduler.reservation\", \"job.pattern\"]\n"
	const where = "where = { \"scheduler.reservation\" = \"count\", \"job.pattern\" = \"ring\" }\n"
	for axes, free := range map[string]bool{"": false, "panel_axes = \"shared\"\n": false,
		"panel_axes = \"free\"\n": true} {
		r := stored(t, figure+panels+axes, "finish_time", func(i int, _ []string) []float64 {
			return []float64{float64(i), float64(i + 1)}
		})
		d, ok := figureOf(r, &r.Study.Figures[0])
		if !ok || d.FreeAxes != free {
			t.Errorf("%q: %v, free: %v", axes, ok, d.FreeAxes)
		}
		c := captionOf(r, &r.Study.Figures[0], &d)
		if got := c.text(); strings.Contains(got, "and pattern, with axes of its own.") != free {
			t.Errorf("%q: %s", axes, got)
		}
	}
	for text, want := range map[string]string{
		figure + panels + "panel_axes = \"fre\"\n": "figures[0].panel_axes is \"fre\": " +
			"did you mean \"free\"?",
		figure + where + "panel_axes = \"free\"\n": "figures[0].panel_axes has no effect on a " +
			"figure without panels: give panels, or leave it out",
		loadStudy + "panel_axes = \"free\"\n": "figures[0].panel_axes has no effect on a " +
			"figure of kind table",
	} {
		if _, err := study.Parse("x.toml", text, config.Builtin()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Each number of a figure with panels is that of its point, and a panel in which
// nothing was measured is left out.
func TestPanelsHoldTheirPoints(t *testing.T) {
	st, err := study.Parse("x.toml", panelsAxes+`
[[figures]]
name = "f"
kind = "lines"
x = "network.buffer_flits"
series = "allocator"
panels = ["scheduler.reservation", "job.pattern"]
metric = "finish_time"
`, config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	r := experimentstest.Stored(t, st, config.Builtin(), nil)
	want := "scheduler.reservation,job.pattern,series,x,y,y_low,y_high,published\n"
	rows := map[string]string{}
	for i, p := range r.Points {
		if p.Labels[3] == "count" && p.Labels[0] == "fft" {
			continue // not measured
		}
		value := 1217942.0625 + float64(i)
		r.Runs[i] = []metrics.Result{{Metrics: []metrics.Metric{{Name: "finish_time", Value: value}}}}
		panel := p.Labels[3] + "," + p.Labels[0] + ","
		rows[panel+p.Labels[1]] += fmt.Sprintf("%s%s,%s,%.3f,,,\n", panel, p.Labels[1], p.Labels[2],
			value-0.0005)
	}
	for _, key := range []string{
		"placement,ring,first-fit", "placement,ring,random", "count,ring,first-fit",
		"count,ring,random", "placement,fft,first-fit", "placement,fft,random",
	} {
		want += rows[key]
	}
	d, ok := figureOf(r, &st.Figures[0])
	if !ok {
		t.Fatal("nothing to draw")
	}
	checkDrawing(t, d, []string{"placement, Ring", "count, Ring", "placement, FFT"}, want)
	sides := &study.Figure{Panels: []string{"machine.dims", "network.buffer_flits"}}
	got := (&drawing{results: r, figure: sides}).panelName([]string{"[16, 8]", "2"})
	if got != "dims = 16x8, buffer flits = 2" {
		t.Errorf("a panel is called %q", got)
	}
}

// checkDrawing compares the names of the panels and the values of a drawing.
func checkDrawing(t *testing.T, d plot.Figure, panels []string, csv string) {
	t.Helper()
	var names []string
	for _, p := range d.Panels {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff(panels, names); diff != "" {
		t.Error(diff)
	}
	var b bytes.Buffer
	must.Have(0, plot.Render(&b, d, "csv"))
	if diff := cmp.Diff(csv, b.String()); diff != "" {
		t.Error(diff)
	}
}
